/** A whole sheet of decisions about rows in review. Nothing is decided while the sheet has problems. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../ledger/keys.ts';
import { parts } from '../../ledger/parts.ts';
import type { RowState } from '../../ledger/states.ts';
import type { EarlierPosts } from '../../ledger/transitions/failed-posts.ts';
import { type CellProblem, type Problem, placeProblem } from '../../manifest/problems/problem.ts';
import { ProblemLog } from '../../manifest/problems/problem-log.ts';
import type { Document } from '../../runtime/documents.ts';
import { postedTwice } from '../causes/commands.ts';
import type { Decisions, sheetDecidedSchema } from '../documents/changes.ts';
import { type CampaignRef, findCampaign } from '../find.ts';
import { carryOut, DecisionTally } from './carry-out.ts';
import { type DecidedRow, type DecideOptions, type DecisionRuntime, idOf, isAboutPost } from './decision.ts';
import { findFaults, looksUpPosts } from './look-up-ids.ts';
import { type DecisionFile, readDecisionSheet, type WrittenDecision } from './read-sheet.ts';
import { type ReviewRow, readReviewRows } from './review-rows.ts';
import {
  duplicateId,
  faultyDecision,
  otherPost,
  outdatedDecision,
  unknownKey,
  wrongDecision,
} from './sheet-faults.ts';

/** What became of a sheet of decisions. */
export interface SheetDecided extends Decisions {
  /** Rows of the sheet. */
  readonly rows: number;
  /** Rows without a decision. */
  readonly empty: number;
  /** Rows in review decided with a post id that was not looked up. */
  readonly notLookedUp: number;
  /** Keys of the first few of them. */
  readonly notLookedUpKeys: readonly string[];
  /** Rows with a decision that are no longer in review, by their state. They stay as they are. */
  readonly ended: Readonly<Partial<Record<RowState, number>>>;
  /** If there are any, nothing was decided. */
  readonly problems: ProblemLog;
}

/** A decision whose row is found. */
interface Placed extends WrittenDecision {
  readonly row: number;
}

/** A decision about a row in review. */
type Planned = Placed & { readonly decided: DecidedRow };

/** Options of `decideSheet`. */
export interface DecideSheetOptions extends DecideOptions {
  /** Changes nothing, and returns what would happen. */
  readonly dryRun?: boolean | undefined;
  /** Receives the rows of the sheet as they are read. */
  readonly onRead?: ((rows: readonly unknown[]) => void) | undefined;
}

const rowsAtOnce = 200;
const keysShown = 20;

/**
 * Carries out the decisions of a sheet, each atomically. The same sheet can be handed in again: decided rows stay as they are.
 * @throws {UseCaseError} `manifest_unreadable`; `service_*` when ids cannot be looked up.
 */
export async function decideSheet(
  runtime: DecisionRuntime,
  ref: CampaignRef,
  sheet: DecisionFile,
  { unchecked = false, dryRun = false, onRead }: DecideSheetOptions = {},
): Promise<SheetDecided> {
  const campaign = await findCampaign(runtime, ref);
  const { rows, empty, decisions, problems: ofSheet } = await readDecisionSheet(campaign, sheet, onRead);
  const check = new SheetCheck(runtime, campaign, [...ofSheet]);
  const placed = await check.place(decisions);
  for (const part of parts(placed, rowsAtOnce)) await check.examine(part);
  await check.examineIds(unchecked);
  const problems = check.log();
  const tally = new DecisionTally();
  for (const part of parts(problems.total === 0 ? check.rows : [], rowsAtOnce)) {
    const written = new Map(part.map((one) => [one.row, one]));
    // Read again, because the check may have taken long, and the rows were not kept in memory.
    const found = await readReviewRows(runtime.ledger, campaign, [...written.keys()]);
    const decided = found.flatMap((row) => {
      const one = written.get(row.row);
      if (!one || isAboutPost(one.verdict) !== (row.about === 'post') || isOutdated(one, row)) return [];
      return [{ row, verdict: one.verdict, key: one.key }];
    });
    const ends = await carryOut(runtime, campaign, decided, { dryRun, unchecked });
    await tally.add(decided, ends, ({ key }) => key);
  }
  const done = tally.result();
  const isLookedUp = !unchecked && looksUpPosts(runtime, campaign);
  const asWritten = isLookedUp ? [] : check.rows.filter(({ verdict }) => verdict.kind === 'posted');
  return {
    ...done,
    matched: check.rows.length,
    changed: problems.total > 0 ? 0 : done.changed + check.rows.length - done.matched,
    rows,
    empty,
    notLookedUp: asWritten.length,
    notLookedUpKeys: asWritten.slice(0, keysShown).map(({ key }) => key),
    ended: Object.fromEntries(check.ended),
    problems,
  };
}

/** Whether the row came to review once more after the sheet was written. Spreadsheet programs may drop milliseconds. */
function isOutdated({ seenAt }: WrittenDecision, { error }: ReviewRow): boolean {
  return seenAt !== undefined && (error?.at ?? 0) >= seenAt + 1000;
}

/** Finds everything that is wrong with the decisions, in constant memory apart from the decisions themselves. */
class SheetCheck {
  /** Decisions about rows in review. */
  readonly rows: Placed[] = [];
  readonly ended = new Map<RowState, number>();
  readonly #runtime: DecisionRuntime;
  readonly #campaign: Campaign;
  readonly #problems: Problem[];
  /** Line by id. */
  readonly #ids = new Map<string, number>();
  /** Decisions that name an id, or are about rows that had a post before. */
  readonly #toLookUp: Planned[] = [];
  #earlier: ReadonlyMap<number, EarlierPosts> | undefined;

  constructor(runtime: DecisionRuntime, campaign: Campaign, problems: Problem[]) {
    this.#runtime = runtime;
    this.#campaign = campaign;
    this.#problems = problems;
  }

  /** Finds the rows of the decisions. */
  async place(decisions: ReadonlyMap<string, WrittenDecision>): Promise<readonly Placed[]> {
    const placed: Placed[] = [];
    const left = new Map(decisions);
    for await (const { first, keys } of this.#runtime.ledger.rowKeys.all(this.#campaign)) {
      for (const [index, key] of keys.entries()) {
        const written = left.get(key);
        if (written) placed.push({ ...written, row: first + index });
        left.delete(key);
      }
      if (left.size === 0) break;
    }
    for (const written of left.values()) this.#report(written, unknownKey(written.key, this.#campaign.id));
    return placed;
  }

  async examine(part: readonly Placed[]): Promise<void> {
    const { ledger } = this.#runtime;
    const rows = part.map(({ row }) => row);
    const found = await readReviewRows(ledger, this.#campaign, rows);
    const inReview = new Map(found.map((row) => [row.row, row]));
    const statuses = await ledger.rows.statusesOf(this.#campaign.id, rows);
    for (const [index, written] of part.entries()) {
      const row = inReview.get(written.row);
      if (row === undefined) await this.#end(written, statuses[index]?.state ?? 'waiting');
      else if (isAboutPost(written.verdict) !== (row.about === 'post')) {
        this.#report(written, wrongDecision(written.verdict, row.about));
      } else if (isOutdated(written, row)) {
        this.#report(written, outdatedDecision(written.verdict, this.#campaign.id));
      } else {
        this.rows.push(written);
        await this.#remember({ ...written, decided: { row, verdict: written.verdict } });
      }
    }
  }

  /** Compares the ids with other rows', and with the service. */
  async examineIds(unchecked: boolean): Promise<void> {
    const decided = this.#toLookUp.map(({ key, decided }) => ({ ...decided, key }));
    const faults = await findFaults(this.#runtime, this.#campaign, decided, unchecked);
    for (const written of this.#toLookUp) {
      const fault = faults.get(written.row);
      if (fault) this.#report(written, faultyDecision(written.verdict, fault));
    }
  }

  /** All problems, by line. */
  log(): ProblemLog {
    const log = new ProblemLog();
    for (const problem of this.#problems.sort((one, other) => one.line - other.line)) log.add(problem);
    return log;
  }

  async #remember(planned: Planned): Promise<void> {
    const { verdict, line, row } = planned;
    const id = idOf(verdict);
    if (id === undefined) {
      const isTwice = planned.decided.row.error?.code === postedTwice;
      if (isTwice || (await this.#earlierPosts()).has(row)) this.#toLookUp.push(planned);
      return;
    }
    const earlier = this.#ids.get(`${verdict.kind} ${id}`);
    if (earlier !== undefined) this.#report(planned, duplicateId(verdict, earlier));
    else {
      this.#ids.set(`${verdict.kind} ${id}`, line);
      this.#toLookUp.push(planned);
    }
  }

  async #earlierPosts(): Promise<ReadonlyMap<number, EarlierPosts>> {
    this.#earlier ??= await this.#runtime.ledger.failedPosts.all(this.#campaign.id);
    return this.#earlier;
  }

  /** A row that is no longer in review stays as it is. */
  async #end(written: Placed, state: RowState): Promise<void> {
    const { verdict, row } = written;
    this.ended.set(state, (this.ended.get(state) ?? 0) + 1);
    if (state !== 'posted' || verdict.kind !== 'posted') return;
    const { publishing } = this.#runtime.ledger;
    const post = (await publishing.posts(this.#campaign.id, Math.floor(row / chunkSize))).get(row);
    if (post && post.postId !== verdict.postId) this.#report(written, otherPost(verdict, post.postId));
  }

  #report({ line, key }: WrittenDecision, problem: CellProblem): void {
    this.#problems.push(placeProblem(line, key, problem));
  }
}

/** The decisions that a person has agreed to. */
export interface AgreedDecisions {
  readonly rows: number;
  /** The person has checked in the service that the posts and generations do not exist that the sheet says do not. */
  readonly isSure: boolean;
}

/**
 * `changed`: the plan has changed or has problems now. `unsure`: something would be sent again, and the person has not confirmed
 * that it does not exist. Nothing was done in either case.
 */
export interface DecidedAsPlanned {
  readonly kind: 'decided' | 'changed' | 'unsure';
  readonly plan: SheetDecided;
}

/** Whether the decisions send something again. If so, a person must confirm that they checked in the service. */
export function sendsAgain({ states }: SheetDecided): boolean {
  return (states.waiting ?? 0) > 0;
}

/** @throws {UseCaseError} as `decideSheet`. */
export async function decideAsPlanned(
  runtime: DecisionRuntime,
  campaign: Campaign,
  sheet: DecisionFile,
  { rows, isSure }: AgreedDecisions,
): Promise<DecidedAsPlanned> {
  const plan = await decideSheet(runtime, campaign, sheet, { dryRun: true });
  if (!isSure && sendsAgain(plan)) return { kind: 'unsure', plan };
  if (plan.matched !== rows) return { kind: 'changed', plan };
  const decided = await decideSheet(runtime, campaign, sheet, { dryRun: false });
  return { kind: decided.problems.total > 0 ? 'changed' : 'decided', plan: decided };
}

/** What programs get. @param from name of the sheet. */
export function sheetDecidedDocument(
  { rows, problems, ...decided }: SheetDecided,
  facts: { readonly id: string; readonly from: string; readonly dryRun: boolean },
): Document<typeof sheetDecidedSchema> {
  return {
    ...facts,
    ...decided,
    sheetRows: rows,
    problems: problems.kept,
    problemCounts: Object.fromEntries(problems.byCode),
  };
}
