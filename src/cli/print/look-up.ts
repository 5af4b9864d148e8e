/** Look-ups of what goes into the sheet: fetched page by page, and printed as a table, as CSV or as JSON. */
import { stringify } from 'csv-stringify/sync';
import { defaultAccount } from '../../../config/access.ts';
import type { Through } from '../../api/paging.ts';
import { guardFormula } from '../../manifest/formula.ts';
import type { Account } from '../../processors/frame/accounts.ts';
import { repeatedCall } from '../../processors/frame/repeated-call.ts';
import { openAccounts } from '../../runtime/accounts.ts';
import { type CommonOptions, type LedgerSession, openLedger } from '../../runtime/runtime.ts';
import { serviceError } from '../service-error.ts';
import { type Output, plural, table } from './output.ts';

export interface LookUpOptions extends CommonOptions {
  readonly csv?: boolean;
  readonly account?: string;
}

export interface LookUpTools extends Pick<Account, 'client'> {
  /** For lists: each page waits for its turn, and is repeated as far as that helps. */
  readonly through: Through;
}

/**
 * Opens what a look-up needs, carries it out and closes everything.
 * @param what could not be done, should it fail: `creators could not be looked up`.
 * @throws {CommandError}
 */
export async function lookUp(
  options: LookUpOptions,
  what: string,
  run: (tools: LookUpTools, session: LedgerSession) => Promise<void>,
): Promise<void> {
  await using session = await openLedger(options);
  await using accounts = openAccounts(session);
  const { client, budgets } = accounts.need(options.account ?? defaultAccount);
  const { retry } = session.settings;
  const through: Through = (operation, call) => repeatedCall(operation, call, { budgets, retry });
  try {
    await run({ client, through }, session);
  } catch (error) {
    throw serviceError(error, what);
  }
}

/** A column of a look-up: its name, which is that of the manifest's column wherever there is one, and its cell. */
export type LookUpColumn<T> = readonly [name: string, cell: (entry: T) => string | undefined];

/** Prints what was found as a table, or as CSV to be pasted into a sheet. Nothing with `--json`. */
export function printEntries<T>(
  output: Output,
  noun: string,
  entries: readonly T[],
  columns: readonly LookUpColumn<T>[],
  { csv = false }: LookUpOptions,
): void {
  const names = columns.map(([name]) => name);
  const rows = entries.map((entry) => columns.map(([, cell]) => cell(entry) ?? ''));
  if (csv) output.print(stringify([names, ...rows.map((row) => row.map(guardFormula))]).trimEnd());
  else if (rows.length === 0) output.print(`No ${noun} found.`);
  else {
    for (const line of table(
      names.map((name) => name.toUpperCase()),
      rows,
    ))
      output.print(line.trimEnd());
    output.say(plural(rows.length, noun));
  }
}
