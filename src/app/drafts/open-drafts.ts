/**
 * The drafts that people work on now. It
 *
 *  1. checks the sheet of a draft, one check at a time, and keeps the results while somebody looks at the draft;
 *  2. after a change, checks the changed rows at once, and the whole sheet shortly after, for the plan and the warnings;
 *  3. closes all but a few drafts: nothing is lost, because a draft is checked again when it is opened again.
 *
 * One process serves the drafts of a data directory.
 */

import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { type EarlierImport, findEarlierImport } from '../campaigns/import/earlier-import.ts';
import type { Edit } from '../campaigns/import/edit.ts';
import { readSheetWithPermit } from '../campaigns/sheets-at-once.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type FoundRows, readNumbers, readWindow, type Sought, searchRows } from './check/check-view.ts';
import type { EditedSheet } from './check/draft-check.ts';
import { type DraftDownload, type DraftSheet, draftSheet, originalSheet } from './download.ts';
import { type Draft, draftNotFound, draftRefused, readingId } from './draft.ts';
import { type Change, findDraft } from './drafts.ts';
import { editDraft, undoEdit } from './edit.ts';
import { discardDraft } from './expiry.ts';
import { draftFiles } from './folder.ts';
import { OpenDraft, type OpenDraftOptions } from './open-draft.ts';
import { DraftPlans } from './planned.ts';
import { changeOptions, changeReading } from './settings.ts';
import { type AgreedStart, type StartedDraft, startDraft } from './start.ts';
import { DraftDatabase } from './store/database.ts';
import { readEdit } from './store/edits.ts';
import type { SheetProduct } from './suggestions/evidence.ts';
import { suggestForGroup } from './suggestions/suggest.ts';
import type { Suggestion } from './suggestions/suggestion.ts';
import { titlesIn } from './suggestions/viewer-titles.ts';
import type { DraftView, DraftWindow, WindowOf } from './view.ts';

const usualOpen = 30;
/** How long a page waits for a check before it shows its progress. */
const usualWaitMs = 1000;
const mostShown = 500;

export interface LookOptions {
  /** How long to wait for a check that runs; default a second. */
  readonly waitMs?: number | undefined;
}

/** Options that are chosen by the same press of the button. */
interface ChosenAtStart {
  readonly options?: Parameters<typeof changeOptions>[3] | undefined;
}

export interface OpenDraftsOptions extends Pick<OpenDraftOptions, 'settleMs'> {
  readonly mostOpen?: number | undefined;
}

export class OpenDrafts {
  readonly plans: DraftPlans;
  readonly #runtime: Runtime;
  readonly #settleMs: number | undefined;
  readonly #mostOpen: number;
  /** The open drafts: all whose checks run, and as many others as memory has room for. Least recently used first. */
  readonly #open = new Map<string, OpenDraft>();
  readonly #starts = new Map<string, Promise<StartedDraft>>();
  /** Drafts that are being removed, so that they are not opened again. */
  readonly #going = new Set<string>();

  constructor(runtime: Runtime, { settleMs, mostOpen = usualOpen }: OpenDraftsOptions = {}) {
    this.#runtime = runtime;
    this.plans = new DraftPlans(runtime);
    this.#settleMs = settleMs;
    this.#mostOpen = mostOpen;
  }

  /** Begins a check if there is none. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`. */
  async look(id: string, { waitMs = usualWaitMs }: LookOptions = {}): Promise<DraftView> {
    return this.#use(id, async (open) => {
      await open.settled(waitMs);
      return open.view();
    });
  }

  /** While files arrive: a running check is not stopped, and the next begins after a pause. @throws {UseCaseError} as `look`. */
  async peek(id: string): Promise<DraftView> {
    const draft = await this.#findDraft(id);
    const open = this.#open.get(id);
    const isOfThisSheet = open !== undefined && readingId(open.draft) === readingId(draft);
    if (!isOfThisSheet || open.hasRested) return this.look(id, { waitMs: 0 });
    return open.view();
  }

  /** As edited; none while unchecked. @param of `accepted`: those that can be posted. @param from index among those asked for. @param mostCharacters returns fewer, but at least one. */
  async window(
    id: string,
    of: WindowOf | 'accepted',
    from: number,
    count: number,
    mostCharacters?: number,
  ): Promise<DraftWindow> {
    const span = { from, count: Math.min(count, mostShown), mostCharacters };
    return this.#read(id, { rows: [], total: 0, from: 0 }, (sheet) => readWindow(sheet, of, span));
  }

  /** Rows with a text in one of their cells, as edited. None while the sheet is not checked. */
  async search(id: string, of: WindowOf, sought: Sought): Promise<FoundRows> {
    const some = { ...sought, count: Math.min(sought.count, mostShown) };
    return this.#read(id, { rows: [], next: undefined }, (sheet) => searchRows(sheet, of, some));
  }

  /** Numbers of all rows of a window, or of those with a text. @throws {UseCaseError} `draft_refused` for more than 100,000. */
  async numbers(id: string, of: WindowOf, text: string): Promise<readonly number[]> {
    return this.#read(id, [], (sheet) => readNumbers(sheet, of, text));
  }

  async suggestions(id: string, group: string): Promise<readonly Suggestion[]> {
    return this.#read(id, [], (sheet) => suggestForGroup(this.#runtime, sheet, group));
  }

  /** Products that good rows of the sheet have, by the titles that viewers see. @param text part of a title or id. */
  async products(id: string, text: string): Promise<readonly SheetProduct[]> {
    return this.#read(id, [], async ({ check: { knowledge } }) => {
      const titleOf = titlesIn(knowledge.lists);
      const found = (await knowledge.evidence.products(text)).map((product) => {
        const { title, match } = titleOf?.({ ...product, isIdTyped: false }) ?? {};
        return match === 'sure' ? { ...product, title: title ?? '' } : product;
      });
      const same = Map.groupBy(found, ({ id: number, title }) => `${number} ${title}`);
      return [...same.values()].flatMap(([first, ...others]) =>
        first ? [{ ...first, rows: others.reduce((sum, { rows }) => sum + rows, first.rows) }] : [],
      );
    });
  }

  /**
   * Edits cells, leaves rows out, or takes them in again. Then checks the rows concerned.
   * @param describes the change in a few words, to a person whose own change comes too late.
   * @throws {UseCaseError} `draft_changed`, `draft_refused` for rows and cells that the sheet does not have, and for invalid
   *   texts, `draft_not_found`, `draft_not_stored`.
   */
  async edit(id: string, change: Change, edit: Edit, what: string): Promise<DraftView> {
    const read = readEdit(edit);
    const draft = await this.#use(id, (open) => editDraft(this.#runtime, open, change, read, what));
    return { ...(await this.look(id)), draft };
  }

  /** Takes back the last edit. @throws {UseCaseError} as `edit`; `draft_refused` if there is none. */
  async undo(id: string, change: Change): Promise<DraftView> {
    await this.#use(id, (open) => undoEdit(this.#runtime, open, change));
    return this.look(id);
  }

  /** Changes how the sheet is read; a check begins. @throws {UseCaseError} as `changeReading`. */
  async read(id: string, change: Change, choices: Parameters<typeof changeReading>[3]): Promise<DraftView> {
    await changeReading(this.#runtime, id, change, choices);
    return this.look(id);
  }

  /** @returns the draft right after it, so that a start of its version has no later changes. @throws {UseCaseError} as `changeOptions`. */
  async choose(id: string, change: Change, choices: Parameters<typeof changeOptions>[3]): Promise<DraftView> {
    const draft = await changeOptions(this.#runtime, id, change, choices);
    return { ...(await this.look(id)), draft };
  }

  /** @throws {UseCaseError} `draft_refused` while it has no sheet, or the sheet is not checked. */
  async download(id: string, which: DraftSheet): Promise<DraftDownload> {
    return this.#use(id, async (open) => {
      await open.settled();
      const { check, draft, edits } = open;
      if (draft.sheet === undefined) throw draftRefused('the draft has no sheet yet', 'Add a sheet first.');
      const files = draftFiles(this.#runtime, id);
      if (which === 'original') return originalSheet(draft, files.sheet);
      if (check === undefined)
        throw draftRefused('the sheet is still being checked', 'Try again when it finishes.');
      const { facts } = check;
      const openAgain = () => DraftDatabase.open(files.database);
      return draftSheet(draft, which, { facts, edits, now: this.#runtime.now(), open: openAgain });
    });
  }

  /** A second call meanwhile returns the same campaign. @throws {UseCaseError} as `choose`, `startDraft`, `readSheetWithPermit`. */
  async start(id: string, agreed: AgreedStart & ChosenAtStart): Promise<StartedDraft> {
    const underWay = this.#starts.get(id);
    if (underWay !== undefined) return { ...(await underWay), isNew: false };
    const start = this.#start(id, agreed);
    this.#starts.set(id, start);
    try {
      return await start;
    } finally {
      this.#starts.delete(id);
    }
  }

  async #start(id: string, { options, ...agreed }: AgreedStart & ChosenAtStart): Promise<StartedDraft> {
    const { by } = agreed;
    let { version } = agreed;
    try {
      const { campaign } = await findDraft(this.#runtime, id);
      if (campaign === undefined && options !== undefined) {
        version = (await changeOptions(this.#runtime, id, { by, version }, options)).version;
      }
      const start = () => startDraft(this.#runtime, id, { ...agreed, version });
      const started = await readSheetWithPermit(by, start);
      await this.#close(id);
      if (started.left === false) await this.discard(id);
      return started;
    } catch (error) {
      const isNews = error instanceof UseCaseError && ['plan_changed', 'posts_exist'].includes(error.code);
      if (isNews) await this.checkAgain(id);
      throw error;
    }
  }

  /** Finds an earlier campaign of the same sheet. @throws {UseCaseError} `campaign_unreadable`. */
  async earlier(id: string): Promise<EarlierImport | undefined> {
    return this.#read(id, undefined, async ({ check: { facts }, draft }) =>
      facts.sha256 === null || draft.into !== undefined
        ? undefined
        : findEarlierImport(this.#runtime, facts.sha256),
    );
  }

  /** Checks the draft again, because creators or media may have changed. */
  async checkAgain(id: string): Promise<DraftView> {
    await this.#use(id, (open) => open.checkAgain());
    return this.look(id);
  }

  /** Removes a draft with its files. @throws {UseCaseError} as `discardDraft`. */
  async discard(id: string): Promise<void> {
    await this.remove(id, () => discardDraft(this.#runtime, id));
  }

  /** Ends the check first, which would write into the folder. @param removal removes its files. */
  async remove<T>(id: string, removal: () => Promise<T>): Promise<T> {
    this.#going.add(id);
    try {
      await this.#close(id);
      return await removal();
    } finally {
      this.#going.delete(id);
    }
  }

  /** Ends all checks: of a large sheet, one would go on for minutes. */
  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#close(id)));
  }

  async #findDraft(id: string): Promise<Draft> {
    const draft = await findDraft(this.#runtime, id);
    if (this.#going.has(id)) throw draftNotFound();
    return draft;
  }

  /** Runs work with the open draft, which stays open until the work has ended. */
  async #use<T>(id: string, work: (open: OpenDraft) => Promise<T>): Promise<T> {
    const draft = await this.#findDraft(id);
    const options = { settleMs: this.#settleMs, onChecked: () => this.#makeRoom() };
    const open = this.#open.get(id) ?? new OpenDraft(this.#runtime, draft, options);
    this.#open.delete(id);
    this.#open.set(id, open);
    return open.use(async () => {
      this.#makeRoom();
      await open.follow(draft);
      return work(open);
    });
  }

  /** Reads the sheet. @param none while it is not checked. */
  async #read<T>(id: string, none: T, work: (sheet: EditedSheet) => Promise<T>): Promise<T> {
    return this.#use(id, async ({ checked }) => (checked === undefined ? none : work(checked)));
  }

  /** Ends the check of a draft, and closes it once no request uses it. */
  async #close(id: string): Promise<void> {
    const open = this.#open.get(id);
    this.#open.delete(id);
    await open?.close();
  }

  /** The least recently used without a check: stopped at each switch between drafts, one would never end. */
  #makeRoom(): void {
    for (const [id, open] of this.#open) {
      if (this.#open.size <= this.#mostOpen) return;
      if (!open.isAtWork && !open.isInUse) void this.#close(id);
    }
  }
}
