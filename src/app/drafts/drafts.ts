/** Creates, finds, changes and lists drafts. */

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { readStored } from '../../ledger/stored-json.ts';
import { approveRules, writeLead } from '../../manifest/campaign-options.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { writeAtomically } from '../../platform/files/write-file.ts';
import type { Runtime } from '../runtime/runtime.ts';
import {
  type Draft,
  type DraftChange,
  type DraftOptions,
  draftNotFound,
  draftNotStored,
  draftSchema,
  onDisk,
  refuseStarted,
  refuseStarting,
} from './draft.ts';
import { exclusively, oneAtATime } from './exclusive.ts';
import {
  type DraftRuntime,
  draftFiles,
  draftFolder,
  draftsFolder,
  isDraftFile,
  isDraftId,
} from './folder.ts';

const idBytes = 8;

/**
 * Lead and approval of the newest campaign, so that a house chooses them once; none if it has none, or cannot be read. Of approvals
 * only what asks for more of them than the settings do.
 */
export async function rememberedOptions({
  ledger,
  settings,
}: Pick<Runtime, 'ledger' | 'settings'>): Promise<DraftOptions> {
  const [newest] = await ledger.campaigns.ids();
  const campaign =
    newest === undefined ? undefined : await ledger.campaigns.find(newest).catch(() => undefined);
  if (campaign === undefined) return {};
  const { lead, approve } = campaign;
  const isStricter = approveRules.indexOf(approve) > approveRules.indexOf(settings.approve);
  return { ...(lead !== null && { lead: writeLead(lead) }), ...(isStricter && { approve }) };
}

/** @param by name of the person who owns it. @throws {UseCaseError} `draft_not_stored`; `drafts_full` if there are too many. */
export async function createDraft(
  runtime: DraftRuntime,
  by: string,
  options: DraftOptions = {},
): Promise<Draft> {
  return oneAtATime('new draft', async () => {
    await refuseTooMany(runtime);
    const now = runtime.now();
    const draft: Draft = {
      id: randomBytes(idBytes).toString('hex'),
      version: 1,
      createdAt: now,
      changedAt: now,
      owner: by,
      changedBy: by,
      changed: 'made',
      reading: {},
      options,
    };
    await onDisk(() => mkdir(draftFolder(runtime, draft.id), { recursive: true, mode: 0o700 }));
    await write(runtime, draft);
    return draft;
  });
}

/** Each draft takes disk space and files. */
async function refuseTooMany(runtime: DraftRuntime): Promise<void> {
  const { most } = runtime.settings.drafts;
  const { drafts, unreadable } = await listDrafts(runtime);
  const count = drafts.filter(({ campaign }) => campaign === undefined).length + unreadable.length;
  if (count < most) return;
  throw new UseCaseError('drafts_full', `there are ${count} drafts; the limit is ${most}`, {
    fix: [
      'Discard old drafts in the list of campaigns, or ask an operator to raise the limit.',
      hint('setting', { name: 'drafts.most' }),
    ],
  });
}

/** @throws {UseCaseError} `draft_not_found`; `draft_not_stored` if its record cannot be read. */
export async function findDraft(runtime: Pick<DraftRuntime, 'environment'>, id: string): Promise<Draft> {
  const { draft: path } = draftFiles(runtime, id);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? draftNotFound() : draftNotStored(error);
  });
  const draft = readStored(draftSchema, text);
  if (draft?.id === id) return draft;
  throw new UseCaseError('draft_not_stored', `the draft's record ${path} cannot be read`, {
    fix: "Add the sheet again. Your file is still in the draft's folder.",
  });
}

/** A draft that files may still be added to. @throws {UseCaseError} `draft_not_found`, `upload_refused`. */
export async function findUnstartedDraft(runtime: DraftRuntime, id: string): Promise<Draft> {
  const draft = await findDraft(runtime, id);
  refuseStarting(draft);
  if (draft.campaign === undefined) return draft;
  throw new UseCaseError(
    'upload_refused',
    `the draft has become campaign ${draft.campaign}: its files can no longer change`,
    { fix: 'Begin a new campaign, or update this one with a corrected sheet on the campaign page.' },
  );
}

export interface AllDrafts {
  /** The newest first. */
  readonly drafts: readonly Draft[];
  /** Drafts whose record `draft.json` cannot be read, with the time of the last change of their files. Their other files are intact. */
  readonly unreadable: readonly Pick<Draft, 'id' | 'changedAt'>[];
}

/** Started drafts by the path of their record, which never changes again. They stay as long as their campaigns, so there may be thousands. */
const started = new LRUCache<string, Draft>({
  maxSize: 16_000_000,
  sizeCalculation: (draft) => JSON.stringify(draft).length,
});

/** @throws {UseCaseError} as `findDraft`. */
async function findListed(runtime: DraftRuntime, id: string): Promise<Draft> {
  const { draft: path } = draftFiles(runtime, id);
  const known = started.get(path);
  if (known !== undefined) return known;
  const draft = await findDraft(runtime, id);
  if (draft.campaign !== undefined) started.set(path, draft);
  return draft;
}

export async function listDrafts(runtime: DraftRuntime): Promise<AllDrafts> {
  const drafts: Draft[] = [];
  const unreadable: Pick<Draft, 'id' | 'changedAt'>[] = [];
  const look = async (id: string) => {
    try {
      drafts.push(await findListed(runtime, id));
    } catch (error) {
      // A draft that is being created or has just been removed has no record.
      if (error instanceof UseCaseError && error.code === 'draft_not_found') return;
      unreadable.push({ id, changedAt: await filesChangedAt(runtime, id) });
    }
  };
  await Promise.all((await listDraftIds(runtime)).map(look));
  const newestFirst = (before: { changedAt: number }, after: { changedAt: number }) =>
    after.changedAt - before.changedAt;
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

/** Kept as long as the campaign, as it has the rows left out. @returns undefined if there is none, or on another machine. */
export async function findDraftOf(
  runtime: Pick<Runtime, 'environment' | 'settings' | 'now' | 'ledger'>,
  { id }: Pick<Campaign, 'id'>,
): Promise<Draft | undefined> {
  const drafts = (await listDrafts(runtime)).drafts.filter(({ campaign }) => campaign === id);
  if (drafts.length === 0) return undefined;
  // Campaigns of other ledgers have the same ids.
  const ledger = await runtime.ledger.format.id();
  return drafts.find((draft) => draft.ledger === ledger);
}

export interface Change {
  readonly by: string;
  /** Undefined for a change that does not depend on the version, such as an upload. */
  readonly version: number | undefined;
  /** Of an edit: whether an undo takes it back together with the one before. */
  readonly isFurther?: true | undefined;
}

/** @returns undefined if somebody else changed the draft first. */
export async function unlessChanged<T>(change: Promise<T>): Promise<T | undefined> {
  return change.catch((error: unknown) => {
    if (error instanceof UseCaseError && error.code === 'draft_changed') return undefined;
    throw error;
  });
}

/**
 * Changes a draft, one change at a time.
 * @param what the change in a few words: "the zone".
 * @param change makes the change; it may write files of the draft first. Not called if the draft has changed since.
 * @throws {UseCaseError} `draft_changed` if somebody else changed it first, `draft_not_found`, `draft_not_stored`; and errors of
 *   `change`.
 */
export async function changeDraft(
  runtime: DraftRuntime,
  id: string,
  { by, version, what }: Change & { readonly what: string },
  change: (draft: Draft) => DraftChange | Promise<DraftChange>,
): Promise<Draft> {
  return exclusively(runtime, id, async () => {
    const draft = await findDraft(runtime, id);
    refuseStarted(draft);
    if (version !== undefined && version !== draft.version) throw draftChanged(draft);
    return store(runtime, draft, by, what, await change(draft));
  });
}

/**
 * Changes the files of a draft that is not started, one change at a time.
 * @param change makes the change. @returns undefined if the version that people have seen stays valid.
 * @throws {UseCaseError} as `findUnstartedDraft`; `draft_changed` while another process changes it, `draft_not_stored`; errors of `change`.
 */
export async function changeFiles(
  runtime: DraftRuntime,
  id: string,
  by: string,
  change: (draft: Draft) => Promise<{ readonly what: string; readonly to: DraftChange } | undefined>,
): Promise<void> {
  await exclusively(runtime, id, async () => {
    const draft = await findUnstartedDraft(runtime, id);
    const changed = await change(draft);
    if (changed !== undefined) await store(runtime, draft, by, changed.what, changed.to);
  });
}

async function store(
  runtime: DraftRuntime,
  draft: Draft,
  by: string,
  changed: string,
  change: DraftChange,
): Promise<Draft> {
  const { now } = runtime;
  const next = { ...draft, ...change, version: draft.version + 1, changedAt: now(), changedBy: by, changed };
  await write(runtime, next);
  return next;
}

/** That a start has begun, or created nothing. Within `changeDraft`. @throws {UseCaseError} `draft_not_stored`. */
export async function markStarting(
  runtime: DraftRuntime,
  draft: Draft,
  starting: true | undefined,
): Promise<void> {
  await write(runtime, { ...draft, starting });
}

function draftChanged({ changedBy, changed }: Draft): UseCaseError {
  return new UseCaseError('draft_changed', `the draft has since been changed by ${changedBy}: ${changed}`, {
    fix: 'Check the current draft, then try again.',
  });
}

async function write(runtime: DraftRuntime, draft: Draft): Promise<void> {
  const record = JSON.stringify(draftSchema.parse(draft));
  await onDisk(() => writeAtomically(draftFiles(runtime, draft.id).draft, [record]));
}
