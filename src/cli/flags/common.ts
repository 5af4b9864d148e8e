/** Options that several commands share. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { CommandError, exitCodes } from '../exit.ts';
import type { Output } from '../print/output.ts';
import { ask, isTerminal, widthFor } from '../print/terminal.ts';
import { fold } from '../print/wrap.ts';

export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  /** What its help says below the options: all that they leave open, and examples. */
  notes(text: string): this {
    return this.addHelpText('after', text);
  }
}

/** Gives a command its arguments, options and action; `main.ts` adds `--config` and `--json`. */
export type Define = (command: CliCommand) => CliCommand;

export function defineAll(
  command: CliCommand,
  subcommands: readonly (readonly [name: string, summary: string, define: Define])[],
): CliCommand {
  for (const [name, summary, define] of subcommands) define(command.command(name).description(summary));
  return command;
}

export const campaignId = ['<id>', 'campaign id, as `campaigns list` shows it'] as const;

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'read settings here (default: CAMPAIGNS_CONFIG)');
export const yesOption = () => new Option('--yes', 'do not ask for confirmation');
export const csvOption = () => new Option('--csv', 'print CSV, to paste into a sheet').conflicts('json');

/**
 * A parser for the value of an option.
 * @param rule what is told of a value that `read` finds nothing in.
 */
export function parsedBy<T>(read: (text: string) => T | undefined, rule: string): (text: string) => T {
  return (text) => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(rule);
    return value;
  };
}

/** As `parsedBy`, for a whole number that is written in digits. */
export function wholeNumber(rule: string, least = 1, most = Number.MAX_SAFE_INTEGER) {
  const isFit = (number: number) => number >= least && number <= most;
  return parsedBy(
    (text) => (/^\d{1,16}$/.test(text) && isFit(Number(text)) ? Number(text) : undefined),
    rule,
  );
}

export const portNumber = wholeNumber('It must be a port from 0 to 65535.', 0, 65_535);

/**
 * @param names options, as commander names their values.
 * @param why replaces the advice to leave out `beside`.
 * @throws {CommandError} when one of them is given, because it cannot go with `beside`.
 */
export function refuseBeside<Flags extends object>(
  flags: Flags,
  names: readonly (keyof Flags & string)[],
  beside: string,
  why?: string,
): void {
  const given = givenOf(flags, names);
  if (given.length === 0) return;
  const those = given.join(' and ');
  throw new CommandError(`${those} cannot go with ${beside}`, {
    fix: why ? `${why} Omit ${those}.` : `Omit ${those}, or ${beside}.`,
  });
}

/**
 * @param names options, as commander names their values.
 * @param needed what they mean nothing without: an option, or an operand.
 * @throws {CommandError} when one of them is given.
 */
export function refuseWithout<Flags extends object>(
  flags: Flags,
  names: readonly string[],
  needed: string,
): void {
  const given = givenOf(flags, names);
  if (given.length === 0) return;
  const those = given.join(' and ');
  throw new CommandError(`${those} ${given.length === 1 ? 'needs' : 'need'} ${needed}`, {
    fix: `Give ${needed} too, or omit ${those}.`,
  });
}

function givenOf(flags: object, names: readonly string[]): readonly string[] {
  const given = names.filter((name) =>
    Object.entries(flags).some(([key, value]) => key === name && value !== undefined),
  );
  // `notPosted` is the value of `--not-posted`.
  return given.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}

export interface ConfirmFlags {
  /** Do not ask. */
  readonly yes?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Asks as `confirm`. A dry run changes nothing, and only says what would be asked. */
export async function confirmUnlessDry(
  { print }: Pick<Output, 'print'>,
  question: string,
  { dryRun, ...flags }: ConfirmFlags & { readonly dryRun?: boolean | undefined },
): Promise<void> {
  if (dryRun) print(`Nothing was changed. Without --dry-run it asks: ${question}`);
  else await confirm(question, flags);
}

/** Whether somebody is there to answer, and may be asked. */
export function canAsk({ json }: Pick<ConfirmFlags, 'json'>): boolean {
  return !json && process.stdin.isTTY === true && isTerminal('stderr');
}

/**
 * Asks before a change that cannot be undone.
 * @throws {CommandError} when nobody can answer; with exit code 0 when the answer is not yes, 130 after Ctrl-C.
 */
export async function confirm(question: string, { yes, json }: ConfirmFlags): Promise<void> {
  if (yes) return;
  if (!canAsk({ json })) {
    throw new CommandError(`nothing was done, because this needs an answer: ${question}`, {
      fix: `To do it ${json ? 'with --json' : 'without a terminal'}, add --yes.`,
    });
  }
  const answer = unlessInterrupted(await ask(`${fold(`${question} [y/N]`, widthFor('stderr'))} `));
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError(unchanged, { exitCode: exitCodes.ok });
}

const unchanged = 'Nothing was changed.';

/** @param answer to a question on the terminal. @throws {CommandError} with exit code 130 after Ctrl-C. */
export function unlessInterrupted(answer: string | undefined): string {
  if (answer === undefined) throw new CommandError(unchanged, { exitCode: exitCodes.interrupted });
  return answer;
}
