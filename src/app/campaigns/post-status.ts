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
import { plural } from '../../manifest/wording.ts';
import { isoTimeOf } from '../runtime/documents.ts';
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
const dueSoonMs = 86_400_000;

/** Whether nothing is left of it but rows that wait for their day, or for an approval. */
export function isAllReady({ state, counts }: Pick<Campaign, 'state' | 'counts'>): boolean {
  return state === 'running' && counts.ready > 0 && counts.waiting + counts.running === 0;
}

/** Rows of a campaign that need a worker. */
export interface DueRows {
  /** They can be worked on at once. */
  readonly waiting: number;
  /** Ready rows that go on within a day. */
  readonly ready: number;
  /** When the next ready row goes on (Unix epoch, milliseconds); undefined without any. */
  readonly readyAt: number | undefined;
  /** Whether that time has come. */
  readonly isPast: boolean;
}

export async function findDue(
  { ledger: { admission }, now }: Pick<Runtime, 'ledger' | 'now'>,
  { id, counts, unapproved, unpaid }: Pick<Campaign, 'id' | 'counts' | 'unapproved' | 'unpaid'>,
): Promise<DueRows> {
  const waiting = counts.waiting + counts.running;
  const atTheirDay = counts.ready - unapproved - unpaid;
  if (atTheirDay <= 0) return { waiting, ready: 0, readyAt: undefined, isPast: false };
  const readyAt = await admission.readyAt(id);
  // Their index is damaged: the admission pauses the campaign.
  if (readyAt === undefined) return { waiting, ready: atTheirDay, readyAt, isPast: true };
  const ready = await admission.countReady(id, now() + dueSoonMs);
  return { waiting, ready, readyAt, isPast: readyAt <= now() };
}

/** `5 rows wait, 3 ready rows are due, the next 2026-12-03T10:00:00.000Z`. Empty if no row needs a worker. */
export function describeDue({ waiting, ready, readyAt, isPast }: DueRows): string {
  const when = readyAt === undefined ? '' : `, ${isPast ? 'since' : 'the next'} ${isoTimeOf(readyAt)}`;
  const parts = [
    waiting > 0 && plural(waiting, 'row waits', 'rows wait'),
    ready > 0 && `${plural(ready, 'ready row is due', 'ready rows are due')}${when}`,
  ];
  return parts.filter(Boolean).join(', ');
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
