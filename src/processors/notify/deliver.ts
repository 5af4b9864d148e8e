/** Delivers one message to one receiver: at least once, always under one id, with growing pauses for a day. */
import type { Processor } from 'bullmq';
import {
  type DeliveryPayload,
  deliveryPayload,
  notifyQueue,
  outboxJobName,
} from '../../queues/campaign-jobs.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { jobProcessor } from '../frame/job.ts';
import { done, type JobOutcome } from '../frame/outcome.ts';
import { reportJob } from '../frame/report.ts';
import { beginRun } from '../periodic-jobs.ts';
import { handOutEvents } from './hand-out.ts';
import type { Answer } from './receivers.ts';

const dayMs = 86_400_000;
const firstPauseMs = 2_000;
const longestPauseMs = 3_600_000;

/** Jobs of the queue `notify`: the scheduled one hands out events, the others deliver messages. */
export function notifyProcessor(context: ProcessorContext): Processor {
  return jobProcessor(context, notifyQueue, async (at) => {
    const { name, data, attemptsStarted } = at.job;
    if (name === outboxJobName) {
      await beginRun(context, at.job);
      await handOutEvents(context);
      return { outcome: done };
    }
    const outcome = await deliver(context, deliveryPayload.parse(data), attemptsStarted, at.signal);
    return { outcome, report: () => reportJob(context, at, outcome) };
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
  const { problem, cure } = answer;
  const at = now();
  const deadline = message.since + dayMs;
  if (answer.isFinal || at >= deadline) {
    await ledger.outbox.end(id, to);
    log.error({ ...facts, problem, cure }, 'notification given up');
    return done;
  }
  await ledger.outbox.noteProblem(id, to, problem);
  log.warn({ ...facts, problem, cure, attempt }, 'notification not delivered');
  return { kind: 'again', at: Math.min(deadline, at + pauseMs(attempt, answer.retryAfterMs)) };
}

const notConfigured: Answer = {
  kind: 'failed',
  problem: 'the setting notify of this process has no such receiver',
  cure: 'Give all workers the same settings.',
  isFinal: false,
};

/** Doubles from 2 seconds up to an hour. A random part of up to half is taken off, so that messages do not arrive all at once. */
function pauseMs(attempt: number, retryAfterMs = 0): number {
  const full = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(attempt - 1, 20));
  return Math.max(retryAfterMs, Math.round(full * (0.5 + Math.random() / 2)));
}
