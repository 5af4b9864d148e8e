/**
 * The posts of a draft that have a time, for the calendar and its pictures. They are kept when the sheet is checked,
 * so that no page has to check the sheets of all drafts. That of an update is not kept: its rows stand in their campaign.
 */
import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { CheckedRow } from '../../importers/check/checked-row.ts';
import { manifestName } from '../../importers/open/manifest-file.ts';
import type { CreatorRef } from '../../ledger/campaigns/campaign.ts';
import { kindOf } from '../../manifest/cells/media-source.ts';
import { turn } from '../../manifest/event-loop.ts';
import type { Row } from '../../manifest/row.ts';
import type { PlannedDraft } from '../campaigns/calendar/schedule.ts';
import { type Draft, readingId } from './draft.ts';
import { listDrafts } from './drafts.ts';
import { type DraftRuntime, draftFiles } from './folder.ts';
import { DraftDatabase } from './store/database.ts';

/** Most posts of one draft: those of the first rows. Most agencies' sheets are shorter, and more would not fit on a page. */
const mostPosts = 2000;
/** Most characters of a text: names and captions are shown shortened, and a longer path has no picture. */
const longestText = 300;

/** A post as the last check found it. */
export interface KeptPost {
  /** Number of the row in the file, from 1. */
  readonly number: number;
  readonly key: string;
  readonly creator: string;
  readonly name: string;
  readonly region?: string | undefined;
  readonly product: string;
  readonly caption: string;
  readonly at: number;
  readonly tz?: string | undefined;
  /** Path or URL of the first medium; empty if it is generated. */
  readonly media: string;
  readonly isPrompt: boolean;
  /** Of the frame of a video, in milliseconds. */
  readonly frameMs?: number | undefined;
}

export interface KeptPlan {
  /** `readingId` of the sheet that was checked. */
  readonly of: string | undefined;
  readonly mediaRoot: string;
  readonly posts: readonly KeptPost[];
  readonly isWhole: boolean;
}

/** What the last check of a draft found, in numbers, for the list of campaigns. */
export interface KeptCounts {
  /** `readingId` of the sheet that was checked. */
  readonly of: string | undefined;
  /** Without those that are skipped. */
  readonly rows: number;
  readonly refused: number;
  /** Problems of the sheet as a whole. */
  readonly blocking: number;
}

/** Stores them. Only within `DraftDatabase.write`. */
export function keepPlan(database: DraftDatabase, counts: KeptCounts, plan: KeptPlan | undefined): void {
  database.setFact('counts', counts);
  database.setFact('plan', plan);
}

/** Puts rows that were checked again into the kept plan. Only within `DraftDatabase.write`. @param numbers all of these rows. */
export function updatePlan(
  database: DraftDatabase,
  numbers: ReadonlySet<number>,
  again: ScheduledPosts,
): void {
  const plan = database.fact<KeptPlan>('plan');
  if (plan === undefined) return;
  const others = plan.posts.filter(({ number }) => !numbers.has(number));
  const known = new Map(plan.posts.map(({ creator, name, region }) => [creator, { name, region }]));
  const posts = again.posts.map((post) => ({ ...post, ...known.get(post.creator) }));
  const all = [...others, ...posts].sort((one, other) => one.number - other.number);
  database.setFact('plan', { ...plan, posts: all } satisfies KeptPlan);
}

/** @returns undefined if the draft was not checked as it is read now. */
export async function findCounts(
  runtime: Pick<DraftRuntime, 'environment'>,
  draft: Draft,
): Promise<KeptCounts | undefined> {
  const counts = await findFact<KeptCounts>(runtime, draft.id, 'counts').catch(() => undefined);
  return counts?.of === readingId(draft) ? counts : undefined;
}

async function findFact<T>(
  runtime: Pick<DraftRuntime, 'environment'>,
  id: string,
  name: string,
): Promise<T | undefined> {
  const path = draftFiles(runtime, id).database;
  // Opening it would create it.
  if ((await stat(path).catch(() => undefined)) === undefined) return undefined;
  using database = await DraftDatabase.open(path);
  return database.fact<T>(name);
}

/** Collects the posts with a time while a sheet is checked. */
export class ScheduledPosts {
  readonly #posts: KeptPost[] = [];
  #isWhole = true;

  add(rows: readonly CheckedRow[]): void {
    for (const { row, number, key } of rows) {
      if (!this.#isWhole) return;
      if (row.schedule === undefined) continue;
      if (this.#posts.length === mostPosts) {
        this.#isWhole = false;
        return;
      }
      this.#posts.push(postOf(row, key, number, row.schedule));
    }
  }

  get posts(): readonly KeptPost[] {
    return this.#posts;
  }

  /** @param creators by `Row.creator`. */
  plan(draft: Draft, mediaRoot: string, creators: ReadonlyMap<string, CreatorRef>): KeptPlan {
    const posts = this.#posts.map((post) => {
      const { username: name = post.name, oauthRegion: region } = creators.get(post.creator) ?? {};
      return { ...post, name, region };
    });
    return { of: readingId(draft), mediaRoot, posts, isWhole: this.#isWhole };
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

/** Posts that are kept in memory, of all drafts. */
const mostKept = 60_000;

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
    const planned: PlannedDraft[] = [];
    for (const draft of drafts) {
      const plan = await this.find(draft.id).catch(() => undefined);
      if (plan === undefined || plan.of !== readingId(draft) || plan.posts.length === 0) continue;
      const { id, options, sheet } = draft;
      const posts = plan.posts.map(({ number, region, tz, ...post }) => ({
        ...post,
        position: number - 1,
        region,
        tz,
      }));
      const name = options.name ?? manifestName(sheet?.name ?? id);
      planned.push({ id, name, posts, isWhole: plan.isWhole });
    }
    return planned;
  }

  /** @returns undefined without a checked sheet. @throws {UseCaseError} `draft_not_found` for an invalid id; `draft_not_stored`. */
  async find(id: string): Promise<KeptPlan | undefined> {
    const path = draftFiles(this.#runtime, id).database;
    const files = [path, `${path}-wal`].map(
      async (each) => (await stat(each).catch(() => undefined))?.mtimeMs,
    );
    const key = [id, ...(await Promise.all(files))].join(' ');
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    await turn.pause();
    const plan = await findFact<KeptPlan>(this.#runtime, id, 'plan');
    if (plan !== undefined) this.#kept.set(key, plan, { size: plan.posts.length + 1 });
    return plan;
  }
}
