/**
 * What is known of accepted posts: `posted` says that the service accepted a post, not that it is published. Derived from planned
 * time, status in the publishing records, and clock; counted without reading rows (`results.lua`).
 */
import { LedgerPart } from '../ledger-part.ts';
import { type PostedResult, unpackPlanned, unpackStatus } from './results.ts';

/** `live`: published, by the publishing records. `unconfirmed`: its time has passed, and they do not say so. `posted`: it had no time. */
export type Delivery = 'scheduled' | 'live' | 'unconfirmed' | 'posted';
export const deliveries = [
  'live',
  'scheduled',
  'unconfirmed',
  'posted',
] as const satisfies readonly Delivery[];

/** By which accepted posts are told apart. */
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
  /** Of each campaign. One command a campaign, which reads a field for each planned time, not for each row. */
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
