/** Commands that repair rows, by cause. */
import type { RowError } from '../../ledger/states.ts';
import type { Cause, RepairKind } from '../documents/campaign.ts';
import { repairOf } from './error-codes.ts';

export type Decidable = 'post' | 'generation';

/** The subject of the decision that a row in review waits for. */
export function decidableOf({ step }: RowError): Decidable {
  return step === 'post' ? 'post' : 'generation';
}

/** Both possible decisions. */
export function decisionCommands(campaign: string, key: string, about: Decidable): readonly string[] {
  const settle = `campaigns settle ${campaign} ${quote(key)}`;
  return about === 'post'
    ? [`${settle} --posted POST_ID`, `${settle} --not-posted`]
    : [`${settle} --generated SCHEDULE_ID`, `${settle} --not-generated`];
}

/** Code of a row with two posts. Nothing is sent: a person names the one that stays. */
export const postedTwice = 'posted_twice';

function nameOne(campaign: string, key: string): string {
  return `campaigns settle ${campaign} ${quote(key)} --posted POST_ID`;
}

/** @param code of the rows' error. */
export function decisionsForMany(
  campaign: string,
  code: string,
  about: Decidable,
): NonNullable<Cause['forMany']> {
  const sheet = `${campaign}.review.${code}.csv`;
  return {
    sheet: [
      `campaigns report ${campaign} --only review --error ${code} --out ${sheet}`,
      `campaigns settle ${campaign} --from ${sheet}`,
    ],
    all: `campaigns settle ${campaign} --not-${about === 'post' ? 'posted' : 'generated'} --error ${code}`,
  };
}

/** Corrects the rows in a sheet of their own, because the import redoes all rows of the sheet. */
function mendCommands(campaign: string, code: string): readonly string[] {
  const sheet = `${campaign}.${code}.csv`;
  return [
    `campaigns report ${campaign} --only failed --error ${code} --out ${sheet}`,
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
    if (error.code === postedTwice)
      return { kind: 'settle', commands: keys.map((key) => nameOne(campaign, key)) };
    const about = decidableOf(error);
    return { kind: 'settle', commands: keys.flatMap((key) => decisionCommands(campaign, key, about)) };
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
        commands: subjects.map((creator) => `campaigns resume ${campaign} --creator ${quote(creator)}`),
      };
  }
}

/** Quotes a word for a shell. */
export function quote(word: string): string {
  return /^[\w.:@%+=,/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
