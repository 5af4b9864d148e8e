/** A draft that somebody works on: its mends, and the results of its last check. Runs its checks, one at a time. */
import { LRUCache } from 'lru-cache';
import { defaultAccount } from '../../config/access.ts';
import { creatorsOf } from '../campaigns/import/check.ts';
import { readSheetLater } from '../campaigns/sheet-permits.ts';
import { isMissing } from '../fs/disk.ts';
import type { CreatorLookUp } from '../importers/check/creators/creator-check.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { checkSome } from './check/part-check.ts';
import { removeRows } from './check/row-file.ts';
import { describeCheck, describeFailure } from './check/shown.ts';
import { type CheckInputs, checkWhole, type WholeCheck } from './check/whole-check.ts';
import { type Draft, draftRefused } from './draft.ts';
import { type Change, changeDraft } from './drafts.ts';
import { oneAtATime } from './exclusive.ts';
import { draftMediaRoot } from './files/media.ts';
import { readFiles } from './files/record.ts';
import { LatestRun } from './latest-run.ts';
import { type Mend, type MendEntry, Mends, readingId, refuseUnknown } from './mends.ts';
import { addMend, readMends } from './mends-record.ts';
import type { DraftView } from './view.ts';

const usualSettleMs = 1500;
/** Least time before a failed check is repeated. */
const retryMs = 5000;
/** Least time between two checks while files arrive. */
const leastRestMs = 5000;
/** How long creators are not looked up again. Milliseconds. */
const creatorsKeptMs = 2 * 60_000;

export interface OpenDraftOptions {
  /** After a mend, the whole sheet is checked when nothing was mended for this long. Default 1.5 s. */
  readonly settleMs?: number | undefined;
  /** Called when a check has ended. */
  readonly onChecked?: (() => void) | undefined;
}

export class OpenDraft {
  readonly #runtime: Runtime;
  readonly #settleMs: number;
  readonly #onChecked: (() => void) | undefined;
  readonly #run: LatestRun;
  readonly #creators = new LRUCache<string, CreatorLookUp>({ max: 1, ttl: creatorsKeptMs });
  #draft: Draft;
  mends = new Mends();
  /** Of the sheet as it is read now. */
  check: WholeCheck | undefined;
  /** The inputs of the check, except for the mends. */
  #inputs: string | undefined;
  #reading: string | undefined;
  #mediaRoot = '';
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
    this.#run = new LatestRun(runtime.now);
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Memory that it takes, roughly in megabytes. */
  get weight(): number {
    const { problems, warnings, states } = this.check?.findings ?? {};
    const bytes = (problems?.bytes ?? 0) + (warnings?.bytes ?? 0) + 18 * (states?.count ?? 0);
    return 1 + Math.ceil(bytes / 1_000_000);
  }

  /** What the sheet has, as far as it is checked. */
  get #sheet() {
    const { header = [], columns = [] } = this.check?.findings ?? {};
    return { rows: this.check?.rows.count ?? 0, header, columns };
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
    await oneAtATime(`follow ${this.#draft.id}`, async () => {
      this.#take(draft);
      const inputs = await this.#findInputs();
      if (inputs === this.#inputs && (this.#draft.mendsBytes ?? 0) === this.mends.bytes) {
        return this.#repeatFailed();
      }
      await this.#run.stop();
      this.#mediaRoot = await draftMediaRoot(this.#runtime, draft.id);
      const reading = readingId(this.#draft);
      if (reading !== this.#reading) {
        this.check = undefined;
        this.mends = await readMends(this.#runtime, this.#draft);
      }
      await this.#catchUp(this.#draft);
      this.#reading = reading;
      this.#inputs = inputs;
      this.#isStale = true;
      this.#begin();
    });
  }

  /**
   * Stores a mend, or takes the last one back, and checks its rows at once. The whole sheet follows, for the plan and the warnings.
   * @throws {UseCaseError} as `OpenDrafts.mend`.
   */
  async mend({ by, version }: Change, mend: Mend | 'undo', what: string): Promise<void> {
    await this.settled();
    // Readers wait, so that they see the change only when it is both stored and shown.
    let addsColumns = false;
    const touched = await oneAtATime(`follow ${this.#draft.id}`, async () => {
      let entry: MendEntry = { at: this.#runtime.now(), by, of: '' };
      const draft = await changeDraft(this.#runtime, this.#draft.id, { by, version, what }, async (now) => {
        const of = readingId(now);
        if (of === undefined) throw draftRefused('it has no sheet yet');
        await this.#catchUp(now);
        if (mend === 'undo' && this.mends.last === undefined) throw draftRefused('nothing was edited yet');
        if (mend !== 'undo') refuseUnknown(this.#sheet, mend);
        entry = { ...entry, of, ...(mend === 'undo' ? { undo: true } : mend) };
        return addMend(this.#runtime, now, entry);
      });
      this.#take(draft);
      // Only now, so that a change that could not be stored is not shown.
      const { length } = this.mends.added;
      const rows = this.mends.add(entry, draft.mendsBytes);
      addsColumns = this.mends.added.length !== length;
      return rows;
    });
    if (addsColumns) this.#beginAll();
    else if (touched.size > 0) await this.#recheck(touched);
  }

  /**
   * Waits for a check, unless the last one is valid except for plan and warnings.
   * @param waitMs longest wait; default: unlimited.
   */
  async settled(waitMs?: number): Promise<void> {
    if (this.check === undefined || this.#isStale) await this.#run.endsWithin(waitMs);
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
      mediaRoot: check?.update?.campaign.mediaRoot ?? this.#mediaRoot,
      newMedia: check?.newMedia,
      mends: mends.summary,
      state: draft.sheet === undefined ? 'empty' : checked ? 'checked' : unchecked,
      rowsRead: this.isAtWork ? this.#rowsRead : undefined,
    };
  }

  /** Reads results of the check. If another console has removed the stored rows, reads the sheet again. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) throw error;
      await this.checkAgain(true);
      return work();
    }
  }

  /** Checks the whole sheet, and looks up its creators again. @param isGone whether the stored rows are gone. */
  async checkAgain(isGone = false): Promise<void> {
    if (isGone) this.check = undefined;
    this.#creators.clear();
    await this.#run.stop();
    this.#isStale = true;
    this.#begin();
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

  async #recheck(touched: ReadonlySet<number>): Promise<void> {
    this.#isOutdated = true;
    // The first check may have passed these rows already.
    if (this.check === undefined) return this.#begin();
    const isDone = await oneAtATime(`check ${this.#draft.id}`, async () => {
      await this.#run.stop();
      // The check of the whole sheet says what is wrong.
      const { check } = this;
      if (check === undefined) return false;
      return checkSome(this.#runtime, check, touched, this.#checkInputs()).catch(() => false);
    });
    if (isDone) return this.#run.beginAfter(this.#settleMs, this.#task);
    this.#beginAll();
  }

  /** Begins a check whose results are waited for. */
  #beginAll(): void {
    this.#isStale = true;
    this.#begin();
  }

  #checkInputs(): CheckInputs {
    const account = this.#runtime.accounts.need(this.#draft.options.account ?? defaultAccount);
    const known = this.#creators.get(account.name);
    const creators = known ?? creatorsOf(this.#runtime, account);
    if (known === undefined) this.#creators.set(account.name, creators);
    return { draft: this.#draft, mends: this.mends, account, creators, mediaRoot: this.#mediaRoot };
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
      const check = await checkWhole(this.#runtime, {
        ...this.#checkInputs(),
        signal,
        earlier: this.check,
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
      this.#creators.clear();
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

  /** Updates `mends` from the stored draft, because another console may have added some. */
  async #catchUp(draft: Draft): Promise<void> {
    if ((draft.mendsBytes ?? 0) === this.mends.bytes) return;
    this.mends = await readMends(this.#runtime, draft);
    this.#isStale = true;
  }

  async #findInputs(): Promise<string> {
    const { id, sheet, reading, options, into } = this.#draft;
    const { revision } = await readFiles(this.#runtime, id);
    return JSON.stringify([sheet?.sha256, reading, options.account, revision, into]);
  }
}
