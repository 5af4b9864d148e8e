/**
 * The result of a posted row, packed into a few dozen bytes of text: a Redis hash with values under 64 bytes takes a sixth of
 * the space. Separated by TAB: post id, status, time of the answer (seconds, base 36), then `+` and the planned time if there is one
 * (minute, base 36), file ids by comma, seconds that the row took, base 36 (only for rows that succeeded at the first attempt; the
 * scripts write it, and compare results without it). Generated assets are JSON: a list of URLs; one with a thumbnail is a pair.
 */
import { z } from 'zod';
import { LedgerPart } from '../ledger-part.ts';
import { readStored } from '../stored-json.ts';

export interface PostedResult {
  readonly postId: string;
  /** As given by the service; empty if it gives none. */
  readonly postStatus: string;
  readonly fileIds: readonly string[];
  /** Unix epoch, milliseconds, rounded down to the second. */
  readonly at: number;
  /** When the service is to publish it, rounded up to the minute; undefined for at once. Unix epoch, milliseconds. */
  readonly plannedAt?: number | undefined;
  /** Seconds from the end of the row's first step to its post, if it succeeded at the first attempt; else undefined. */
  readonly tookSeconds?: number | undefined;
}

/** Frequent statuses are stored as one letter. The contract shows only the first of them. */
const letters = new Map([
  ['SCHEDULED', 'S'],
  ['PUBLISHED', 'P'],
  ['PUBLISHING', 'I'],
  ['FAILED', 'F'],
]);
/** Posts are counted by planned minute: a campaign has few of them, however many posts. */
export const plannedEveryMs = 60_000;
const statuses = new Map([...letters].map(([status, letter]) => [letter, status]));

/** Generated assets that are kept with a post. */
export type PostedAssets = Pick<Assets, 'assets'> & Partial<Assets>;

/** Data that a script writes at the end of a row or step: a payload, and further fields or assets. */
export interface ScriptEnd {
  readonly payload: string;
  readonly extras: readonly string[];
}

export function encodePost(posted: { readonly result: PostedResult } & PostedAssets): ScriptEnd {
  const { result, assets, thumbnails = [] } = posted;
  return {
    payload: packResult(result),
    extras: assets.length > 0 ? [packAssets({ assets, thumbnails })] : [],
  };
}

export function packResult(result: PostedResult): string {
  const status = letters.get(result.postStatus) ?? `=${result.postStatus.replace(/[\t\n]/g, ' ')}`;
  const seconds = Math.floor(result.at / 1000).toString(36);
  const { plannedAt } = result;
  const planned = plannedAt === undefined ? '' : `+${Math.ceil(plannedAt / plannedEveryMs).toString(36)}`;
  const postId = result.postId.replace(/[\t\n]/g, ' ');
  return [postId, status, seconds + planned, result.fileIds.join(',')].join('\t');
}

export function unpackResult(text: string): PostedResult {
  const [postId = '', status = '', times = '0', fileIds = '', took] = text.split('\t');
  const [seconds = '0', planned] = times.split('+');
  return {
    postId,
    postStatus: unpackStatus(status),
    fileIds: fileIds === '' ? [] : fileIds.split(','),
    at: Number.parseInt(seconds, 36) * 1000,
    ...(planned !== undefined && { plannedAt: unpackPlanned(planned) }),
    ...(took !== undefined && { tookSeconds: Number.parseInt(took, 36) }),
  };
}

/** The status of a post, as the service gave it. */
function unpackStatus(status: string): string {
  return statuses.get(status) ?? status.slice(1);
}

/** @returns Unix epoch, milliseconds. */
function unpackPlanned(planned: string): number {
  return Number.parseInt(planned, 36) * plannedEveryMs;
}

/** Several results, one a line. */
export function packResults(results: readonly PostedResult[]): string {
  return results.map(packResult).join('\n');
}

export function unpackResults(text: string): readonly PostedResult[] {
  return text.split('\n').map(unpackResult);
}

const stored = z.array(z.union([z.string(), z.tuple([z.string(), z.string()])]));

export interface Assets {
  /** URLs, in order. */
  readonly assets: readonly string[];
  /** URLs of their thumbnails, by the same index; undefined where the service names none. */
  readonly thumbnails: readonly (string | undefined)[];
}

export function packAssets({ assets, thumbnails }: Assets): string {
  return JSON.stringify(
    assets.map((url, index) => (thumbnails[index] === undefined ? url : [url, thumbnails[index]])),
  );
}

/** @returns undefined if there are none, or they cannot be read. */
export function readAssets(json: string | null | undefined): Assets | undefined {
  const read = readStored(stored, json ?? null);
  return (
    read && {
      assets: read.map((entry) => (typeof entry === 'string' ? entry : entry[0])),
      thumbnails: read.map((entry) => (typeof entry === 'string' ? undefined : entry[1])),
    }
  );
}

export const deliveries = ['live', 'scheduled', 'unconfirmed', 'posted'] as const;
/**
 * What is known of an accepted post, by planned time, status in the publishing records, and clock; counted without reading rows
 * (`results.lua`). `live`: published, by the records. `unconfirmed`: its time has passed, and they do not say so. `posted`: it had no time.
 */
export type Delivery = (typeof deliveries)[number];

/** What the delivery of an accepted post is judged by. */
export interface DeliveryRules {
  /** Unix epoch, milliseconds. */
  readonly now: number;
  /** Statuses of the publishing records that mean that a post is published. */
  readonly published: readonly string[];
}

/** Number of accepted posts by what is known of them. */
export interface DeliveryCounts extends Readonly<Record<Delivery, number>> {
  /** First and last planned time to come; undefined if there is none. Unix epoch, milliseconds. */
  readonly firstAt: number | undefined;
  readonly lastAt: number | undefined;
}

export const noDeliveries: DeliveryCounts = {
  live: 0,
  scheduled: 0,
  unconfirmed: 0,
  posted: 0,
  firstAt: undefined,
  lastAt: undefined,
};

export function deliveryOf(
  { postStatus, plannedAt }: Pick<PostedResult, 'postStatus' | 'plannedAt'>,
  { now, published }: DeliveryRules,
): Delivery {
  if (published.includes(postStatus)) return 'live';
  if (plannedAt === undefined) return 'posted';
  return plannedAt > now ? 'scheduled' : 'unconfirmed';
}

export class DeliveryLedger extends LedgerPart {
  /** Counts the posts of each campaign: one command a campaign, which reads a field for each planned time, not for each row. */
  async counts(ids: readonly string[], rules: DeliveryRules): Promise<readonly DeliveryCounts[]> {
    const pipeline = this.redis.pipeline();
    for (const id of ids) pipeline.hgetall(this.keys.plannedTimes(id));
    const replies = (await this.exec(pipeline)) as readonly Record<string, string>[];
    return replies.map((reply) => countDeliveries(reply, rules));
  }

  async ofOne(id: string, rules: DeliveryRules): Promise<DeliveryCounts> {
    const [counts = noDeliveries] = await this.counts([id], rules);
    return counts;
  }
}

function countDeliveries(fields: Readonly<Record<string, string>>, rules: DeliveryRules): DeliveryCounts {
  const counts: Record<Delivery, number> = { scheduled: 0, live: 0, unconfirmed: 0, posted: 0 };
  let firstAt: number | undefined;
  let lastAt: number | undefined;
  for (const [field, many] of Object.entries(fields)) {
    const space = field.indexOf(' ');
    const planned = field.slice(0, space);
    const plannedAt = planned === '' ? undefined : unpackPlanned(planned);
    const delivery = deliveryOf({ postStatus: unpackStatus(field.slice(space + 1)), plannedAt }, rules);
    counts[delivery] += Math.max(0, Number(many) || 0);
    if (delivery !== 'scheduled' || plannedAt === undefined) continue;
    firstAt = Math.min(firstAt ?? plannedAt, plannedAt);
    lastAt = Math.max(lastAt ?? plannedAt, plannedAt);
  }
  return { ...counts, firstAt, lastAt };
}
