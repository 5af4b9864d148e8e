/**
 * The outbox: events for receivers. The script of a transition writes its event (`lua/outbox.lua`). Then the event is handed
 * out: its message is written once, with its receivers. It is dropped when each receiver has it or was given up.
 */
import { z } from 'zod';
import type { NotificationEvent } from '../../config/notify.ts';
import { type PauseReason, pauseReason } from './campaigns/campaign.ts';
import { LedgerPart } from './ledger-part.ts';
import { type RowState, rowStates } from './states.ts';
import { readStored, unlessOfOtherType } from './stored-json.ts';

type Counts = Readonly<Record<string, number>>;

interface EventFacts {
  readonly id: string;
  readonly event: NotificationEvent;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  readonly reason: PauseReason | undefined;
}

export interface CampaignEvent extends EventFacts {
  readonly campaign: string;
  readonly name: string;
  /** Rows by state at that moment; undefined for an event that collects rows. */
  readonly counts: Readonly<Record<RowState, number>> | undefined;
  /** Rows collected, by error code. */
  readonly codes: Counts;
  /** Rows collected by number instead: those whose posts were not published. */
  readonly rows: readonly number[];
}

export interface RunEvent extends EventFacts {
  readonly run: string;
  readonly counts: Counts;
  readonly codes: Counts;
}

export type OutboxEvent = CampaignEvent | RunEvent;

/** A message that a receiver does not have yet. */
interface OpenDelivery {
  readonly id: string;
  readonly receiver: string;
  /** When it was handed out: Unix epoch, milliseconds. */
  readonly since: number;
  /** Why the last attempt failed; empty before that. */
  readonly problem: string;
}

/** A receiver that was removed from the settings of all processes gets no events after this time. */
const wantedForMs = 7 * 86_400_000;
const gatheredEvents: readonly NotificationEvent[] = [
  'review.waiting',
  'approval.waiting',
  'approval.rejected',
  'comment.added',
  'post.failed',
  'post.twice',
];
const storedCounts: z.ZodType<Counts> = z.record(z.string(), z.number());

export class Outbox extends LedgerPart {
  /** Makes scripts write these events for the next week, and no longer those that were wanted last more than a week ago. */
  async want(events: readonly NotificationEvent[]): Promise<void> {
    if (events.length === 0) return;
    const key = this.keys.outbox('wanted');
    const now = await this.time();
    const until = String(now + wantedForMs);
    await this.redis.hset(key, Object.fromEntries(events.map((event) => [event, until])));
    await this.redis.pexpire(key, wantedForMs);
    const lapsed = Object.entries(await this.redis.hgetall(key)).filter(([, end]) => Number(end) < now);
    if (lapsed.length > 0) await this.redis.hdel(key, ...lapsed.map(([event]) => event));
  }

  /** Events to hand out now, the oldest first. */
  async due(most: number): Promise<readonly OutboxEvent[]> {
    const limit = ['LIMIT', '0', String(most)] as const;
    const ids = await this.redis.zrangebyscore(this.keys.outbox('due'), '-inf', await this.time(), ...limit);
    const found = await Promise.all(ids.map(async (id) => readEvent(id, await this.#fieldsOf(id))));
    // Unreadable events cannot be delivered, and a hundred of them would block all others.
    const unreadable = ids.filter((_id, index) => found[index] === undefined);
    if (unreadable.length > 0) await this.redis.zrem(this.keys.outbox('due'), ...unreadable);
    return found.filter((event) => event !== undefined);
  }

  /** Ends the collection of rows of these campaigns: their events are due now. */
  async endGathering(campaigns: readonly string[]): Promise<void> {
    const slots = campaigns.flatMap((id) => gatheredEvents.map((event) => `${event} ${id}`));
    if (slots.length === 0) return;
    const [found, now] = await Promise.all([
      this.redis.hmget(this.keys.outbox('gathering'), ...slots),
      this.time(),
    ]);
    for (const id of found) {
      if (id !== null) await this.redis.zadd(this.keys.outbox('due'), 'XX', now, id);
    }
  }

  /** Number of events that wait to be handed out or delivered, without those that still collect rows. */
  async pending(): Promise<number> {
    const now = await this.time();
    const [due, open] = await Promise.all([
      this.redis.zcount(this.keys.outbox('due'), '-inf', now),
      this.redis.zcard(this.keys.outbox('open')),
    ]);
    return due + open;
  }

  /** Writes the message of an event, with its receivers; without any, drops the event. @returns false if another process was quicker. */
  async handOut(id: string, body: string, receivers: readonly string[]): Promise<boolean> {
    return (await this.run('hand-out-event', [id, this.clock, body, ...receivers])) === 1;
  }

  /** All messages that some receiver does not have yet, the oldest first. */
  async open(): Promise<readonly OpenDelivery[]> {
    const ids = await this.redis.zrange(this.keys.outbox('open'), '0', '-1');
    const events = await Promise.all(ids.map((id) => this.#fieldsOf(id)));
    return events.flatMap((fields, index) =>
      named(fields, 'to:').map(([receiver, problem]) => ({
        id: ids[index] ?? '',
        receiver,
        since: Number(fields['handed-out']),
        problem,
      })),
    );
  }

  /** Empty for an event that is gone, or that is none: one must not block all others. */
  #fieldsOf(id: string): Promise<Readonly<Record<string, string>>> {
    return unlessOfOtherType(this.redis.hgetall(this.keys.outbox(`e:${id}`)), {});
  }

  /** A message to deliver, and since when it waits; undefined if the receiver has it already, or it was dropped. */
  async message(
    id: string,
    receiver: string,
  ): Promise<{ readonly body: string; readonly since: number } | undefined> {
    const key = this.keys.outbox(`e:${id}`);
    const [to, body, since] = await this.redis.hmget(key, `to:${receiver}`, 'body', 'handed-out');
    return to == null || body == null ? undefined : { body, since: Number(since) };
  }

  /** Records why an attempt failed, for people. */
  async noteProblem(id: string, receiver: string, problem: string): Promise<void> {
    await this.run('end-attempt', [id, receiver, problem]);
  }

  /** Ends a delivery, because the receiver has the message or was given up. */
  async end(id: string, receiver: string): Promise<void> {
    await this.run('end-attempt', [id, receiver, '']);
  }
}

/** Entries whose names begin with a prefix, without it. */
function named(fields: Readonly<Record<string, string>>, prefix: string): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), value] as const] : [],
  );
}

function readEvent(id: string, fields: Readonly<Record<string, string>>): OutboxEvent | undefined {
  const { event, at, campaign, run, reason } = fields;
  if (event === undefined || !(Number(at) > 0)) return undefined;
  const facts: EventFacts = {
    id,
    event: event as NotificationEvent,
    at: Number(at),
    reason: readStored(pauseReason, reason),
  };
  if (run !== undefined) {
    return {
      ...facts,
      run,
      counts: readStored(storedCounts, fields.counts) ?? {},
      codes: readStored(storedCounts, fields.codes) ?? {},
    };
  }
  return {
    ...facts,
    campaign: campaign ?? '',
    name: fields.name ?? '',
    counts: readCounts(fields.counts),
    codes: Object.fromEntries(named(fields, 'code:').map(([code, rows]) => [code, Number(rows)])),
    rows: named(fields, 'row:').map(([row]) => Number(row)),
  };
}

/** The numbers are in the order of `rowStates`. */
function readCounts(text: string | undefined): CampaignEvent['counts'] {
  const numbers = text?.split(' ').map(Number);
  if (numbers === undefined) return undefined;
  const counts = rowStates.map((state, index) => [state, numbers[index] ?? 0]);
  return Object.fromEntries(counts) as Record<RowState, number>;
}
