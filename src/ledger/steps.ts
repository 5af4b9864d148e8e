/**
 * Start and end of a step: the only two moments at which a job speaks to the ledger.
 *
 * The start asks whether the job may act on its row at all, and hands over what is known of it. For the two calls that must
 * never be repeated blindly it also writes `sending` to the send journal, before the first byte leaves. The end writes what
 * came of it: journal, results, state and counters in one atomic script.
 */
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import { type ClaimArguments, noClaim, readClaim, type UploadClaim } from './files.ts';
import type { JournalMark, JournalPosition } from './journal-position.ts';
import { type PostedResult, packResult } from './results.ts';
import { parseRowProgress, type RowProgress } from './row-progress.ts';
import { type Effect, type RowError, type RowState, type Step, stateOfLetter } from './states.ts';

/** A row in one of its revisions. */
export interface RowRef {
  readonly campaign: string;
  /** Position in the campaign, from 0. */
  readonly row: number;
  readonly revision: number;
}

export interface StepStart extends RowRef {
  readonly jobId: string;
  readonly account: string;
  /** The row's creator, to find whether its authorization has expired. */
  readonly creatorId: string;
  readonly effect?: Effect | undefined;
  /** One run of a processor: random, so that no two runs share it. Needed with `effect`. */
  readonly token?: string | undefined;
  /** The upload that the step means to do: claimed in the same script if the step may act. See `FileLedger.claimOf`. */
  readonly claim?: ClaimArguments | undefined;
}

export type StartVerdict =
  /** `revived`: the row had been failed by this very job and runs again. */
  | {
      readonly kind: 'go';
      readonly progress: RowProgress;
      readonly revived: boolean;
      readonly claim: UploadClaim | undefined;
    }
  /** The effect is confirmed: nothing to send. */
  | { readonly kind: 'known'; readonly progress: RowProgress }
  | { readonly kind: 'gone' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'ended'; readonly state: RowState }
  | { readonly kind: 'breaker'; readonly reason: BreakerReason }
  /** An attempt before this one may have sent the call: the row is in review now. */
  | { readonly kind: 'unknown' }
  /** The journal has lost entries: nothing is sent until somebody accepts it as it is. */
  | { readonly kind: 'behind'; readonly found: JournalMark; readonly seen: JournalMark };

/** Why a creator's breaker is open. */
export interface BreakerReason {
  readonly message: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
}

export type StepEnd =
  | { readonly verdict: 'ok'; readonly fields: readonly (readonly [string, string])[] }
  /** The journalled call had no effect (not sent, or refused in a way that will be tried again). */
  | { readonly verdict: 'cleared' }
  | { readonly verdict: 'posted'; readonly result: PostedResult; readonly assets: readonly string[] }
  | {
      readonly verdict: 'failed' | 'review';
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

/** `stale`: the row is not this job's any more, nothing was changed. `wake`: the campaign's window has room again. */
export type FinishReply = 'stale' | 'ok' | 'wake';

export class StepLedger {
  readonly #start: RunScript;
  readonly #journal: RunScript;
  readonly #finish: RunScript;
  readonly #sleep: RunScript;
  readonly #position: JournalPosition;
  readonly #journalChecked: () => Promise<void>;
  readonly #now: () => number;

  /**
   * @param scripts `start`, `journal` and `finish` are batched: one call may carry many steps. `journal` is the start of a
   *   step that writes to the send journal: it returns once that is on disk.
   * @param journal `checked` waits while entries may be missing that another process knows of.
   */
  constructor(
    scripts: {
      readonly start: RunScript;
      readonly journal: RunScript;
      readonly finish: RunScript;
      readonly sleep: RunScript;
    },
    journal: { readonly position: JournalPosition; readonly checked: () => Promise<void> },
    now: () => number,
  ) {
    this.#start = scripts.start;
    this.#journal = scripts.journal;
    this.#finish = scripts.finish;
    this.#sleep = scripts.sleep;
    this.#position = journal.position;
    this.#journalChecked = journal.checked;
    this.#now = now;
  }

  async start(step: StepStart): Promise<StartVerdict> {
    const run = step.effect ? this.#journal : this.#start;
    if (step.effect) await this.#journalChecked();
    const now = this.#now();
    const { seen } = this.#position;
    const reply = (await run([
      step.campaign,
      step.row,
      step.revision,
      step.jobId,
      step.effect ?? '',
      step.token ?? '',
      step.account,
      step.creatorId,
      now,
      ...(step.claim ?? noClaim),
      seen.position,
      seen.token,
    ])) as string[];
    const [kind, position, at] = reply;
    if (kind === 'behind') return { kind, seen, found: { position: Number(position), at: Number(at) } };
    if (kind === 'go' && reply[4]) {
      this.#position.see({ position: Number(reply[4]), at: now, token: step.token ?? '' });
    }
    return readVerdict(reply);
  }

  async finish(step: StepFinish): Promise<FinishReply> {
    const { payload, extras } = encodeEnd(step.end);
    const args: ScriptArgument[] = [step.campaign, step.row, step.revision, step.step, step.jobId];
    args.push(step.effect ?? '', step.token ?? '', this.#now(), step.end.verdict, payload, extras.length);
    args.push(...extras);
    return (await this.#finish(args)) as FinishReply;
  }

  /** Lets a running row sleep until its generation begins (it leaves the window), or wakes it. */
  async sleep({ campaign, row, revision }: RowRef, asleep: boolean): Promise<FinishReply> {
    return (await this.#sleep([campaign, row, revision, asleep ? '1' : '0'])) as FinishReply;
  }
}

function readVerdict(reply: readonly string[]): Exclude<StartVerdict, { readonly kind: 'behind' }> {
  const [kind, detail = ''] = reply;
  switch (kind) {
    case 'go':
      return {
        kind,
        revived: detail === '1',
        claim: reply[2] ? readClaim(reply[2], reply[3] ?? '') : undefined,
        progress: parseRowProgress(reply.slice(5)),
      };
    case 'known':
      return { kind, progress: parseRowProgress(reply.slice(1)) };
    case 'ended':
      return { kind, state: stateOfLetter(detail) };
    case 'breaker':
      return { kind, reason: JSON.parse(detail) as BreakerReason };
    case 'gone':
    case 'paused':
    case 'unknown':
      return { kind };
    default:
      throw new TypeError(`start-step answered ${JSON.stringify(kind)}`);
  }
}

function encodeEnd(end: StepEnd): { payload: string; extras: readonly string[] } {
  switch (end.verdict) {
    case 'ok':
      return { payload: '', extras: end.fields.flat() };
    case 'cleared':
      return { payload: '', extras: [] };
    case 'posted':
      return {
        payload: packResult(end.result),
        extras: end.assets.length > 0 ? [JSON.stringify(end.assets)] : [],
      };
    case 'failed':
    case 'review':
      return { payload: JSON.stringify(end.error), extras: (end.fields ?? []).flat() };
  }
}
