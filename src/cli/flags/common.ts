/** Options that several commands share. */
import { InvalidArgumentError, Option } from 'commander';
import { CommandError } from '../exit.ts';

export const jsonOption = () => new Option('--json', 'print one JSON document on standard output');
export const configOption = () =>
  new Option('--config <file>', 'read settings from this file (default: CAMPAIGNS_CONFIG)');
export const yesOption = () => new Option('--yes', 'do not ask for confirmation');
export const csvOption = () => new Option('--csv', 'print CSV, to paste into a sheet').conflicts('json');
export const accountOption = () =>
  new Option('--account <name>', 'use this account of the settings, not CREATOR_API_URL');

/** Parses the value of an option that is a port. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) {
    throw new InvalidArgumentError('It must be a port from 0 to 65535.');
  }
  return port;
}

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
  const given = names.filter((name) => flags[name] !== undefined).map(optionName);
  if (given.length === 0) return;
  const them = given.length === 1 ? 'it' : 'them';
  throw new CommandError(`${given.join(' and ')} cannot go with ${beside}`, {
    cure: why ? `${why} Leave ${them} out.` : `Leave out ${them}, or ${beside}.`,
  });
}

/** `notPosted` is the value of `--not-posted`. */
function optionName(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
