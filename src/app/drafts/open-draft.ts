/** A draft that somebody works on: its edits, and the results of its last check. Runs its checks, one at a time. */
import { LRUCache } from 'lru-cache';
import type { CreatorLookUp } from '../../importers/check/creator-check.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { withFileLock } from '../../platform/files/file-lock.ts';
import { creatorsOf } from '../campaigns/import/check.ts';
import type { Edit, EditEntry } from '../campaigns/import/edit.ts';
import { Edits } from '../campaigns/import/edits.ts';
import { readSheetLater } from '../campaigns/sheets-at-once.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { CheckInputs } from './check/check-pass.ts';
import { describeCheck, describeFailure } from './check/check-view.ts';
import { type DraftCheck, type EditedSheet, findCheck } from './check/draft-check.ts';
import { carryOverOnce, inputsOf } from './check/inputs.ts';
import { checkSome } from './check/part-check.ts';
import { checkWhole } from './check/whole-check.ts';
import { type Draft, readingId } from './draft.ts';
import { type Change, changeDraft } from './drafts.ts';
import { oneAtATime, whenFree } from './exclusive.ts';
import { draftMediaRoot } from './files/media.ts';
import { draftFiles } from './folder.ts';
import { LatestRun } from './latest-run.ts';
import { addEdit, entryOf, readEdits } from './store/edits.ts';
import { UsedDatabase } from './store/used-database.ts';
import type { DraftView } from './view.ts';

const usualSettleMs = 1500;
/** Least time before a failed check is repeated. */
const retryMs = 5000;
/** How long creators are not looked up again. Milliseconds. */
const creatorsKeptMs = 2 * 60_000;
/** A draft that was checked longer ago is checked again when it is opened, because time and service go on. Milliseconds. */
const freshMs = 10 * 60_000;

export interface OpenDraftOptions {
  /** After an edit, the whole sheet is checked when nothing was edited for this long. Default 1.5 s. */
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
  edits = new Edits();
  /** Of the sheet as it is read now. */
  check: DraftCheck | undefined;
  readonly #database: UsedDatabase;
  /** The inputs of the check, except for the edits. */
  #inputs: string | undefined;
  #reading: string | undefined;
  #mediaRoot = '';
  /** Whether the inputs have changed since the check: mapping, zone, or media. */
  #isStale = false;
  /** Whether something was edited since the check. */
  #isOutdated = false;
  /** What people had said when the sheet was checked. */
  #saidThen: string | undefined;
  #rowsRead = 0;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(runtime: Runtime, draft: Draft, { settleMs = usualSettleMs, onChecked }: OpenDraftOptions) {
    this.#runtime = runtime;
    this.#draft = draft;
    this.#database = new UsedDatabase(draftFiles(runtime, draft.id).database);
    this.#settleMs = settleMs;
    this.#onChecked = onChecked;
    this.#run = new LatestRun(runtime.now);
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Undefined until it is checked. */
  get checked(): EditedSheet | undefined {
    const { draft, check, edits } = this;
    return check && { draft, check, edits };
  }

  /** What people have said of the sheet. */
  get #said(): string {
    return JSON.stringify([this.#draft.reading, this.edits.revision]);
  }

  get isAtWork(): boolean {
    return this.#run.ended !== undefined;
  }

  get isInUse(): boolean {
    return this.#database.isInUse;
  }

  /** Whether it may be checked again while files arrive. */
  get hasRested(): boolean {
    return this.#run.hasRested();
  }

  /** Takes over the stored draft. Begins a check if its sheet, its media, its edits, or how it is read have changed. */
  async follow(draft: Draft): Promise<void> {
    await oneAtATime(`follow ${this.#draft.id}`, async () => {
      this.#take(draft);
      const inputs = await inputsOf(this.#runtime, this.#draft);
      if (inputs === this.#inputs && (this.#draft.edits ?? 0) === this.edits.revision) {
        const { at: failedAt = this.#runtime.now() } = this.#failure ?? {};
        if (!this.isAtWork && this.#runtime.now() - failedAt >= retryMs) this.#begin();
        return;
      }
      await this.#run.stop();
      this.#mediaRoot = await draftMediaRoot(this.#runtime, draft.id);
      const reading = readingId(this.#draft);
      const isOpened = !this.#database.isOpen;
      if (reading !== this.#reading) {
        this.check = undefined;
        this.edits = readEdits(await this.#database.open(), this.#draft);
      }
      await this.#catchUp(this.#draft);
      this.#reading = reading;
      this.#inputs = inputs;
      if (isOpened && (await this.#restore(inputs))) return;
      this.#begin();
    });
  }

  /** Takes over the stored check. @returns whether it is one of the draft as it is. */
  async #restore(inputs: string): Promise<boolean> {
    if (this.#draft.sheet === undefined || this.#draft.into !== undefined) return false;
    const stored = findCheck(await this.#database.open());
    if (stored?.inputs !== inputs) return false;
    this.check = stored.check;
    if (stored.editsChecked !== this.edits.revision) return false;
    this.#saidThen = this.#said;
    this.#isOutdated = stored.edits !== this.edits.revision || this.#runtime.now() - stored.at > freshMs;
    if (this.#isOutdated) this.#run.beginAfter(this.#settleMs, this.#task);
    return true;
  }

  /** Checks its rows at once, then the whole sheet for plan and warnings. @returns the draft right after it. @throws {UseCaseError} as `OpenDrafts.edit`. */
  async edit({ by, version, isFurther }: Change, edit: Edit | 'undo', what: string): Promise<Draft> {
    await this.settled();
    const { length } = this.edits.added;
    // Readers wait, so that they see the change only when it is both stored and shown.
    const { draft: edited, touched } = await oneAtATime(`follow ${this.#draft.id}`, async () => {
      const made = { at: this.#runtime.now(), by, ...(isFurther && { isFurther }) };
      let entry: EditEntry = { ...made, of: '' };
      const draft = await changeDraft(this.#runtime, this.#draft.id, { by, version, what }, async (now) => {
        await this.#catchUp(now);
        entry = entryOf(now, this.edits, this.check, edit, made);
        return addEdit(await this.#database.open(), now, entry);
      });
      this.#take(draft);
      // Only now, so that a change that could not be stored is not shown.
      return { draft, touched: this.edits.add(entry, draft.edits) };
    });
    if (this.edits.added.length !== length) this.#begin();
    else if (touched.size > 0) await this.#recheck(touched);
    return edited;
  }

  /** Unless the last check is valid except for plan and warnings. @param waitMs longest wait; default: unlimited. @returns whether it is then. */
  async settled(waitMs?: number): Promise<boolean> {
    const isValid = () => this.check !== undefined && !this.#isStale;
    if (!isValid()) await this.#run.endsWithin(waitMs);
    return isValid();
  }

  async view(): Promise<DraftView> {
    const { check, edits, draft } = this;
    const failure = this.#failure && describeFailure(this.#failure.error);
    const isBehind = this.checked !== undefined && this.#isStale;
    // It would deny what people have said since: a column that is missing, a problem that is fixed.
    const sheet = isBehind && this.#saidThen !== this.#said ? undefined : this.checked;
    const checked = sheet && (await describeCheck(sheet, this.#isStale || this.#isOutdated));
    const unchecked = failure ? 'failed' : 'checking';
    return {
      draft,
      checked,
      isBehind: checked !== undefined && isBehind,
      failure,
      mediaRoot: check?.update?.campaign.mediaRoot ?? this.#mediaRoot,
      newMedia: check?.newMedia,
      edits: edits.summary,
      state: draft.sheet === undefined ? 'empty' : checked ? 'checked' : unchecked,
      rowsRead: this.isAtWork ? this.#rowsRead : undefined,
    };
  }

  /** Checks the whole sheet, and looks up its creators again. */
  async checkAgain(): Promise<void> {
    this.#creators.clear();
    await this.#run.stop();
    this.#begin();
  }

  /** Runs work of a request. The draft is not closed before the work has ended. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    return this.#database.use(work);
  }

  /** Ends its check. Requests that still use it begin no other. */
  async close(): Promise<void> {
    await this.#database.close(() => this.#run.stop());
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
      const database = await this.#database.open();
      const work = async () => checkSome(this.#runtime, database, check, touched, await this.#checkInputs());
      return withFileLock(database.lockPath, 0, work).catch(() => false);
    });
    if (!isDone) return this.#begin();
    this.#saidThen = this.#said;
    this.#run.beginAfter(this.#settleMs, this.#task);
  }

  /** Begins a check whose results are waited for. */
  #begin(): void {
    this.#isStale = true;
    if (this.#draft.sheet !== undefined) this.#run.begin(this.#task);
  }

  async #carryOver(): Promise<void> {
    const open = () => this.#database.open();
    const carried = await carryOverOnce(this.#runtime, this.#draft, this.edits, this.#mediaRoot, open);
    if (carried === undefined) return;
    this.#take(carried.draft);
    this.edits.add(carried.entry, this.#draft.edits);
  }

  async #checkInputs(): Promise<CheckInputs> {
    const known = this.#creators.get('all');
    const creators = known ?? (await creatorsOf(this.#runtime));
    if (known === undefined) this.#creators.set('all', creators);
    return { draft: this.#draft, edits: this.edits, creators, mediaRoot: this.#mediaRoot };
  }

  readonly #task = async (signal: AbortSignal): Promise<void> => {
    if (this.#database.isClosed) return;
    this.#rowsRead = 0;
    await readSheetLater(() => this.#checkWhole(signal), { user: this.#draft.changedBy, signal });
    this.#onChecked?.();
  };

  async #checkWhole(signal: AbortSignal): Promise<void> {
    const onProgress = (rows: number) => {
      this.#rowsRead = rows;
    };
    try {
      await this.#carryOver();
      const database = await this.#database.open();
      const options = { ...(await this.#checkInputs()), inputs: this.#inputs ?? '', signal, onProgress };
      const check = await whenFree(database.lockPath, signal, () =>
        checkWhole(this.#runtime, database, options),
      );
      // An edit came after the last row.
      if (signal.aborted) return;
      this.check = check;
      this.#saidThen = this.#said;
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

  /** Ignores an older version: a reader may have been overtaken by a change. */
  #take(draft: Draft): void {
    if (draft.version >= this.#draft.version) this.#draft = draft;
  }

  /** Updates `edits` from the stored draft, because another console may have added some. */
  async #catchUp(draft: Draft): Promise<void> {
    if ((draft.edits ?? 0) === this.edits.revision) return;
    this.edits = readEdits(await this.#database.open(), draft);
    this.#isStale = true;
  }
}
