/** Creates, finds, changes and lists drafts. */
import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../fs/write-file.ts';
import { UseCaseError } from '../runtime/use-case-error.ts';
import { type Draft, type DraftChange, draftSchema } from './draft.ts';
import { exclusively } from './exclusive.ts';
import {
  type DraftRuntime,
  draftFiles,
  draftFolder,
  draftNotStored,
  draftsFolder,
  isDraftFile,
  isDraftId,
  makeDraftFolder,
  readDraft,
} from './folder.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { refuseStarting } from './refused.ts';

const idBytes = 8;

/** @param by name of the person who owns it. @throws {UseCaseError} `draft_not_stored`; `drafts_full` if there are too many. */
export async function createDraft(runtime: DraftRuntime, by: string): Promise<Draft> {
  return oneAtATime('new draft', async () => {
    await refuseTooMany(runtime);
    return makeDraft(runtime, by);
  });
}

/** Each draft takes disk space and files. */
async function refuseTooMany(runtime: DraftRuntime): Promise<void> {
  const { most } = runtime.settings.drafts;
  const { drafts, unreadable } = await listAllDrafts(runtime);
  const count = drafts.filter(({ campaign }) => campaign === undefined).length + unreadable.length;
  if (count < most) return;
  throw new UseCaseError('drafts_full', `there are ${count} drafts already, the most that are kept`, {
    cure: 'Discard drafts that nobody needs, in the list of campaigns, or raise the setting drafts.most.',
  });
}

async function makeDraft(runtime: DraftRuntime, by: string): Promise<Draft> {
  const id = randomBytes(idBytes).toString('hex');
  const now = runtime.now();
  const draft: Draft = {
    id,
    version: 1,
    createdAt: now,
    changedAt: now,
    owner: by,
    changedBy: by,
    changed: 'made',
    reading: {},
    options: {},
  };
  await makeDraftFolder(runtime, id);
  await write(runtime, draft);
  return draft;
}

/** @throws {UseCaseError} `draft_not_found`, `draft_not_stored`. */
export async function findDraft(runtime: DraftRuntime, id: string): Promise<Draft> {
  return readDraft(runtime, id);
}

/** @returns the newest first, without drafts that cannot be read. */
export async function listDrafts(runtime: DraftRuntime): Promise<readonly Draft[]> {
  return (await listAllDrafts(runtime)).drafts;
}

/** A draft whose record `draft.json` cannot be read. Its other files are intact. */
export interface UnreadableDraft {
  readonly id: string;
  /** When its files were last changed, in milliseconds since the epoch. */
  readonly changedAt: number;
}

export interface AllDrafts {
  /** The newest first. */
  readonly drafts: readonly Draft[];
  readonly unreadable: readonly UnreadableDraft[];
}

export async function listAllDrafts(runtime: DraftRuntime): Promise<AllDrafts> {
  const drafts: Draft[] = [];
  const unreadable: UnreadableDraft[] = [];
  const look = async (id: string) => {
    try {
      drafts.push(await readDraft(runtime, id));
    } catch (error) {
      // A draft that is being created or has just been removed has no record.
      if (error instanceof UseCaseError && error.code === 'draft_not_found') return;
      unreadable.push({ id, changedAt: await filesChangedAt(runtime, id) });
    }
  };
  await Promise.all((await listDraftIds(runtime)).map(look));
  const newestFirst = (one: { changedAt: number }, other: { changedAt: number }) =>
    other.changedAt - one.changedAt;
  return { drafts: drafts.sort(newestFirst), unreadable: unreadable.sort(newestFirst) };
}

/** The folders of drafts, with or without a record in them. */
export async function listDraftIds(runtime: Pick<DraftRuntime, 'environment'>): Promise<readonly string[]> {
  return (await readdir(draftsFolder(runtime)).catch(() => [])).filter(isDraftId);
}

/** When the files of a draft, or its folder, were last changed: milliseconds since the epoch; 0 if there is none. */
export async function filesChangedAt(
  runtime: Pick<DraftRuntime, 'environment'>,
  id: string,
): Promise<number> {
  const folder = draftFolder(runtime, id);
  const names = (await readdir(folder).catch(() => [])).filter(isDraftFile);
  const times = ['.', ...names].map(
    async (name) => (await stat(join(folder, name)).catch(() => undefined))?.mtimeMs,
  );
  return Math.max(0, ...(await Promise.all(times)).map((time) => time ?? 0));
}

/** A draft that files may still be added to. @throws {UseCaseError} `draft_not_found`, `upload_refused`. */
export async function readOpenDraft(runtime: DraftRuntime, id: string): Promise<Draft> {
  const draft = await readDraft(runtime, id);
  refuseStarting(draft);
  if (draft.campaign === undefined) return draft;
  throw new UseCaseError(
    'upload_refused',
    `the draft has become campaign ${draft.campaign}: its files stay as they are`,
    {
      cure: 'Begin a new campaign, or hand a mended sheet in again on the page of the campaign.',
    },
  );
}

export interface ChangeBy {
  /** Name of the person. */
  readonly by: string;
  /** Version that the person saw; undefined for a change that does not depend on it, such as an upload. */
  readonly version: number | undefined;
  /** The change in a few words: "the zone". */
  readonly what: string;
}

/**
 * Changes a draft, one change at a time.
 * @param change makes the change; it may write files of the draft first. Not called if the draft has changed since.
 * @throws {UseCaseError} `draft_changed` if somebody else changed it first, `draft_not_found`, `draft_not_stored`; and errors of
 *   `change`.
 */
export async function changeDraft(
  runtime: DraftRuntime,
  id: string,
  { by, version, what }: ChangeBy,
  change: (draft: Draft) => DraftChange | Promise<DraftChange>,
): Promise<Draft> {
  return exclusively(runtime, id, async () => {
    const draft = await readDraft(runtime, id);
    refuseStarted(draft);
    if (version !== undefined && version !== draft.version) throw draftChanged(draft);
    const changed: Draft = {
      ...draft,
      ...(await change(draft)),
      version: draft.version + 1,
      changedAt: runtime.now(),
      changedBy: by,
      changed: what,
    };
    await write(runtime, changed);
    return changed;
  });
}

/** @throws {UseCaseError} `draft_changed` for a draft that has become a campaign. */
export function refuseStarted({ campaign }: Draft): void {
  if (campaign === undefined) return;
  throw new UseCaseError('draft_changed', `the draft has become campaign ${campaign}`, {
    cure: 'Go on with the campaign: cancel it, delete it, or hand a mended sheet in again.',
  });
}

/**
 * Marks that a start has begun, or that it created nothing. Call it within `changeDraft`.
 * @throws {UseCaseError} `draft_not_stored`.
 */
export async function markStarting(
  runtime: DraftRuntime,
  draft: Draft,
  starting: true | undefined,
): Promise<void> {
  await write(runtime, { ...draft, starting });
}

function draftChanged({ changedBy, changed }: Draft): UseCaseError {
  return new UseCaseError('draft_changed', `the draft was changed by ${changedBy} meanwhile: ${changed}`, {
    cure: 'Look at the draft as it is now, then try again.',
  });
}

async function write(runtime: DraftRuntime, draft: Draft): Promise<void> {
  try {
    await writeAtomically(draftFiles(runtime, draft.id).draft, [JSON.stringify(draftSchema.parse(draft))]);
  } catch (error) {
    throw draftNotStored(error);
  }
}
