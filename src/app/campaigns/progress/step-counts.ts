/** Progress of a campaign's rows, step by step. Counts rows that need a step, not calls. */
import { type Campaign, isUnderWay } from '../../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { batches } from '../../../ledger/ledger-part.ts';
import { isGenerating, type RowProgress } from '../../../ledger/rows/row-progress.ts';
import { type RowState, rowStates, stateOfLetter } from '../../../ledger/states.ts';
import { type NeedsOfRow, ofSteps, type Step, stepFacts, steps } from '../../../manifest/steps.ts';
import { needsEnd, needsOf, type SheetNeeds } from './row-needs.ts';

export interface StepCount {
  /** Rows that need it; of cancelled ones, those that did it. */
  readonly all: number;
  readonly done: number;
  readonly now: number;
  readonly failed: number;
  readonly review: number;
  /** Stopped at an earlier step: failed, or in review. */
  readonly notReached: number;
  readonly toCome: number;
}

export type StepCounts = Readonly<Record<Step, StepCount>>;

/** Rows by state and by step, of one moment, so that they agree on a page. */
export interface Figures {
  readonly counts: Campaign['counts'];
  readonly steps: StepCounts;
}

/** Most rows of a kind to read one by one, because a person waits; the rest is extrapolated. */
const mostRead = 2000;
const rowsAtOnce = 500;

export async function readFigures(ledger: Ledger, campaign: Campaign, sheet: SheetNeeds): Promise<Figures> {
  const [bytes, groups, unpaid] = await Promise.all([
    ledger.rows.stateBytes(campaign.id),
    ledger.admission.groups(campaign.id),
    campaign.unpaid > 0 ? ledger.approvals.unpaid(campaign.id) : [],
  ]);
  const sorted = sortRows(bytes, sheet);
  const rowsIn = (state: RowState) => sorted.byNeeds.get(state)?.reduce((sum, rows) => sum + rows, 0) ?? 0;
  const counts = Object.fromEntries(rowStates.map((state) => [state, rowsIn(state)])) as Campaign['counts'];
  return { counts, steps: await countSteps(ledger, campaign, sheet, { sorted, groups, unpaid }) };
}

async function countSteps(
  ledger: Ledger,
  campaign: Campaign,
  sheet: SheetNeeds,
  rows: {
    readonly sorted: Sorted;
    readonly groups: Awaited<ReturnType<Ledger['admission']['groups']>>;
    /** Ready rows whose generation waits to be allowed. */
    readonly unpaid: readonly number[];
  },
): Promise<StepCounts> {
  const { sorted, groups, unpaid } = rows;
  const { byNeeds, found } = sorted;
  const tally = new Tally(byNeeds);
  for (const row of unpaid) tally.addUnpaid(needsOf(sheet.rows[row] ?? 0));
  const inGroups = new Set([...groups.values()].flatMap(({ rows }) => rows.map(({ row }) => row)));
  /** Adds some evenly spread rows, with what is read of each, their needs, and how many rows each represents. */
  async function addSample<T>(
    rows: readonly number[],
    read: (part: readonly number[]) => Promise<readonly (T | undefined)[]>,
    add: (found: T, needs: NeedsOfRow, share: number, row: number) => void,
  ): Promise<void> {
    const [sample, share] = sampleOf(rows);
    for (const part of batches(sample, rowsAtOnce)) {
      const found = await read(part);
      for (const [index, row] of part.entries()) {
        const each = found[index];
        if (each) add(each, needsOf(sheet.rows[row] ?? 0), share, row);
      }
    }
  }
  const progressOf = (rows: readonly number[]) => ledger.rows.progressOf(campaign.id, rows);
  const errorsOf = (rows: readonly number[]) => ledger.rows.errors(campaign.id, rows);
  await addSample(found.running, progressOf, (progress, needs, share, row) => {
    const step = stepOf(needs, progress, inGroups.has(row));
    // Its file and its post are one job, which the rate limit of posts may hold.
    if (step === 'post' && progress.files.size < needs.files) tally.addInPost(needs, share);
    else tally.add('now', needs, step, share);
  });
  await addSample(found.cancelled, progressOf, (progress, needs, share) => {
    if (hasBegun(progress)) tally.addCancelled(needs, stepOf(needs, progress, false), share);
  });
  for (const state of ['failed', 'review'] as const) {
    await addSample(found[state], errorsOf, (error, needs, share) =>
      tally.add(state, needs, error.step, share),
    );
  }
  return tally.finish(isUnderWay(campaign));
}

type Looked = Extract<RowState, 'running' | 'failed' | 'review' | 'cancelled'>;

interface Sorted {
  readonly byNeeds: ReadonlyMap<RowState, Uint32Array>;
  readonly found: Readonly<Record<Looked, readonly number[]>>;
}

/** One pass over the states: a campaign may have a million rows. */
function sortRows(bytes: Buffer, sheet: SheetNeeds): Sorted {
  const byLetter = new Map<number, Uint32Array>();
  const rowsByLetter = new Map<number, number[]>();
  const few = [...'rfvc'].map((letter) => letter.charCodeAt(0));
  for (let row = 0; row * 2 < bytes.length; row += 1) {
    const letter = bytes[row * 2] ?? 0;
    let counts = byLetter.get(letter);
    if (counts === undefined) {
      counts = new Uint32Array(needsEnd);
      byLetter.set(letter, counts);
      rowsByLetter.set(letter, []);
    }
    const needs = sheet.rows[row] ?? 0;
    counts[needs] = (counts[needs] ?? 0) + 1;
    if (few.includes(letter)) rowsByLetter.get(letter)?.push(row);
  }
  const named = [...byLetter].map(
    ([letter, counts]) => [stateOfLetter(String.fromCharCode(letter)), counts] as const,
  );
  const rowsOf = (letter: string) => rowsByLetter.get(letter.charCodeAt(0)) ?? [];
  return {
    byNeeds: new Map(named),
    found: { running: rowsOf('r'), failed: rowsOf('f'), review: rowsOf('v'), cancelled: rowsOf('c') },
  };
}

/** Evenly spread rows, and how many rows each represents. */
function sampleOf(rows: readonly number[]): readonly [rows: readonly number[], share: number] {
  if (rows.length <= mostRead) return [rows, 1];
  const apart = rows.length / mostRead;
  const some = Array.from({ length: mostRead }, (_, index) => rows[Math.floor(index * apart)] ?? 0);
  return [some, apart];
}

function stepsOf(needs: NeedsOfRow): readonly Step[] {
  return steps.filter((step) => stepFacts[step].isNeeded(needs));
}

export function stepOf(
  { generation, files, cover, postUploads }: NeedsOfRow,
  progress: RowProgress,
  isInGroup: boolean,
): Step {
  if (isInGroup) return 'showcase';
  if (generation && progress.assets.length < files) return isGenerating(progress) ? 'poll' : 'generate';
  const lacksFiles = progress.files.size < files || (cover && !progress.cover);
  return lacksFiles && !postUploads ? 'upload' : 'post';
}

/** Whether a row has anything that a step made for it. */
function hasBegun({ generations, assets, files, references }: RowProgress): boolean {
  return generations.size > 0 || assets.length > 0 || files.size > 0 || references.size > 0;
}

type Counted = Exclude<keyof StepCount, 'toCome'>;

class Tally {
  readonly #at = ofSteps(
    (): Record<Counted, number> => ({ all: 0, done: 0, now: 0, failed: 0, review: 0, notReached: 0 }),
  );

  constructor(byNeeds: Sorted['byNeeds']) {
    for (const [state, counts] of byNeeds) {
      if (state === 'cancelled') continue;
      for (const [needs, rows] of counts.entries()) {
        if (rows === 0) continue;
        for (const step of stepsOf(needsOf(needs))) {
          this.#add(step, 'all', rows);
          // Of a ready row, only the post is missing.
          if (state === 'posted' || (state === 'ready' && step !== 'post')) this.#add(step, 'done', rows);
        }
      }
    }
  }

  /** A row at a step has done the steps before. */
  add(as: 'now' | 'failed' | 'review', needs: NeedsOfRow, at: Step, rows: number): void {
    for (const step of stepsOf(needs)) {
      const after = steps.indexOf(step) - steps.indexOf(at);
      if (after < 0) this.#add(step, 'done', rows);
      if (after > 0 && as !== 'now') this.#add(step, 'notReached', rows);
    }
    this.#add(at, as, rows);
  }

  /** A row whose file is uploaded by the job of its post: the upload is to come. */
  addInPost(needs: NeedsOfRow, rows: number): void {
    for (const step of stepsOf(needs))
      if (step !== 'upload' && step !== 'post') this.#add(step, 'done', rows);
    this.#add('post', 'now', rows);
  }

  /** A ready row that has not been generated: that, and what follows, is to come. */
  addUnpaid(needs: NeedsOfRow): void {
    for (const step of stepsOf(needs))
      if (step !== 'post' && steps.indexOf(step) >= steps.indexOf('generate')) this.#add(step, 'done', -1);
  }

  /** What a cancelled row has done stays; it needs no more. @param at the step that would have come next. */
  addCancelled(needs: NeedsOfRow, at: Step, rows: number): void {
    for (const step of stepsOf(needs)) {
      if (steps.indexOf(step) >= steps.indexOf(at)) continue;
      this.#add(step, 'all', rows);
      this.#add(step, 'done', rows);
    }
  }

  /** @param runs whether begun rows are running. */
  finish(runs: boolean): StepCounts {
    return ofSteps((step) => {
      const { all, done, now, failed, review, notReached } = this.#at[step];
      const whole = {
        all: Math.round(all),
        done: Math.round(done),
        failed: Math.round(failed),
        review: Math.round(review),
        notReached: Math.round(notReached),
        now: runs ? Math.round(now) : 0,
      };
      const { all: sum, ...counted } = whole;
      const rest = Object.values(counted).reduce((left, rows) => left - rows, sum);
      return { ...whole, toCome: Math.max(0, rest) };
    });
  }

  #add(step: Step, what: Counted, rows: number): void {
    this.#at[step][what] += rows;
  }
}
