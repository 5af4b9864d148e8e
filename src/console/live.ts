/**
 * Sends the live parts of pages by server-sent events. Once a second, all open views are read in one turn of the event loop, so that
 * they share their trips to Redis: one for the campaigns, one for what depends on them. Each stream gets the parts that changed.
 *
 * The id of an event is a hash of all parts of the view. A browser that reconnects with the current id has seen everything.
 */
import { createHash } from 'node:crypto';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { isOutage } from '../app/runtime/redis.ts';
import { UseCaseError } from '../manifest/problems/use-case-error.ts';
import type { Html } from './html.ts';

/** Parts of a page by the id of the element that they replace. */
export type LiveParts = Readonly<Record<string, Html>>;

export interface LiveView {
  /** Streams with the same key show the same: page, time zone and role. */
  readonly key: string;
  readonly read: () => Promise<LiveParts>;
}

interface Stream {
  readonly response: Response;
  /** Hash of each part that this browser has, by id. */
  readonly has: Map<string, string>;
  silentTicks: number;
  /** The id that the browser reconnected with; undefined after the first message. */
  lastEventId: string | undefined;
}

interface Watched {
  readonly view: LiveView;
  readonly streams: Set<Stream>;
}

const usualTickMs = 1000;
/** A stream without news sends a sign of life after this many ticks. */
const silentTicksAllowed = 3;
/** Most streams in one process: more than any team of people needs. */
const maxStreams = 1000;
/** Most streams of one user: several browsers with all their tabs. */
const maxStreamsOfUser = 30;
/** Most different views, because each is read once a second. */
const usualViews = 300;
const retrySeconds = 30;
/** A stream is closed if more bytes than this wait to be sent: its browser reads too slowly. */
const maxWaitingBytes = 1024 * 1024;

export class LiveHub {
  readonly #watched = new Map<string, Watched>();
  readonly #log: Logger;
  readonly #tickMs: number;
  readonly #mostViews: number;
  #timer: NodeJS.Timeout | undefined;
  #streams = 0;
  readonly #ofUsers = new Map<string, number>();
  /** When the present reading began, or the first of several failed ones. */
  #readingSince: number | undefined;
  #isReading = false;

  constructor(log: Logger, { tickMs = usualTickMs, mostViews = usualViews } = {}) {
    this.#log = log;
    this.#mostViews = mostViews;
    this.#tickMs = tickMs;
  }

  get size(): number {
    return this.#streams;
  }

  /** Until the browser leaves or the view is gone; 503 beyond the most streams. @param lastEventId that it reconnected with. */
  open(view: LiveView, response: Response, lastEventId: string | undefined, user?: string): void {
    // The tab was closed before its stream began: no `close` event would come any more.
    if (response.closed || response.destroyed) return;
    if (!this.#hasRoom(view, user)) {
      response.status(503).set('retry-after', String(retrySeconds)).end();
      return;
    }
    response.status(200).set({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    const stream: Stream = { response, has: new Map(), silentTicks: 0, lastEventId };
    const watched = this.#watched.get(view.key) ?? { view, streams: new Set() };
    this.#watched.set(view.key, watched);
    watched.streams.add(stream);
    this.#count(user, 1);
    response.once('close', () => {
      this.#count(user, -1);
      watched.streams.delete(stream);
      if (watched.streams.size === 0 && this.#watched.get(view.key) === watched)
        this.#watched.delete(view.key);
      if (this.#streams === 0) this.#rest();
    });
    this.#timer ??= setInterval(() => {
      this.#tellIfAway();
      void this.#tick();
    }, this.#tickMs);
    void this.#tick();
  }

  /** Ends all streams. Browsers reconnect when the server is back. */
  close(): void {
    for (const { streams } of this.#watched.values()) for (const { response } of streams) response.end();
    this.#rest();
  }

  #hasRoom({ key }: LiveView, user: string | undefined): boolean {
    if (this.#streams >= maxStreams) return false;
    if (!this.#watched.has(key) && this.#watched.size >= this.#mostViews) return false;
    return user === undefined || (this.#ofUsers.get(user) ?? 0) < maxStreamsOfUser;
  }

  #count(user: string | undefined, change: 1 | -1): void {
    this.#streams += change;
    if (user === undefined) return;
    const streams = (this.#ofUsers.get(user) ?? 0) + change;
    if (streams === 0) this.#ofUsers.delete(user);
    else this.#ofUsers.set(user, streams);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #tick(): Promise<void> {
    // While Redis does not answer, one reading waits for it. More would pile up.
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readingSince ??= Date.now();
    const views = [...this.#watched.values()];
    const read = await Promise.allSettled(views.map((watched) => this.#refresh(watched)));
    this.#isReading = false;
    const errors = read.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    if (errors[0]) this.#log.warn({ error: String(errors[0]) }, 'live parts not read');
    // Another error is that of one view.
    if (!errors.some(isOutage)) this.#readingSince = undefined;
  }

  /** Tells browsers that Redis does not answer, if a reading takes two ticks or more. */
  #tellIfAway(): void {
    if (this.#readingSince !== undefined && Date.now() - this.#readingSince >= 2 * this.#tickMs)
      this.#tellAway(this.#readingSince);
  }

  async #refresh({ view, streams }: Watched): Promise<void> {
    // A stream that opens meanwhile may be of a page that shows more already.
    const open = [...streams];
    const parts = await readOrEnd(view.read, streams);
    if (parts !== undefined) for (const stream of open) refresh(stream, parts);
  }

  #tellAway(since: number): void {
    const data = new Date(since).toISOString();
    for (const { streams } of this.#watched.values()) {
      for (const stream of streams) send(stream, { event: 'away', data });
    }
  }
}

interface Rendered {
  readonly id: string;
  readonly text: string;
  readonly hash: string;
}

/** @returns undefined if the thing that the streams show was deleted. They then end, and their browsers do not reconnect. */
async function readOrEnd(
  read: () => Promise<LiveParts>,
  streams: Iterable<Stream>,
): Promise<readonly Rendered[] | undefined> {
  try {
    return await render(await read());
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    for (const stream of streams) {
      send(stream, { event: 'gone', data: '-' });
      stream.response.end();
    }
    return undefined;
  }
}

function render(parts: LiveParts): Promise<readonly Rendered[]> {
  return Promise.all(
    Object.entries(parts).map(async ([id, part]) => {
      const text = String(await part);
      return { id, text, hash: hashOf(text) };
    }),
  );
}

/** Sends the parts that the browser does not have. What is the same in them stays as it is there, such as a picture, and an open detail. */
function refresh(stream: Stream, parts: readonly Rendered[]): void {
  const eventId = hashOf(parts.map(({ hash }) => hash).join());
  if (stream.lastEventId === eventId) for (const { id, hash } of parts) stream.has.set(id, hash);
  stream.lastEventId = undefined;
  const changed = parts.filter(({ id, hash }) => stream.has.get(id) !== hash);
  for (const { id, hash } of changed) stream.has.set(id, hash);
  if (changed.length > 0) {
    const html = changed.map(
      ({ id, text }) => `<hx-partial id="${id}" hx-swap="outerMorph">${text}</hx-partial>`,
    );
    send(stream, { id: eventId, data: html.join('') });
  } else if (stream.silentTicks >= silentTicksAllowed) send(stream, { event: 'alive', data: '-' });
  else stream.silentTicks += 1;
}

interface Message {
  readonly id?: string;
  readonly event?: string;
  readonly data: string;
}

function send(stream: Stream, { id, event, data }: Message): void {
  stream.silentTicks = 0;
  const { response } = stream;
  // A browser that does not read does not take the end of its stream: it stays open, and to write after the end is an error without a listener.
  if (response.writableEnded || response.writableLength > maxWaitingBytes) {
    response.destroy();
    return;
  }
  const head = `${id === undefined ? '' : `id: ${id}\n`}${event === undefined ? '' : `event: ${event}\n`}`;
  response.write(`${head}data: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`);
}

function hashOf(text: string): string {
  return createHash('sha1').update(text).digest('base64url').slice(0, 16);
}
