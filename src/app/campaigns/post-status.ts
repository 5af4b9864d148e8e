/** Posts that the service accepted, as people see them: they are not published yet. */
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import {
  type Delivery,
  type DeliveryCounts,
  type DeliveryRules,
  deliveryOf,
  noDeliveries,
  type PostedResult,
} from '../../ledger/rows/results.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { shownCounts } from './find.ts';

/** States and deliveries as people see them: `posted` is left for posts of which nothing more is known. */
export type ShownCounts = Campaign['counts'] & Readonly<Record<Delivery, number>>;

/** Whether all its rows have ended, and some of its accepted posts are to be published later. @param now Unix epoch, milliseconds. */
export function isScheduled(
  { state, plannedUntil = 0 }: Pick<Campaign, 'state' | 'plannedUntil'>,
  now: number,
): boolean {
  return state === 'ended' && plannedUntil > now;
}

/** Ready rows that are due later need no worker yet. Milliseconds. */
export const dueSoonMs = 86_400_000;

/** Whether nothing is left of it but rows that wait for their day, or for an approval. */
export function isAllReady({ state, counts }: Pick<Campaign, 'state' | 'counts'>): boolean {
  return state === 'running' && counts.ready > 0 && counts.waiting + counts.running === 0;
}

/** Whether rows of a campaign under way are to be worked on within so many milliseconds. @param readyAt when the next ready row goes on. */
export function isDueWithin(
  ms: number,
  campaign: Pick<Campaign, 'state' | 'counts' | 'unapproved' | 'unpaid'>,
  readyAt: number | undefined,
  now: () => number,
): boolean {
  if (!isAllReady(campaign)) return true;
  return readyAt === undefined
    ? campaign.unapproved + campaign.unpaid < campaign.counts.ready
    : readyAt <= now() + ms;
}

/** A final status of the publishing records that is not a failed one means: published. */
export function deliveryRules({ settings, now }: Pick<Runtime, 'settings' | 'now'>): DeliveryRules {
  const { final, failed } = settings.records;
  return { now: now(), published: final.filter((status) => !failed.includes(status)) };
}

/** Accepted posts of which this is known, as a filter of rows. */
export function acceptedPosts(runtime: Pick<Runtime, 'settings' | 'now'>, is: Delivery) {
  return { state: 'posted', delivery: { is, by: deliveryRules(runtime) } } as const;
}

/** Of each campaign. Reads no rows. */
export function readDeliveries(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  campaigns: readonly Pick<Campaign, 'id'>[],
): Promise<readonly DeliveryCounts[]> {
  const ids = campaigns.map(({ id }) => id);
  return runtime.ledger.deliveries.counts(ids, deliveryRules(runtime));
}

export function readDeliveriesOf(
  runtime: Pick<Runtime, 'ledger' | 'settings' | 'now'>,
  { id }: Pick<Campaign, 'id'>,
): Promise<DeliveryCounts> {
  return runtime.ledger.deliveries.ofOne(id, deliveryRules(runtime));
}

/** Rows by state, accepted ones by what is known of them. Both may have been read a moment apart: the sum is that of the states. */
export function deliveredCounts(
  campaign: Pick<Campaign, 'state' | 'counts'>,
  { live, scheduled, unconfirmed }: Readonly<Record<Delivery, number>> = noDeliveries,
): ShownCounts {
  const counts = shownCounts(campaign);
  let left = counts.posted;
  const take = (many: number) => {
    const taken = Math.min(many, left);
    left -= taken;
    return taken;
  };
  const taken = { live: take(live), scheduled: take(scheduled), unconfirmed: take(unconfirmed) };
  return { ...counts, ...taken, posted: left };
}

/** The service's word, unless the clock belies it: a past time without confirmation is `UNCONFIRMED`. */
export function postStatusOf(result: PostedResult, rules: DeliveryRules): string {
  const { postStatus } = result;
  const isAsAccepted = postStatus === '' || postStatus === 'SCHEDULED';
  const delivery = deliveryOf(result, rules);
  if (!isAsAccepted || delivery === 'live' || delivery === 'posted') return postStatus;
  return delivery === 'scheduled' ? 'SCHEDULED' : 'UNCONFIRMED';
}

/** @param at its planned time, in words. */
export function describeDelivery(delivery: Delivery, at: string): string {
  if (delivery === 'scheduled') return `scheduled for ${at}`;
  return delivery === 'unconfirmed' ? 'posted, not confirmed live' : delivery;
}
