/** A draft that somebody works on: its mends, and the results of its last check. Runs its checks, one at a time. */
import { defaultAccount } from '../../../config/access.ts';
import { readSheetLater } from '../../campaigns/sheet-turns.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import type { DraftView } from '../check/checked-draft.ts';
import { describeCheck } from '../check/describe.ts';
import { checkSome } from '../check/part-check.ts';
import { RecentCreators } from '../check/recent-creators.ts';
import { removeRows } from '../check/row-file.ts';
import { checkWhole, type WholeCheck } from '../check/whole-check.ts';
import type { Draft } from '../draft.ts';
import { readFiles } from '../files/record.ts';
import { draftMediaRoot } from '../media-root.ts';
import { type MendEntry, Mends, readingId, readMends } from '../mends.ts';
import { oneAtATime } from '../one-at-a-time.ts';
import { describeFailure } from './failure.ts';
import { LatestRun } from './latest-run.ts';

const usualSettleMs = 1500;
/** Least time before a failed check is repeated. */
const retryMs = 5000;
/** Least time between two checks while files arrive. */
const leastRestMs = 5000;

export interface OpenDraftOptions {
  /** After a mend, the whole sheet is checked when nothing was mended for this long. Default 1.5 s. */
  readonly settleMs?: number | undefined;
  /** Largest total `OpenDraft.weight` of the drafts that are kept open. */
  readonly mostWeight?: number | undefined;
  /** Called when a check has ended. */
  readonly onChecked?: (() => void) | undefined;
}

export class OpenDraft {
  readonly #runtime: Runtime;
  readonly #settleMs: number;
  readonly #onChecked: (() => void) | undefined;
  readonly #run: LatestRun;
  readonly #creators: RecentCreators;
  #draft: Draft;
  mends = new Mends();
  /** Of the sheet as it is read now. */
  check: WholeCheck | undefined;
  /** The inputs of the check, except for the mends. */
  #inputs: string | undefined;
  #reading: string | undefined;
  #mediaRoot = '';
  /** Bytes of the record of mends that `mends` contains. */
  #mendsBytes = 0;
  /** Whether the inputs have changed since the check: mapping, zone, account, or media. */
  #isStale = false;
  /** Whether something was mended since the check. */
  #isOutdated = false;
  #rowsRead = 0;
  #isClosed = false;
  /** Path of the rows that were stored last. */
  #rowFile: string | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(runtime: Runtime, draft: Draft, { settleMs = usualSettleMs, onChecked }: OpenDraftOptions) {
    this.#runtime = runtime;
    this.#draft = draft;
    this.#settleMs = settleMs;
    this.#onChecked = onChecked;
    this.#creators = new RecentCreators(runtime);
    this.#run = new LatestRun(runtime.now);
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Memory that it takes, roughly in megabytes. */
  get weight(): number {
    const { problems, warnings, states } = this.check?.findings ?? {};
    const bytes = (problems?.bytes ?? 0) + (warnings?.bytes ?? 0) + 10 * (states?.count ?? 0);
    return 1 + Math.ceil(bytes / 1_000_000);
  }

  get isAtWork(): boolean {
    return this.#run.ended !== undefined;
  }

  /** Whether it may be checked again while files arrive. */
  get hasRested(): boolean {
    return this.#run.hasRested(leastRestMs);
  }

  /** Takes over the stored draft. Begins a check if its sheet, its media, its mends, or how it is read have changed. */
  async follow(draft: Draft): Promise<void> {
    await this.#oneAtATime(async () => {
      this.#take(draft);
      const inputs = await this.#findInputs();
      const isKnown = (this.#draft.mendsBytes ?? 0) === this.#mendsBytes;
      if (inputs === this.#inputs && isKnown) return this.#repeatFailed();
      await this.#run.stop();
      this.#mediaRoot = await draftMediaRoot(this.#runtime, draft.id);
      const reading = readingId(this.#draft);
      if (reading !== this.#reading) {
        this.check = undefined;
        this.mends = await readMends(this.#runtime, this.#draft);
        this.#mendsBytes = this.#draft.mendsBytes ?? 0;
      }
      await this.catchUp(this.#draft);
      this.#reading = reading;
      this.#inputs = inputs;
      this.#isStale = true;
      this.#begin();
    });
  }

  /**
   * Makes a change of the cells. Readers wait, so that they see it only when it is both stored and shown.
   * @param store stores it. @returns the draft, and the numbers of the rows that the change touches.
   */
  async change(
    store: () => Promise<{ readonly draft: Draft; readonly entry: MendEntry }>,
  ): Promise<{ readonly draft: Draft; readonly touched: ReadonlySet<number> }> {
    return this.#oneAtATime(async () => {
      const { draft, entry } = await store();
      // Only now, so that a change that could not be stored is not shown.
      this.#mendsBytes = draft.mendsBytes ?? 0;
      return { draft, touched: this.mends.add(entry) };
    });
  }

  /** Updates `mends` from the stored draft, because another console may have added some. */
  async catchUp(draft: Draft): Promise<void> {
    if ((draft.mendsBytes ?? 0) === this.#mendsBytes) return;
    this.mends = await readMends(this.#runtime, draft);
    this.#mendsBytes = draft.mendsBytes ?? 0;
    this.#isStale = true;
  }

  /**
   * Waits for a check, unless the last one is valid except for plan and warnings.
   * @param waitMs longest wait; default: unlimited.
   */
  async settled(waitMs?: number): Promise<void> {
    const { ended } = this.#run;
    if (ended === undefined || (this.check !== undefined && !this.#isStale)) return;
    if (waitMs === undefined) return ended;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, waitMs);
    await Promise.race([ended, promise]);
    clearTimeout(timer);
  }

  async view(): Promise<DraftView> {
    const { check, mends } = this;
    const draft = this.#draft;
    const failure = this.#failure && describeFailure(this.#failure.error);
    const checked = check && (await describeCheck(check, mends, this.#isStale || this.#isOutdated));
    const unchecked = failure ? 'failed' : 'checking';
    return {
      draft,
      checked,
      failure,
      mediaRoot: this.#mediaRoot,
      mends: mends.summary,
      state: draft.sheet === undefined ? 'empty' : checked ? 'checked' : unchecked,
      rowsRead: this.isAtWork ? this.#rowsRead : undefined,
    };
  }

  /** Checks the whole sheet, and looks up its creators again. */
  async checkAgain(): Promise<void> {
    this.#creators.forget();
    await this.#run.stop();
    this.#isStale = true;
    this.#begin();
  }

  /** Checks the rows of a mend at once. The whole sheet follows, for the plan and the warnings. @param draft as it is now. */
  async recheck(draft: Draft, touched: ReadonlySet<number>): Promise<void> {
    this.#take(draft);
    if (touched.size === 0) return;
    this.#isOutdated = true;
    // The first check may have passed these rows already.
    if (this.check === undefined) return this.#begin();
    const isDone = await oneAtATime(`check ${draft.id}`, async () => {
      await this.#run.stop();
      return this.#checkTouched(touched);
    });
    if (!isDone) this.#isStale = true;
    if (!isDone) this.#begin();
    else this.#run.beginAfter(this.#settleMs, this.#task);
  }

  /** Ends its check. Requests that still hold this object begin no other. */
  close(): void {
    this.#isClosed = true;
    void this.#run.stop();
  }

  /** Resolves when a stopped check has ended. */
  async ended(): Promise<void> {
    await this.#run.ended;
  }

  /** Checks the draft again, because the stored rows are gone. */
  async readRowsAgain(): Promise<void> {
    this.check = undefined;
    await this.checkAgain();
  }

  /** @returns false if there are too many rows. */
  async #checkTouched(touched: ReadonlySet<number>): Promise<boolean> {
    const { check, mends } = this;
    if (check === undefined) return false;
    try {
      const account = this.#account();
      const creators = this.#creators.lookUp(account);
      const mediaRoot = this.#mediaRoot;
      return await checkSome(this.#runtime, check, touched, {
        draft: this.#draft,
        mends,
        account,
        creators,
        mediaRoot,
      });
    } catch {
      // The check of the whole sheet says what is wrong.
      return false;
    }
  }

  #begin(): void {
    if (this.#draft.sheet !== undefined) this.#run.begin(this.#task);
  }

  readonly #task = async (signal: AbortSignal): Promise<void> => {
    if (this.#isClosed) return;
    this.#rowsRead = 0;
    await readSheetLater(() => this.#checkWhole(signal), { user: this.#draft.changedBy, signal });
    this.#onChecked?.();
  };

  async #checkWhole(signal: AbortSignal): Promise<void> {
    try {
      const account = this.#account();
      const check = await checkWhole(this.#runtime, {
        draft: this.#draft,
        mends: this.mends,
        account,
        creators: this.#creators.lookUp(account),
        signal,
        mediaRoot: this.#mediaRoot,
        rows: storedRows(this.check),
        onProgress: (rows) => {
          this.#rowsRead = rows;
        },
      });
      const { path } = check.rows;
      const outdated = this.#rowFile === path ? undefined : this.#rowFile;
      this.#rowFile = path;
      void removeRows(outdated);
      // A mend came after the last row.
      if (signal.aborted) return;
      this.check = check;
      this.#isStale = false;
      this.#isOutdated = false;
      this.#failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.#creators.forget();
      this.#failure = { error, at: this.#runtime.now() };
      if (!(error instanceof UseCaseError)) {
        this.#runtime.log.warn({ draft: this.#draft.id, error: String(error) }, 'draft not checked');
      }
    }
  }

  #repeatFailed(): void {
    if (this.isAtWork || this.#failure === undefined) return;
    if (this.#runtime.now() - this.#failure.at >= retryMs) this.#begin();
  }

  /** Ignores an older version: a reader may have been overtaken by a change. */
  #take(draft: Draft): void {
    if (draft.version >= this.#draft.version) this.#draft = draft;
  }

  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    return oneAtATime(`follow ${this.#draft.id}`, work);
  }

  async #findInputs(): Promise<string> {
    const { id, sheet, reading, options } = this.#draft;
    const { revision } = await readFiles(this.#runtime, id);
    return JSON.stringify([sheet?.sha256, reading, options.account, revision]);
  }

  #account() {
    return this.#runtime.accounts.need(this.#draft.options.account ?? defaultAccount);
  }
}

/** Rows that another check can use again. For a sheet that was not checked, only the first rows are stored. */
function storedRows(check: WholeCheck | undefined) {
  return check !== undefined && check.findings.states.count === check.rows.count ? check.rows : undefined;
}
