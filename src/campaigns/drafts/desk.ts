/**
 * The drafts that people work on now. It
 *
 *  1. checks the sheet of a draft, one check at a time for each draft, and keeps what was found while the draft is looked at;
 *  2. checks again what a change touches, at once, and the whole sheet shortly after, for the plan and the warnings;
 *  3. forgets all but a few drafts: nothing is lost, a draft that is opened again is simply checked again.
 *
 * One process serves the drafts of a data directory.
 */
import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { type EarlierImport, findEarlierImport } from '../hand-in/start.ts';
import type { DraftView, DraftWindow, WindowOf } from './check/checked-draft.ts';
import { readWindow } from './check/window.ts';
import { type DraftDownload, type DraftSheet, draftSheet, originalSheet } from './download.ts';
import { changeDraft, findDraft } from './drafts.ts';
import { draftFiles } from './folder.ts';
import { addMend, type Mend, type MendEntry, readingId, readMend } from './mends.ts';
import { OpenDraft, type OpenDraftOptions } from './open-draft.ts';
import { draftRefused } from './refused.ts';
import { type Change, changeOptions, changeReading } from './settings.ts';
import { type AgreedStart, type StartedDraft, startDraft } from './start.ts';
import { suggestForGroup } from './suggestions/of-group.ts';
import type { Suggestion } from './suggestions/suggestion.ts';

/** Drafts kept open. Each may take some ten megabytes. */
const mostOpen = 6;
/** A page waits so long for a check before it shows how far it is. */
const usualWaitMs = 1000;
/** Most rows of a window. */
const mostShown = 500;

export interface LookOptions {
  /** How long to wait for a check that runs; default a second. */
  readonly waitMs?: number | undefined;
}

/** Options that are chosen by the same press. */
interface ChosenAtStart {
  readonly options?: Parameters<typeof changeOptions>[3] | undefined;
}

export class DraftDesk {
  readonly #runtime: Runtime;
  readonly #options: OpenDraftOptions;
  readonly #starts = new Map<string, Promise<StartedDraft>>();
  readonly #open = new LRUCache<string, OpenDraft>({ max: mostOpen, dispose: (open) => open.close() });

  constructor(runtime: Runtime, options: OpenDraftOptions = {}) {
    this.#runtime = runtime;
    this.#options = options;
  }

  /** The draft as it stands; begins a check if there is none. @throws {UseCaseError} `draft_not_found`, `draft_not_stored`. */
  async look(id: string, { waitMs = usualWaitMs }: LookOptions = {}): Promise<DraftView> {
    const open = await this.#openDraft(id);
    await open.settled(waitMs);
    return open.view();
  }

  /** Some rows of the sheet, as mended. Empty while the sheet is not checked. @param from index among the rows asked for, from 0. */
  async window(id: string, of: WindowOf, from: number, count: number): Promise<DraftWindow> {
    const { check, mends } = await this.#openDraft(id);
    if (check === undefined) return { rows: [], total: 0, from: 0 };
    return readWindow(check, mends, of, { from, count: Math.min(count, mostShown) });
  }

  /** What the sheet itself suggests for a group of rows with the same problem. @param group id of the group. */
  async suggestions(id: string, group: string): Promise<readonly Suggestion[]> {
    const { check, mends } = await this.#openDraft(id);
    return check === undefined ? [] : suggestForGroup(check, mends, group);
  }

  /**
   * Mends cells, leaves rows out, or takes them in again. Checks what it touches.
   * @param what the change is, in a few words, for a person whose change comes too late.
   * @throws {UseCaseError} `draft_changed`, `draft_refused` for rows and cells that the sheet does not have, and for texts that no cell
   *   takes, `draft_not_found`, `draft_not_stored`.
   */
  async mend(id: string, change: Change, mend: Mend, what: string): Promise<DraftView> {
    return this.#write(id, change, mend, what);
  }

  /** Takes back the last mend. @throws {UseCaseError} as `mend`; `draft_refused` if there is none. */
  async undo(id: string, change: Change): Promise<DraftView> {
    return this.#write(id, change, 'undo', 'took back the last mend');
  }

  /** Changes how the sheet is read; a check begins. @throws {UseCaseError} as `changeReading`. */
  async read(id: string, change: Change, choices: Parameters<typeof changeReading>[3]): Promise<DraftView> {
    await changeReading(this.#runtime, id, change, choices);
    return this.look(id);
  }

  /**
   * Changes options of the campaign.
   * @returns the draft as this change made it: what is started with its version is without changes that came later.
   * @throws {UseCaseError} as `changeOptions`.
   */
  async choose(id: string, change: Change, choices: Parameters<typeof changeOptions>[3]): Promise<DraftView> {
    const draft = await changeOptions(this.#runtime, id, change, choices);
    return { ...(await this.look(id)), draft };
  }

  /** @throws {UseCaseError} `draft_refused` while it has no sheet, or the sheet is not checked. */
  async download(id: string, which: DraftSheet): Promise<DraftDownload> {
    const open = await this.#openDraft(id);
    await open.settled();
    const { check, draft, mends } = open;
    if (draft.sheet === undefined) throw draftRefused('the draft has no sheet yet', 'Drop the sheet first.');
    if (which === 'original') return originalSheet(draft, draftFiles(this.#runtime, id).sheet);
    if (check === undefined) throw draftRefused('the sheet is not checked yet', 'Try again in a moment.');
    return draftSheet(draft, which, check, mends);
  }

  /**
   * Makes it a campaign. Who presses while a start is under way gets the campaign of that one.
   * @throws {UseCaseError} as `choose` and `startDraft`; the draft is then checked again.
   */
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
      const started = await startDraft(this.#runtime, id, { ...agreed, version });
      this.forget(id);
      return started;
    } catch (error) {
      if (error instanceof UseCaseError && error.code === 'plan_changed') await this.checkAgain(id);
      throw error;
    }
  }

  /** An earlier campaign of the same sheet, if there is one. @throws {UseCaseError} `campaign_unreadable`. */
  async earlier(id: string): Promise<EarlierImport | undefined> {
    const { check } = await this.#openDraft(id);
    const sha256 = check?.result.sha256 ?? null;
    return sha256 === null ? undefined : findEarlierImport(this.#runtime, sha256);
  }

  /** Checks the draft anew: creators or media may have changed. */
  async checkAgain(id: string): Promise<DraftView> {
    await (await this.#openDraft(id)).checkAgain();
    return this.look(id);
  }

  /** Forgets what is known of a draft that is gone. */
  forget(id: string): void {
    this.#open.delete(id);
  }

  async #write(id: string, { by, version }: Change, mend: Mend | 'undo', what: string): Promise<DraftView> {
    const given = mend === 'undo' ? mend : readMend(mend);
    const open = await this.#openDraft(id);
    await open.settled();
    let entry: MendEntry | undefined;
    const draft = await changeDraft(this.#runtime, id, { by, version, what }, async (current) => {
      const of = readingId(current);
      if (of === undefined) throw draftRefused('it has no sheet yet');
      const written = { at: this.#runtime.now(), by, of };
      entry = given === 'undo' ? { ...written, undo: true } : { ...written, ...given };
      if (given === 'undo' && open.mends.last === undefined) throw draftRefused('nothing was mended yet');
      if (given !== 'undo') open.refuseUnknown(given);
      return addMend(this.#runtime, current, entry);
    });
    // Only now: what could not be stored is not shown.
    const touched = entry === undefined ? new Set<number>() : open.mends.add(entry);
    await open.recheck(draft, touched);
    return this.look(id);
  }

  async #openDraft(id: string): Promise<OpenDraft> {
    const draft = await findDraft(this.#runtime, id);
    let open = this.#open.get(id);
    if (open === undefined) {
      open = new OpenDraft(this.#runtime, draft, this.#options);
      this.#open.set(id, open);
    }
    await open.follow(draft);
    return open;
  }
}
