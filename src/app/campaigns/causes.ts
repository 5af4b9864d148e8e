/** Why rows were not posted: failed rows and rows in review, grouped by what can be done about them. */
import { LRUCache } from 'lru-cache';
import { type Campaign, isUnderWay } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowFilter } from '../../ledger/rows/query.ts';
import type { RowError } from '../../ledger/states.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { plural } from '../../manifest/wording.ts';
import { type Cause, decidableOf, postedTwice, repairFor } from './repair.ts';

export type { Cause };

const shown = 5;
/** At most this many subjects are counted, because every row may have its own. */
const subjectsCounted = 100;
/** Each row in review has two commands of its own. */
const decisionsShown = 2;
const rowsAtOnce = 1000;
/** Only this many rows are read, because a person waits for the answer. */
const mostRead = 10_000;

/** Most causes listed. Campaigns usually have a handful, unless a service gives every row its own code. */
const mostCauses = 100;
/** Code of the cause that sums up all others. */
export const otherCodes = 'other';

interface Group {
  readonly state: Cause['state'];
  readonly first: RowError;
  rows: number;
  isEstimate: boolean;
  /** Unix epoch, milliseconds. */
  since: number;
  readonly subjects: Map<string, number>;
  readonly examples: number[];
}

/** The causes of a campaign, the one with the most rows first. Beyond a hundred, the others are summed up by state. */
export async function causesOf(ledger: Ledger, campaign: Campaign): Promise<readonly Cause[]> {
  const groups = (await groupRows(ledger, campaign)).sort((one, other) => other.rows - one.rows);
  const keyOf = (row: number) => ledger.rowKeys.of(campaign, row);
  const listed = groups.slice(0, mostCauses).map((group) => describeGroup(campaign, group, keyOf));
  return [
    ...(await Promise.all(listed)),
    ...(['failed', 'review'] as const).flatMap((state) => sumUp(state, groups, campaign.id)),
  ];
}

/** @param causes all of the campaign. @returns undefined if the causes cannot tell, or are an estimate. */
export function rowsOfCauses(
  causes: readonly Cause[],
  { state, step, error, creator, text }: RowFilter,
): number | undefined {
  if ((error ?? step) === undefined || creator !== undefined || text !== undefined) return undefined;
  const found = causes.filter(
    (cause) =>
      cause.state === (state ?? cause.state) &&
      cause.step === (step ?? cause.step) &&
      cause.code === (error ?? cause.code),
  );
  const isSummedUp = causes.some((cause) => cause.code === otherCodes);
  if (isSummedUp || found.some(({ isEstimate }) => isEstimate)) return undefined;
  return found.reduce((sum, { rows }) => sum + rows, 0);
}

/** The causes beyond the hundredth. */
function sumUp(state: Cause['state'], groups: readonly Group[], id: string): readonly Cause[] {
  const others = groups.slice(mostCauses).filter((group) => group.state === state);
  const [first] = others;
  if (first === undefined) return [];
  return [
    {
      state,
      code: otherCodes,
      step: first.first.step,
      subjects: [],
      examples: [],
      note: undefined,
      rows: others.reduce((rows, group) => rows + group.rows, 0),
      isEstimate: others.some(({ isEstimate }) => isEstimate),
      message: `${others.length} further codes; a results sheet has the code of each row`,
      fix: undefined,
      repair: state === 'review' ? 'decide' : 'edit',
      commands: [hint('writeSheet', { campaign: id, only: state })],
      forMany: undefined,
    },
  ];
}

async function groupRows(ledger: Ledger, campaign: Campaign): Promise<Group[]> {
  const read = async (state: Cause['state']) => {
    const total = campaign.counts[state];
    const rows = total === 0 ? [] : await ledger.rows.someInState(campaign.id, state, total, mostRead);
    const reading = Array.from(batches(rows, rowsAtOnce), (part) => ledger.rows.errors(campaign.id, part));
    const errors = (await Promise.all(reading)).flat();
    return { state, total, rows, errors };
  };
  const groups = new Map<string, Group>();
  for (const { state, total, rows, errors } of await Promise.all((['failed', 'review'] as const).map(read))) {
    for (const [index, row] of rows.entries()) count(groups, state, row, errors[index]);
    if (total > rows.length) estimate(groups, state, total / rows.length);
  }
  return [...groups.values()];
}

async function describeGroup(
  { id, cancelledAt }: Campaign,
  { state, first, rows, isEstimate, since, subjects: counted, examples: positions }: Group,
  keyOf: (row: number) => Promise<string>,
): Promise<Cause> {
  const examples = await Promise.all(positions.map(keyOf));
  const byRows = [...counted].sort(([, one], [, other]) => other - one);
  const subjects = byRows.slice(0, shown).map(([subject]) => subject);
  const keys = examples.slice(0, decisionsShown);
  const { kind: repair, commands } = repairFor(id, { state, error: first, subjects, keys });
  // Rows of a cancelled campaign are not sent again, but unknownCalls must still be decided.
  const possible = cancelledAt === undefined || repair === 'decide' ? commands : [];
  const { code, step, note, fix } = first;
  const isRejection = code === 'rejected';
  const isForMany = repair === 'decide' && rows > 1;
  return {
    state,
    code,
    step,
    rows,
    isEstimate,
    subjects: isRejection ? [] : subjects,
    since: new Date(since).toISOString(),
    message: isRejection && rows > 1 ? rejections(byRows, isEstimate) : first.message,
    note,
    fix,
    examples,
    repair,
    commands: possible,
    forMany:
      isForMany && code !== postedTwice
        ? hint('decideAll', { campaign: id, error: code, about: decidableOf(first) })
        : undefined,
  };
}

/** The reasons of people, each with its rows. */
function rejections(
  byRows: readonly (readonly [reason: string, rows: number])[],
  isEstimate: boolean,
): string {
  const named = byRows
    .slice(0, shown)
    .map(([reason, rows]) => (isEstimate ? reason : `${reason} (${plural(rows, 'row')})`));
  const more = byRows.length - shown;
  return `Rejected: ${[...named, ...(more > 0 ? [plural(more, 'other reason')] : [])].join('; ')}`;
}

/** Extrapolates from the rows read to all rows. */
function estimate(groups: Map<string, Group>, state: Cause['state'], factor: number): void {
  for (const group of groups.values()) {
    if (group.state !== state) continue;
    group.rows = Math.round(group.rows * factor);
    group.isEstimate = true;
  }
}

function count(
  groups: Map<string, Group>,
  state: Cause['state'],
  row: number,
  error: RowError | undefined,
): void {
  if (error === undefined) return;
  const key = `${state}\0${error.step}\0${error.code}`;
  let group = groups.get(key);
  if (!group) {
    const { at: since } = error;
    group = { state, first: error, rows: 0, isEstimate: false, since, subjects: new Map(), examples: [] };
    groups.set(key, group);
  }
  group.rows += 1;
  group.since = Math.min(group.since, error.at);
  const { subject } = error;
  const known = subject === undefined ? undefined : group.subjects.get(subject);
  if (subject !== undefined && (known !== undefined || group.subjects.size < subjectsCounted)) {
    group.subjects.set(subject, (known ?? 0) + 1);
  }
  if (group.examples.length < shown) group.examples.push(row);
}

interface CachedCauses {
  readonly at: number;
  /** Counters of the campaign then. */
  readonly counts: string;
  readonly causes: readonly Cause[];
}

/** For a campaign under way, whose counters change all the time. Milliseconds. */
export const freshMs = 1000;
/** While counters stay the same. Notes from the publishing records change without them. Milliseconds. */
const sameMs = 60_000;
const campaignsKept = 200;

export class KnownCauses {
  readonly #ledger: Ledger;
  readonly #now: () => number;
  /** By store, because an id may come again if Redis loses data. */
  readonly #kept = new LRUCache<string, CachedCauses>({ max: campaignsKept });

  /** @param now milliseconds of a steady clock. */
  constructor(ledger: Ledger, now: () => number) {
    this.#ledger = ledger;
    this.#now = now;
  }

  forget(): void {
    this.#kept.clear();
  }

  /** A second old at most while its counters change. @param oldest age in milliseconds while they stay the same. */
  async of(campaign: Campaign, oldest = sameMs): Promise<readonly Cause[]> {
    if (campaign.counts.failed + campaign.counts.review === 0) return [];
    const now = this.#now();
    const counts = JSON.stringify(campaign.counts);
    const kept = this.#kept.get(campaign.store);
    const age = now - (kept?.at ?? Number.NEGATIVE_INFINITY);
    const isGood = kept?.counts === counts ? age < oldest : isUnderWay(campaign) && age < freshMs;
    if (kept && isGood) return kept.causes;
    const causes = await causesOf(this.#ledger, campaign);
    this.#kept.set(campaign.store, { at: now, counts, causes });
    return causes;
  }
}
