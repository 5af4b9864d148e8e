/**
 * Hands out the events of the outbox: writes the message of each, and adds its deliveries to the queue `notify`. A delivery takes one
 * message to one receiver: at least once, always under one id, with growing pauses for a day.
 */
import type { Processor } from 'bullmq';
import type { PauseReason } from '../../ledger/campaigns/campaign.ts';
import type { CampaignEvent, OutboxEvent, RunEvent } from '../../ledger/outbox.ts';
import {
  type DeliveryPayload,
  deliveryPayload,
  notifyQueue,
  outboxJobName,
} from '../../queues/campaign-jobs.ts';
import { recordRun } from '../heartbeat.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { jobProcessor } from '../runner/job.ts';
import { done, type JobOutcome } from '../runner/outcome.ts';
import { reportJob } from '../runner/report.ts';
import type { Answer } from './receiver.ts';

const eventsAtOnce = 100;

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
 * Renews the interest of this process's receivers in events, adds deliveries again whose jobs were lost in a crash, and hands out
 * events, because the job that does so may be one of a killed process. A process without receivers leaves all of it to others.
 */
export async function keepOutbox(context: ProcessorContext): Promise<void> {
  const { ledger, queues, receivers } = context;
  if (receivers.all.length === 0) return;
  await ledger.outbox.want(receivers.all.flatMap(({ events }) => [...events]));
  const open = await ledger.outbox.open();
  await queues.addDeliveries(open.map(({ id, receiver }) => ({ e: id, to: receiver })));
  await handOutEvents(context);
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
  const { counts, unapproved = 0, unpaid = 0 } = (await ledger.campaigns.find(event.campaign)) ?? {};
  // The campaign was deleted, or people have decided about all these rows.
  if (!counts || (event.event === 'review.waiting' && counts.review === 0)) return undefined;
  if (event.event === 'approval.waiting') {
    // What waits now: some may have been decided, and others have come.
    const waiting = Object.entries({ not_approved: unapproved, not_paid: unpaid }).filter(
      ([, rows]) => rows > 0,
    );
    return waiting.length === 0 ? undefined : campaignMessage(event, counts, Object.fromEntries(waiting));
  }
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

type Counts = Readonly<Record<string, number>>;

const isNumber = /^\d{1,15}$/;
const mostCodes = 50;
const longestReason = 500;
const longestName = 200;

/** @param counts rows by state. @param codes rows by error code. */
export function campaignMessage(event: CampaignEvent, counts: Counts, codes: Counts): string {
  const { campaign, name, reason } = event;
  return JSON.stringify({
    ...headOf(event),
    campaign,
    name: cut(name, longestName),
    ...(reason && { reason: readable(reason) }),
    counts,
    codes: few(codes),
    command: `campaigns show ${campaign}`,
  });
}

export function runMessage(event: RunEvent): string {
  const { run, reason, counts, codes } = event;
  return JSON.stringify({
    ...headOf(event),
    // A number, as in `videos scrape --json` and the REST API.
    run: isNumber.test(run) ? Number(run) : run,
    ...(reason && { reason: readable(reason) }),
    counts,
    codes: few(codes),
    command: 'campaigns videos schedule',
  });
}

export function testMessage(at: number): string {
  return JSON.stringify({ ...headOf({ event: 'doctor.test', at }), command: 'campaigns doctor' });
}

/** `type`: Standard Webhooks recommend this name for the event. */
function headOf({ event, at }: { readonly event: string; readonly at: number }) {
  return { type: event, event, timestamp: new Date(at).toISOString() };
}

function readable({ code, message }: PauseReason): PauseReason {
  return { code, message: cut(message, longestReason) };
}

function cut(text: string, length: number): string {
  const characters = [...text.slice(0, length * 2)];
  return characters.length > length ? `${characters.slice(0, length).join('')}...` : text;
}

/** The codes with the most rows. The rest is summed up as `other`, together with those that the ledger summed up. */
function few({ other: unnamed = 0, ...codes }: Counts): Counts {
  const sorted = Object.entries(codes).sort(([, one], [, another]) => another - one);
  const other = sorted.slice(mostCodes).reduce((sum, [, rows]) => sum + rows, unnamed);
  return Object.fromEntries([...sorted.slice(0, mostCodes), ...(other > 0 ? [['other', other]] : [])]);
}

const dayMs = 86_400_000;
const firstPauseMs = 2_000;
const longestPauseMs = 3_600_000;

/** Jobs of the queue `notify`: the scheduled one hands out events, the others deliver messages. */
export function notifyProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, notifyQueue, async (running) => {
    const { name, data, attemptsStarted } = running.job;
    if (name === outboxJobName) {
      await recordRun(context, running.job);
      await handOutEvents(context);
      return { outcome: done };
    }
    const outcome = await deliver(context, deliveryPayload.parse(data), attemptsStarted, running.signal);
    return { outcome, report: () => reportJob(context, running, outcome) };
  });
}

/** @param attempt from 1. */
async function deliver(
  context: ProcessorContext,
  { e: id, to }: DeliveryPayload,
  attempt: number,
  signal: AbortSignal | undefined,
): Promise<JobOutcome> {
  const { ledger, receivers, log, now } = context;
  const message = await ledger.outbox.message(id, to);
  if (!message) return done;
  const receiver = receivers.find(to);
  const answer = (await receiver?.send({ id, body: message.body }, now(), signal)) ?? notConfigured;
  const facts = { event: id, receiver: receiver?.host ?? to };
  if (answer.kind === 'delivered') {
    await ledger.outbox.end(id, to);
    log.info({ ...facts, status: answer.status }, 'notification delivered');
    return done;
  }
  const { problem, fix } = answer;
  const at = now();
  const deadline = message.since + dayMs;
  if (answer.isFinal || at >= deadline) {
    await ledger.outbox.end(id, to);
    log.error({ ...facts, problem, fix }, 'notification given up');
    return done;
  }
  await ledger.outbox.noteProblem(id, to, problem);
  log.warn({ ...facts, problem, fix, attempt }, 'notification not delivered');
  return { kind: 'again', at: Math.min(deadline, at + pauseMs(attempt, answer.retryAfterMs)) };
}

const notConfigured: Answer = {
  kind: 'failed',
  problem: 'the setting notify of this process has no such webhook endpoint',
  fix: 'Give all workers the same settings.',
  isFinal: false,
};

/** Doubles from 2 seconds up to an hour. A random part of up to half is taken off, so that messages do not arrive all at once. */
function pauseMs(attempt: number, retryAfterMs = 0): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt - 1, 20));
  return Math.max(retryAfterMs, Math.round(full * (0.5 + Math.random() / 2)));
}
