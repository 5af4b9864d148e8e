/** Commands that repair rows, by cause: documents have them in the field `commands`, ready to run. No other use case writes any. */
import type { RowError } from '../../ledger/states.ts';
import type { Cause, RepairKind } from '../documents/campaign.ts';
import { repairOf } from './error-codes.ts';

export type Decidable = 'post' | 'generation';

/** The subject of the decision that a row in review waits for. */
export function decidableOf({ step }: RowError): Decidable {
  return step === 'post' ? 'post' : 'generation';
}

/** @param decision as in the column `decision` of a sheet. */
export function decideCommand(campaign: string, key: string, decision: string): string {
  return `campaigns decide ${campaign} ${quote(key)} --${decision}`;
}

/** Both possible decisions. */
export function decisionCommands(campaign: string, key: string, about: Decidable): readonly string[] {
  const decisions =
    about === 'post' ? ['posted POST_ID', 'not-posted'] : ['generated SCHEDULE_ID', 'not-generated'];
  return decisions.map((decision) => decideCommand(campaign, key, decision));
}

/** Writes a sheet of the rows in these states. */
export function sheetCommand(campaign: string, states: string, code?: string): string {
  const error = code === undefined ? '' : ` --error ${code}`;
  return `campaigns report ${campaign} --only ${states}${error} --out ${sheetName(campaign, states, code)}`;
}

function sheetName(campaign: string, states: string, code: string | undefined): string {
  return [campaign, ...(code === undefined || states === 'review' ? [states] : []), code, 'csv']
    .filter(Boolean)
    .join('.');
}

/** Writes a sheet of rows in review, and decides by it. */
export function decideBySheetCommands(campaign: string, code?: string): readonly string[] {
  const settle = `campaigns decide ${campaign} --from ${sheetName(campaign, 'review', code)}`;
  return [sheetCommand(campaign, 'review', code), settle];
}

export function refreshCommand(campaign: string): string {
  return `campaigns refresh ${campaign}`;
}

/** @param retries whether also to retry rows that failed for another reason than the authorization. */
export function resumeCommands(campaign: string, creator: string, retries = false): readonly string[] {
  const rows = `${campaign} --creator ${quote(creator)}`;
  return [`campaigns resume ${rows}`, ...(retries ? [`campaigns retry ${rows}`] : [])];
}

/** Code of a row with two posts. Nothing is sent: a person names the one that stays. */
export const postedTwice = 'posted_twice';

/** @param code of the rows' error. */
export function decisionsForMany(
  campaign: string,
  code: string,
  about: Decidable,
): NonNullable<Cause['forMany']> {
  return {
    sheet: decideBySheetCommands(campaign, code),
    all: `campaigns decide ${campaign} --not-${about === 'post' ? 'posted' : 'generated'} --error ${code}`,
  };
}

/** Corrects the rows in a sheet of their own, because the import redoes all rows of the sheet. */
function mendCommands(campaign: string, code: string): readonly string[] {
  const sheet = sheetName(campaign, 'failed', code);
  return [
    sheetCommand(campaign, 'failed', code),
    `campaigns run ${sheet} --into ${campaign} --dry-run`,
    `campaigns run ${sheet} --into ${campaign}`,
  ];
}

function retryCommand(campaign: string, code: string): string {
  return `campaigns retry ${campaign} --error ${code}`;
}

/** Possible repairs of rows that ended for the same reason. */
export interface Repair {
  readonly kind: RepairKind;
  readonly commands: readonly string[];
}

/** @param rows.keys keys of the first rows. */
export function repairFor(
  campaign: string,
  rows: {
    readonly state: Cause['state'];
    readonly error: RowError;
    readonly subjects: readonly string[];
    readonly keys: readonly string[];
  },
): Repair {
  const { state, error, subjects, keys } = rows;
  if (state === 'review') {
    const about = decidableOf(error);
    const commandsOf = (key: string) =>
      error.code === postedTwice
        ? decideCommand(campaign, key, 'posted POST_ID')
        : decisionCommands(campaign, key, about);
    return { kind: 'settle', commands: keys.flatMap(commandsOf) };
  }
  const kind = repairOf(error.code);
  switch (kind) {
    case 'retry': {
      // A generation may fail because of its prompt.
      const orMend = error.code === 'generation_failed' ? mendCommands(campaign, error.code) : [];
      return { kind, commands: [retryCommand(campaign, error.code), ...orMend] };
    }
    case 'mend': {
      // A status other than 400 alone does not show that the row is wrong.
      const orRetry = /^http_4(?!00)\d\d$/.test(error.code) ? [retryCommand(campaign, error.code)] : [];
      return { kind, commands: [...mendCommands(campaign, error.code), ...orRetry] };
    }
    case 'authorize':
      return {
        kind,
        commands: subjects.flatMap((creator) => resumeCommands(campaign, creator)),
      };
  }
}

/** Quotes a word for a shell. */
export function quote(word: string): string {
  return /^[\w.:@%+=,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
