/** Hands out the events of the outbox: writes the message of each, and adds its deliveries to the queue `notify`. */
import type { CampaignEvent, OutboxEvent } from '../../ledger/outbox.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { campaignMessage, runMessage } from './message.ts';

const eventsAtOnce = 100;

/** Hands out the events that are due. */
export async function handOutEvents(context: ProcessorContext): Promise<void> {
  const { ledger, queues, receivers } = context;
  for (const event of await ledger.outbox.due(eventsAtOnce)) {
    context.failpoint('before-hand-out');
    const wanted = receivers.of(event.event);
    const body = wanted.length > 0 ? await messageOf(context, event) : undefined;
    if (body === undefined) {
      await ledger.outbox.handOut(event.id, '', []);
    } else if (await ledger.outbox.handOut(event.id, body, wanted)) {
      await queues.addDeliveries(wanted.map((to) => ({ e: event.id, to })));
    }
  }
}

/**
 * Renews the interest of this process's receivers in events, and adds deliveries again whose jobs were lost in a crash. A
 * process without receivers leaves both to others.
 */
export async function keepOutbox(context: ProcessorContext): Promise<void> {
  const { ledger, queues, receivers } = context;
  if (receivers.all.length === 0) return;
  await ledger.outbox.want(receivers.all.flatMap(({ events }) => [...events]));
  const open = await ledger.outbox.open();
  await queues.addDeliveries(open.map(({ id, receiver }) => ({ e: id, to: receiver })));
}

/** @returns undefined if there is nothing left to report. */
async function messageOf({ ledger }: ProcessorContext, event: OutboxEvent): Promise<string | undefined> {
  if ('run' in event) return runMessage(event);
  if (event.counts) return campaignMessage(event, event.counts, await ledger.rows.errorCodes(event.campaign));
  return gatheredMessage(ledger, event);
}

async function gatheredMessage(
  ledger: ProcessorContext['ledger'],
  event: CampaignEvent,
): Promise<string | undefined> {
  const { counts } = (await ledger.campaigns.find(event.campaign)) ?? {};
  // The campaign was deleted, or all its rows in review have been decided.
  if (!counts || (event.event === 'review.waiting' && counts.review === 0)) return undefined;
  const codes = await codesOf(ledger, event);
  if (event.event === 'post.failed' && Object.keys(codes).length === 0) return undefined;
  return campaignMessage(event, counts, codes);
}

/** Collected rows by error code, without numbered rows that are no longer failed. */
async function codesOf(
  { rows: ledger }: ProcessorContext['ledger'],
  { campaign, rows, codes }: CampaignEvent,
): Promise<Readonly<Record<string, number>>> {
  const counts = new Map(Object.entries(codes));
  const [statuses, errors] = await Promise.all([
    ledger.statusesOf(campaign, rows),
    ledger.errors(campaign, rows),
  ]);
  for (const [index, status] of statuses.entries()) {
    const code = errors[index]?.code;
    if (status?.state === 'failed' && code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}
