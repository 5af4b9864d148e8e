/**
 * Position of the send journal. Every entry advances it by one and leaves a token, so that a process that has seen an entry
 * notices its loss: by a truncated append-only file, a FLUSHALL, an older backup, or a replica that took over too early. Without
 * this check, calls that were sent would look unsent. Each process checks at its start and at every heartbeat, so it also knows
 * entries of the others.
 */
import { runOf } from '../platform/redis/restarts.ts';
import type { ScriptArgument } from '../platform/redis/script.ts';
import { type LedgerContext, LedgerPart } from './ledger-part.ts';

/** `at`: time of the last entry (Unix epoch, milliseconds); 0 for none. */
export interface JournalMark {
  readonly position: number;
  readonly at: number;
}

/** A mark with the token of its entry (empty if unknown), and the id of its ledger. */
export interface SeenMark extends JournalMark {
  readonly token: string;
  readonly ledger: string;
}

/** The journal in Redis. `lost`: an entry that this process has seen is missing. */
interface JournalCheck {
  readonly found: JournalMark;
  readonly lost: boolean;
}

/** What the processes have reported about lost entries. */
export interface JournalLoss {
  /** The last entry that any of them has seen. */
  readonly seen: JournalMark;
  /** When it was noticed first, by the clock of Redis. */
  readonly noticedAt: number;
  /** Most rows that were admitted in what is lost; undefined if no process knows that for sure. */
  readonly admitted: number | undefined;
  /** Everything reported so far, as `reported_loss` in `journal.lua` returns it. */
  readonly reported: string;
}

/** What a script needs to recognize the entry that was seen: see `has_lost` in `journal.lua`. */
export function witnessOf({ token, ledger }: Pick<SeenMark, 'token' | 'ledger'>): string {
  return `${token} ${ledger}`;
}

/**
 * A process that has checked within this time before it notices a loss has seen nearly all that was lost. Longer, and others may
 * have worked while it was cut off. Milliseconds.
 */
const sightMs = 60_000;
/** As often as the heartbeats of workers. Milliseconds. */
const watchMs = 5_000;

export class JournalPosition extends LedgerPart {
  readonly #settleMs: number;
  #seen: SeenMark = { position: 0, at: 0, token: '', ledger: '' };
  /** The last check that found nothing lost: rows admitted until then, and its time by the steady clock. */
  #lastIntact: { readonly admitted: number; readonly at: number } | undefined;
  /** Id of the ledger at the last check. */
  #ledger: string | undefined;
  /** Number of the newest campaign that was seen in this ledger. */
  #campaigns = 0;
  #isLost = false;
  #onMove: () => void = () => undefined;
  #onLost: (found: JournalMark) => Promise<void> = async () => undefined;
  readonly #onReplaced = new Set<() => void>();
  #settling: NodeJS.Timeout | undefined;

  /**
   * @param settleMs how long it takes until an entry in Redis is safe: entries of others count only then, because a call whose
   *   entry is lost before is not sent.
   */
  constructor(context: LedgerContext, settleMs = 0) {
    super(context);
    this.#settleMs = settleMs;
  }

  /** The furthest mark that this process knows; position 0 for none. */
  get seen(): SeenMark {
    return this.#seen;
  }

  /** What this process has seen, as arguments for `compare_journal`. */
  get memory(): readonly ScriptArgument[] {
    const { position, at } = this.#seen;
    const isInSight = this.#lastIntact !== undefined && performance.now() - this.#lastIntact.at < sightMs;
    const admitted = isInSight ? (this.#lastIntact?.admitted ?? '') : '';
    return [position, at, witnessOf(this.#seen), admitted, this.#campaigns];
  }

  /** Records a mark; ignores one that is not further than the last. */
  see(mark: SeenMark): void {
    if (mark.position <= this.#seen.position) return;
    this.#seen = mark;
    this.#onMove();
  }

  onMove(listener: () => void): void {
    this.#onMove = listener;
  }

  /** Calls `listener`, and waits for it, at every check that misses entries. */
  onLost(listener: (found: JournalMark) => Promise<void>): void {
    this.#onLost = listener;
  }

  /** Calls `listener` when the data in Redis may be another: whatever was read from it must not be used again. */
  onReplaced(listener: () => void): void {
    this.#onReplaced.add(listener);
  }

  /** Another server answers, or the ledger is another one. */
  replaced(): void {
    clearTimeout(this.#settling);
    for (const listener of this.#onReplaced) listener();
  }

  /**
   * Compares the journal in Redis with what this process has seen. What it finds is not remembered: a command that checks once, after
   * a copy was put back, must not take that copy for all there was.
   */
  async check(): Promise<JournalCheck> {
    const before = this.#seen;
    return (await this.#compare(await this.#read(), before)).check;
  }

  /** Whether the ledger had campaigns: their rows may have been sent, although a copy that was put back knows nothing of it. */
  async hasCampaigns(): Promise<boolean> {
    await this.check();
    return this.#campaigns > 0;
  }

  /**
   * Takes in a reply of `compare_journal` at a heartbeat, and remembers the last entry, which may be that of another process.
   * @param before what this process had seen when it asked. The reply says nothing about entries that it has seen since: it may come
   *   from a server that went back meanwhile, because a command that waits for the connection is sent again as it was.
   */
  async heartbeat(reply: readonly string[], before: SeenMark): Promise<void> {
    const { check, mark } = await this.#compare(reply, before);
    if (!check.lost && before === this.#seen) this.#seeSoon(mark);
  }

  #read(): Promise<readonly string[]> {
    return this.run('journal/check-journal', this.memory);
  }

  async #compare(
    reply: readonly string[],
    before: SeenMark,
  ): Promise<{ readonly check: JournalCheck; readonly mark: SeenMark }> {
    const [position, at, token = '', ledger = '', admitted, campaigns, lostFlag] = reply;
    const found = { position: Number(position), at: Number(at) };
    const lost = lostFlag === '1';
    const isAnother = this.#ledger !== undefined && this.#ledger !== ledger;
    this.#ledger = ledger;
    this.#campaigns = isAnother ? Number(campaigns) : Math.max(this.#campaigns, Number(campaigns));
    if (isAnother || (lost && !this.#isLost)) this.replaced();
    this.#isLost = lost;
    if (lost) await this.#onLost(found);
    else if (before === this.#seen) this.#lastIntact = { admitted: Number(admitted), at: performance.now() };
    return { check: { found, lost }, mark: { ...found, token, ledger } };
  }

  #seeSoon(mark: SeenMark): void {
    clearTimeout(this.#settling);
    if (this.#settleMs === 0) this.see(mark);
    else this.#settling = setTimeout(() => this.see(mark), this.#settleMs).unref();
  }

  /** What is known about lost entries; undefined if no process has noticed a loss since the last one was accepted. */
  async loss(): Promise<JournalLoss | undefined> {
    const fields = ['admitted', 'lost:noticed', 'lost:position', 'lost:at', 'lost:ledger'] as const;
    const [all, ledger] = await Promise.all([
      this.redis.hmget(this.keys.journal, ...fields, 'lost:trusted', 'lost:admitted'),
      this.redis.hget(this.keys.format, 'ledger'),
    ]);
    const [now, noticedAt, position, at, seenLedger, trusted, before] = all;
    if (!noticedAt) return undefined;
    // Another ledger counts from the start.
    const isKnown = now && before && trusted === position && seenLedger === (ledger ?? '');
    const reported = [noticedAt, position, trusted, before].map((field) => field ?? '-').join(' ');
    return {
      seen: { position: Number(position), at: Number(at) },
      noticedAt: Number(noticedAt),
      admitted: isKnown ? Math.max(0, Number(before) - Number(now)) : undefined,
      reported,
    };
  }

  /** When a loss was last noticed (Unix epoch, milliseconds), accepted or not; 0 for never. */
  async lossNoticedAt(): Promise<number> {
    const [open, accepted] = await this.redis.hmget(this.keys.journal, 'lost:noticed', 'unknown');
    return Number(open ?? accepted ?? 0);
  }

  /** A loss that no process has noticed: a copy was put back, and nobody remembers what came after it. */
  async unnoticed({ found }: Pick<JournalCheck, 'found'>): Promise<JournalLoss> {
    return { seen: found, noticedAt: await this.time(), admitted: undefined, reported: '' };
  }

  /**
   * Accepts the journal as it is: all processes send calls again, even if entries that they saw are missing. Mark the rows as unknown
   * first (`LostRows`).
   * @param loss as of then: a row that failed before it was noticed goes to review when somebody wants to send it again.
   * @param over when calls from before are over. Unix epoch, milliseconds.
   * @param server as of before the rows were read: see `server`.
   * @returns whether it is accepted. Not if another server answers now, because it may lack the rows in review, and not if a process has
   *   reported more of the loss since.
   */
  async accept(
    { noticedAt, reported }: Pick<JournalLoss, 'noticedAt' | 'reported'>,
    over: number,
    server: string,
  ): Promise<boolean> {
    const args = [this.#seen.position, noticedAt, over, server, reported];
    const accepted = await this.run('journal/accept-journal', args);
    await this.check();
    return accepted !== null;
  }

  /** The id of the running server: another one after each restart. */
  server(): Promise<string> {
    return runOf(this.redis);
  }

  /** Checks regularly, for a process without workers. @returns a handle that ends it. */
  watch(): Disposable {
    const check = async () => {
      const before = this.#seen;
      await this.heartbeat(await this.#read(), before);
    };
    const timer = setInterval(() => void check().catch(() => undefined), watchMs);
    timer.unref();
    void check().catch(() => undefined);
    return { [Symbol.dispose]: () => clearInterval(timer) };
  }
}
