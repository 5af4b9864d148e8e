/**
 * Start and end of a step: the only two moments at which a job talks to the ledger.
 *
 * The start checks whether the job may work on its row, and returns the row's progress. For the two calls that must never be
 * repeated blindly it also writes `sending` to the send journal, before the first byte is sent. The end writes journal,
 * result, state and counters in one atomic script.
 */
import type { RowRef, RowVersion } from '../../manifest/row.ts';
import type { Step } from '../../manifest/steps.ts';
import { NotConfirmedError } from '../../platform/redis/durability.ts';
import { untilWritten } from '../../platform/redis/refusal.ts';
import type { HasStayed } from '../../platform/redis/restarts.ts';
import { batched, type RunScript, type ScriptArgument } from '../../platform/redis/script.ts';
import { type JournalPosition, witnessOf } from '../journal-position.ts';
import { flatVersions, type LedgerContext, LedgerPart } from '../ledger-part.ts';
import type { PlannedPosts } from '../planned-posts.ts';
import { type ClaimArguments, noClaim } from '../service/files.ts';
import type { Effect } from '../states.ts';
import { encodeEnd, readVerdict, type StartVerdict, type StepEnd } from './step-outcomes.ts';

interface ReadRow extends RowRef {
  /** `Campaign.sheetId` of the sheet that it was read from. Missing: not compared with the campaign's. */
  readonly sheetId?: string | undefined;
}

export interface StepStart extends ReadRow {
  readonly jobId: string;
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
  /** The post that is to be sent: no other row may have the same one. With `effect`. */
  readonly same?: SamePost | undefined;
  /** The AI outputs that the call asks for: if they are beyond a limit, the row waits. With `effect`. */
  readonly spends?: Spending | undefined;
}

/** AI outputs, and the limits that they count towards; `null`: none. */
interface Spending {
  readonly outputs: number;
  readonly mostOfCampaign: number | null;
  /** Limit for a month of UTC. */
  readonly mostOfMonth: number | null;
}

export interface SamePost {
  /** `postDigest`. */
  readonly digest: string;
  readonly files: number;
}

interface StepFinish extends ReadRow {
  readonly step: Step;
  readonly jobId: string;
  readonly effect?: Effect | undefined;
  readonly token?: string | undefined;
  readonly end: StepEnd;
}

/** `stale`: no longer this job's row; nothing changed. `late`: kept beside another call of the row. `wake`: the window has room. */
export type FinishReply = 'stale' | 'late' | 'ok' | 'wake';

/** Milliseconds. Shorter than the lock of a job, long enough for the entry to reach the disk and for a connection. */
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
  readonly #posts: PlannedPosts;
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
      readonly posts: PlannedPosts;
    },
  ) {
    super(context);
    this.#posts = journal.posts;
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
    const { campaign, row, revision, jobId, effect = '', token = '', creatorId } = step;
    const args: ScriptArgument[] = [campaign, row, revision, jobId, effect, token, creatorId, this.clock];
    args.push(...(step.claim ?? noClaim), seen.position, witnessOf(seen));
    args.push(sendWithinMs, step.callMs ?? 0, step.sheetId ?? '', step.fileId ?? '');
    args.push(...this.#claimOf(step), this.#wishOf(step));
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

  /** Arguments that claim the post of a row, as `same-post.lua` describes them. */
  #claimOf({ same }: StepStart): readonly [string, string] {
    if (same === undefined) return ['', ''];
    const { segment, segments } = this.#posts;
    return [same.digest, [same.files, segment.keptMs, ...segments].join(' ')];
  }

  /** As `spending.lua` describes it. */
  #wishOf({ spends }: StepStart): string {
    if (spends === undefined) return '';
    const month = new Date(this.now()).toISOString().slice(0, 7);
    return [spends.outputs, month, spends.mostOfCampaign ?? '-', spends.mostOfMonth ?? '-'].join(' ');
  }

  async finish(step: StepFinish): Promise<FinishReply> {
    const { campaign, row, revision, jobId, effect = '', token = '', end } = step;
    const { payload, extras } = encodeEnd(end);
    const args: ScriptArgument[] = [campaign, row, revision, step.step, jobId, effect, token, this.clock];
    args.push(end.verdict, payload, extras.length, ...extras, step.sheetId ?? '');
    return this.#finish(args) as Promise<FinishReply>;
  }

  /**
   * Sends running rows to review, because their records cannot be used (`lua/damage.lua`).
   * @param text of the error of Redis.
   * @throws an error of which `isDamage` is true if a key of the campaign is wrong.
   */
  endDamaged(campaign: string, rows: readonly RowVersion[], text: string): Promise<FinishReply> {
    return this.run('transitions/end-damaged', [campaign, this.clock, text, ...flatVersions(rows)]);
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
