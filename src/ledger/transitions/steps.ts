/**
 * Start and end of a step: the only two moments at which a job talks to the ledger.
 *
 * The start checks whether the job may work on its row, and returns the row's progress. For the two calls that must never be
 * repeated blindly it also writes `sending` to the send journal, before the first byte is sent. The end writes journal,
 * result, state and counters in one atomic script.
 */
import { z } from 'zod';
import type { Step } from '../../manifest/steps.ts';
import { NotConfirmedError } from '../../redis/durability.ts';
import { untilWritten } from '../../redis/refusal.ts';
import type { HasStayed } from '../../redis/restarts.ts';
import { batched, type RunScript, type ScriptArgument } from '../../redis/script.ts';
import { type JournalMark, type JournalPosition, witnessOf } from '../journal/journal-position.ts';
import { type LedgerContext, LedgerPart } from '../part.ts';
import { encodePost, type PostedResult, type ScriptEnd, unpackResults } from '../rows/results.ts';
import { parseRowProgress, type RowProgress } from '../rows/row-progress.ts';
import { type ClaimArguments, noClaim, readClaim, type UploadClaim } from '../service/files.ts';
import { type Effect, type RowError, type RowState, stateOfLetter } from '../states.ts';
import { readStored } from '../stored-json.ts';

/** A row in one of its revisions. */
export interface RowVersion {
  /** Position in the campaign, from 0. */
  readonly row: number;
  readonly revision: number;
}

export interface RowRef extends RowVersion {
  readonly campaign: string;
  /** `Campaign.sheetId` of the sheet that the row was read from. Missing: not compared with the campaign's. */
  readonly sheetId?: string | undefined;
}

/** Reads `row, revision, ...` as a script returns it. */
export function readVersions(flat: readonly number[]): readonly RowVersion[] {
  return flat.flatMap((row, at) => (at % 2 === 0 ? [{ row, revision: flat[at + 1] ?? 0 }] : []));
}

export interface StepStart extends RowRef {
  readonly jobId: string;
  readonly account: string;
  /** The row's creator: checked for an expired authorization. */
  readonly creatorId: string;
  readonly effect?: Effect | undefined;
  /** Random id of one run of a processor. Required with `effect`. */
  readonly token?: string | undefined;
  /** How long the call may take once it is sent, in milliseconds: after that, it is no longer under way. With `effect`. */
  readonly callMs?: number | undefined;
  /** The upload that the step plans: claimed by the same script if the step may begin. See `FileLedger.claimOf`. */
  readonly claim?: ClaimArguments | undefined;
  /** The row's only file, if the job has just uploaded it: recorded with the journal entry. With `effect`. */
  readonly fileId?: string | undefined;
}

export type StartVerdict =
  | {
      readonly kind: 'go';
      readonly progress: RowProgress;
      readonly claim: UploadClaim | undefined;
      /** To be asked right before the first byte of the journalled call leaves: if so, it must not be sent. */
      readonly isTooLate: () => boolean;
    }
  /** The effect is confirmed: nothing to send. */
  | { readonly kind: 'known'; readonly progress: RowProgress }
  | { readonly kind: 'gone' }
  /** The campaign has another sheet now: read the row again. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'ended'; readonly state: RowState }
  | { readonly kind: 'breaker'; readonly reason: BreakerReason }
  /** This job had failed the row, which now goes on in its next revision. */
  | { readonly kind: 'again' }
  /** This job had failed the row, which stays failed because of its creator's breaker. */
  | { readonly kind: 'on-hold' }
  /** An earlier attempt may have sent the call: the row is in review now. */
  | { readonly kind: 'unknown' }
  /** The row's earlier posts must be looked up first. `isUnchecked`: a person sends the row even if they cannot be. */
  | { readonly kind: 'look'; readonly earlier: readonly PostedResult[]; readonly isUnchecked: boolean }
  /** The journal has lost entries: nothing is sent until a person accepts it. */
  | { readonly kind: 'behind'; readonly found: JournalMark; readonly seen: JournalMark };

/** Why a creator's breaker is open. */
export interface BreakerReason {
  readonly message: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
}

const breakerReason: z.ZodType<BreakerReason> = z.object({ message: z.string(), at: z.number() });

/** Reads why a breaker is open. With an unreadable reason, it is open all the same. */
export function readBreaker(json: string): BreakerReason {
  return readStored(breakerReason, json) ?? { message: 'the authorization has expired', at: 0 };
}

export type StepEnd =
  /** `said`: a few words for the row's history. */
  | {
      readonly verdict: 'ok';
      readonly fields: readonly (readonly [string, string])[];
      readonly said?: string | undefined;
    }
  /** The journalled call had no effect (not sent, or refused with a retry to come). */
  | { readonly verdict: 'cleared' }
  | { readonly verdict: 'posted'; readonly result: PostedResult; readonly assets: readonly string[] }
  /** `cut-off`: as `review`, of a call that may still be under way, because this process ended it itself. */
  | {
      readonly verdict: 'failed' | 'review' | 'cut-off';
      readonly error: RowError;
      readonly fields?: readonly (readonly [string, string])[];
    };

export interface StepFinish extends RowRef {
  readonly step: Step;
  readonly jobId: string;
  readonly effect?: Effect | undefined;
  readonly token?: string | undefined;
  readonly end: StepEnd;
}

/**
 * `stale`: the row no longer belongs to this job, nothing was changed. `late`: the post was kept beside another call of its row.
 * `wake`: the campaign's window has room again.
 */
export type FinishReply = 'stale' | 'late' | 'ok' | 'wake';

/**
 * How long a call may be sent after its journal entry was begun, in milliseconds. Shorter than the lock of a job, and long enough for
 * the entry to reach the disk and for a connection.
 */
export const sendWithinMs = 5_000;
/** What a call may take beyond its time limit, for the process and the service to notice. Milliseconds. */
const callMarginMs = 5_000;

/** How long a call with this time limit may take once it is sent, in milliseconds. */
export function callMsOf(timeout: number): number {
  return timeout + callMarginMs;
}

export class StepLedger extends LedgerPart {
  readonly #start: RunScript;
  readonly #journal: RunScript;
  readonly #finish: RunScript;
  readonly #position: JournalPosition;
  readonly #journalChecked: () => Promise<HasStayed>;

  /**
   * @param journal `start` starts a step that writes to the send journal, and returns once the entry is confirmed; undefined
   *   where no confirmation is needed. `checked` waits while Redis may have lost entries after a restart.
   */
  constructor(
    context: LedgerContext,
    journal: {
      readonly position: JournalPosition;
      readonly checked: () => Promise<HasStayed>;
      readonly start: RunScript | undefined;
    },
  ) {
    super(context);
    this.#start = batched(context.script('transitions/start-step'));
    this.#journal = journal.start ?? this.#start;
    // Only this process knows what the service answered, so it writes until Redis accepts it.
    this.#finish = batched(untilWritten(context.script('transitions/finish-step')));
    this.#position = journal.position;
    this.#journalChecked = journal.checked;
  }

  /** Waits while Redis may have lost entries of the journal, as the start of a journalled call does. */
  async whenChecked(): Promise<void> {
    await this.#journalChecked();
  }

  /** @throws {NotConfirmedError} when the journal entry may be lost, or entries before it. Nothing may be sent then. */
  async start(step: StepStart): Promise<StartVerdict> {
    const run = step.effect ? this.#journal : this.#start;
    const hasStayed = step.effect ? await this.#journalChecked() : undefined;
    // Noted before the entry is written, so that the call cannot leave after the time that the entry names.
    const isTooLate = sendLimit(this.now);
    const { seen } = this.#position;
    const { campaign, row, revision, jobId, effect = '', token = '', account, creatorId } = step;
    const args: ScriptArgument[] = [
      campaign,
      row,
      revision,
      jobId,
      effect,
      token,
      account,
      creatorId,
      this.clock,
    ];
    args.push(...(step.claim ?? noClaim), seen.position, witnessOf(seen));
    args.push(sendWithinMs, step.callMs ?? 0, step.sheetId ?? '', step.fileId ?? '');
    const reply = (await run(args)) as string[];
    const [kind, position, at] = reply;
    if (kind === 'behind') {
      // Tells the others, who may not have noticed.
      await this.#position.check();
      const loss = await this.#position.loss();
      return { kind, seen: loss?.seen ?? seen, found: { position: Number(position), at: Number(at) } };
    }
    if (kind === 'go' && hasStayed?.() === false) {
      // Perhaps written after a restart, without what this process has seen meanwhile. As the last entry seen, it would hide that loss.
      throw new NotConfirmedError('the connection to Redis was lost meanwhile');
    }
    if (kind === 'go' && reply[3]) {
      const [entry, ledger = ''] = reply[3].split(' ');
      this.#position.see({ position: Number(entry), at: this.now(), token, ledger });
    }
    return readVerdict(reply, isTooLate);
  }

  async finish(step: StepFinish): Promise<FinishReply> {
    const { campaign, row, revision, jobId, effect = '', token = '', end } = step;
    const { payload, extras } = encodeEnd(end);
    const args: ScriptArgument[] = [campaign, row, revision, step.step, jobId, effect, token, this.clock];
    args.push(end.verdict, payload, extras.length, ...extras, step.sheetId ?? '');
    const run = () => this.#finish(args) as Promise<FinishReply>;
    // Only this process knows what its call has made. Any other end must find the journal as it was.
    const hasMade = effect !== '' && (end.verdict === 'posted' || end.verdict === 'ok');
    return hasMade ? this.mending(step, run, step) : run();
  }

  /** Puts a running row to sleep until its generation is due (it leaves the window), or wakes it. */
  sleep({ campaign, row, revision }: RowRef, asleep: boolean): Promise<FinishReply> {
    return this.run('transitions/sleep-row', [campaign, row, revision, asleep ? '1' : '0']);
  }
}

/**
 * Starts to measure how long a call may still be sent. A process may stand still after its journal entry (stopped, its machine
 * suspended), while a person decides about the row. By wall clock and steady clock, whichever is worse: a suspended machine stops the
 * one, and somebody may set the other.
 */
function sendLimit(now: () => number): () => boolean {
  const wall = now();
  const steady = performance.now();
  return () => Math.max(Math.abs(now() - wall), performance.now() - steady) > sendWithinMs;
}

function readVerdict(
  reply: readonly string[],
  isTooLate: () => boolean,
): Exclude<StartVerdict, { readonly kind: 'behind' }> {
  const [kind, detail = ''] = reply;
  switch (kind) {
    case 'go':
      return {
        kind,
        claim: detail ? readClaim(detail, reply[2] ?? '') : undefined,
        progress: parseRowProgress(reply.slice(4)),
        isTooLate,
      };
    case 'known':
      return { kind, progress: parseRowProgress(reply.slice(1)) };
    case 'ended':
      return { kind, state: stateOfLetter(detail) };
    case 'breaker':
      return { kind, reason: readBreaker(detail) };
    case 'look':
      return { kind, earlier: unpackResults(detail), isUnchecked: reply[2] === '1' };
    case 'again':
    case 'on-hold':
    case 'gone':
    case 'outdated':
    case 'paused':
    case 'unknown':
      return { kind };
    default:
      throw new TypeError(`start-step answered ${JSON.stringify(kind)}`);
  }
}

function encodeEnd(end: StepEnd): ScriptEnd {
  switch (end.verdict) {
    case 'ok':
      return { payload: end.said ?? '', extras: end.fields.flat() };
    case 'cleared':
      return { payload: '', extras: [] };
    case 'posted':
      return encodePost(end);
    case 'failed':
    case 'review':
    case 'cut-off':
      return { payload: JSON.stringify(end.error), extras: (end.fields ?? []).flat() };
  }
}
