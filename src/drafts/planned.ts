/**
 * The posts of a draft that have a time, for the calendar and its pictures. They are kept when the sheet is checked, in `planned.json`,
 * so that no page has to check the sheets of all drafts. That of an update is not kept: its rows stand in their campaign.
 */
import { readFile, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { PlannedDraft } from '../campaigns/calendar/schedule.ts';
import { manifestName } from '../campaigns/import/manifest-file.ts';
import { writeAtomically } from '../fs/write-file.ts';
import type { CheckedRow } from '../importers/check/checked-row.ts';
import type { RegisteredCreator } from '../importers/check/creators/creator-check.ts';
import { kindOf } from '../manifest/cells/media-source.ts';
import { createImportedRowReader, type ImportedSheet, type RowReader } from '../manifest/reader.ts';
import type { Row } from '../manifest/row.ts';
import { type Draft, onDisk } from './draft.ts';
import { listDrafts } from './drafts.ts';
import { type DraftRuntime, draftFiles, parseAs } from './folder.ts';
import { readingId } from './mends.ts';

/** Most posts of one draft: those of the first rows. Most agencies' sheets are shorter, and more would not fit on a page. */
const mostPosts = 2000;
/** Most characters of a text: names and captions are shown shortened, and a longer path has no picture. */
const longestText = 300;

const postSchema = z.strictObject({
  /** Number of the row in the file, from 1. */
  number: z.int().min(1),
  key: z.string(),
  creator: z.string(),
  name: z.string(),
  region: z.string().optional(),
  product: z.string(),
  caption: z.string(),
  at: z.int(),
  tz: z.string().optional(),
  /** Path or URL of the first medium; empty if it is generated. */
  media: z.string(),
  isPrompt: z.boolean(),
  /** Of the frame of a video, in milliseconds. */
  frameMs: z.number().optional(),
});

const planSchema = z.strictObject({
  /** `readingId` of the sheet that was checked. */
  of: z.string(),
  mediaRoot: z.string(),
  posts: z.array(postSchema).max(mostPosts),
  isWhole: z.boolean(),
});

const countsSchema = z.strictObject({
  /** `readingId` of the sheet that was checked. */
  of: z.string(),
  rows: z.int().min(0),
  refused: z.int().min(0),
  /** Problems of the sheet as a whole. */
  blocking: z.int().min(0),
});

/** What the last check of a draft found, in numbers, for the list of campaigns. */
export type KeptCounts = Readonly<z.infer<typeof countsSchema>>;

/** Keeps them. @throws {UseCaseError} `draft_not_stored`. */
export async function keepCounts(
  runtime: Pick<DraftRuntime, 'environment'>,
  draft: Draft,
  found: Omit<KeptCounts, 'of'>,
): Promise<void> {
  const { rows, refused, blocking } = found;
  const counts: KeptCounts = { of: readingId(draft) ?? '', rows, refused, blocking };
  await onDisk(() => writeAtomically(draftFiles(runtime, draft.id).found, [JSON.stringify(counts)]));
}

/** @returns undefined if the draft was not checked as it is read now. */
export async function findCounts(
  runtime: Pick<DraftRuntime, 'environment'>,
  draft: Draft,
): Promise<KeptCounts | undefined> {
  const text = await readFile(draftFiles(runtime, draft.id).found, 'utf8').catch(() => '');
  const counts = text.length > longestText ? undefined : parseAs(countsSchema, text);
  return counts?.of === readingId(draft) ? counts : undefined;
}

export type KeptPost = Readonly<z.infer<typeof postSchema>>;
export type KeptPlan = Readonly<z.infer<typeof planSchema>>;

/** Collects the posts with a time while a sheet is checked. */
export class PlanTally {
  readonly #reader: RowReader;
  readonly #posts: KeptPost[] = [];
  #isWhole = true;

  constructor(sheet: ImportedSheet) {
    this.#reader = createImportedRowReader(sheet);
  }

  add(rows: readonly CheckedRow[]): void {
    // Without such a column, no row has a time.
    if (this.#reader.header.indexes.scheduled_at < 0) return;
    for (const { cells, number, key } of rows) {
      if (!this.#isWhole) return;
      const read = this.#reader.read(cells, number);
      if (!('row' in read) || read.row.schedule === undefined) continue;
      if (this.#posts.length === mostPosts) {
        this.#isWhole = false;
        return;
      }
      this.#posts.push(postOf(read.row, key, number, read.row.schedule));
    }
  }

  /** Keeps them. @throws {UseCaseError} `draft_not_stored`. */
  async keep(
    runtime: Pick<DraftRuntime, 'environment'>,
    draft: Draft,
    mediaRoot: string,
    creators: ReadonlyMap<string, RegisteredCreator>,
  ): Promise<void> {
    const posts = this.#posts.map((post) => {
      const { username: name = post.name, oauthRegion: region } = creators.get(post.creator) ?? {};
      return { ...post, name, region };
    });
    const plan: KeptPlan = { of: readingId(draft) ?? '', mediaRoot, posts, isWhole: this.#isWhole };
    await onDisk(() => writeAtomically(draftFiles(runtime, draft.id).planned, [JSON.stringify(plan)]));
  }
}

function postOf(row: Row, key: string, number: number, { at, tz }: NonNullable<Row['schedule']>): KeptPost {
  const { creator, caption, product, media, cover, generation } = row;
  const [first = ''] = media;
  return {
    number,
    key,
    creator,
    name: creator,
    product: (product.title || product.id).slice(0, longestText),
    caption: caption.slice(0, longestText),
    at,
    tz,
    media: first.length > longestText ? '' : first,
    isPrompt: generation !== undefined,
    frameMs: cover?.kind === 'frame' && kindOf(first) === 'VIDEO' ? cover.timestampMs : undefined,
  };
}

/** Bytes of the files whose posts are kept in memory. */
const mostKept = 32 * 1024 * 1024;

/** What the last checks of all drafts found. Reads no sheet. */
export class DraftPlans {
  readonly #runtime: DraftRuntime;
  readonly #kept = new LRUCache<string, KeptPlan>({ maxSize: mostKept });

  constructor(runtime: DraftRuntime) {
    this.#runtime = runtime;
  }

  /** Drafts of new campaigns that have posts with a time; the newest first. */
  async list(): Promise<readonly PlannedDraft[]> {
    const drafts = (await listDrafts(this.#runtime)).drafts.filter(
      ({ campaign, into, sheet }) => campaign === undefined && into === undefined && sheet !== undefined,
    );
    const found = drafts.map(async (draft) => [draft, await this.find(draft.id)] as const);
    return (await Promise.all(found)).flatMap(([draft, plan]) => {
      if (plan === undefined || plan.of !== readingId(draft) || plan.posts.length === 0) return [];
      const { id, options, sheet } = draft;
      const posts = plan.posts.map(({ number, region, tz, ...post }) => ({
        ...post,
        position: number - 1,
        region,
        tz,
      }));
      return [{ id, name: options.name ?? manifestName(sheet?.name ?? id), posts, isWhole: plan.isWhole }];
    });
  }

  /** @returns undefined without a checked sheet. @throws {UseCaseError} `draft_not_found` for an invalid id. */
  async find(id: string): Promise<KeptPlan | undefined> {
    const path = draftFiles(this.#runtime, id).planned;
    const file = await stat(path).catch(() => undefined);
    if (file === undefined || file.size > mostKept) return undefined;
    const key = `${id} ${file.mtimeMs} ${file.ino}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const plan = parseAs(planSchema, await readFile(path, 'utf8').catch(() => ''));
    if (plan !== undefined) this.#kept.set(key, plan, { size: file.size + 1 });
    return plan;
  }
}
