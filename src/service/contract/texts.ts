/**
 * Texts in answers: how long they may be, and what they may hold. An id, status or URL is taken as it is or not at all: a
 * part of an id names something else. Free text is only shown, so it is cut.
 */
import { z } from 'zod';

/** Ids and statuses of services have 10 to 40 characters, a UUID 36. They become fields and keys in Redis, by the row. */
export const longestId = 256;
/** Servers refuse longer request lines. Presigned URLs with a session token have about 2,000 characters. */
export const longestUrl = 8192;
/** A message has to fit a line of a log and a cell of a sheet. */
const longestMessage = 300;
/** A caption of an answer that is shown: the most that a post may have (`posts.ts`) is 4,000 characters, of two units each. */
const longestShownCaption = 8000;

/** Stands in an answer for a text that spells the API key. No schema but that of free text takes it. */
export class EchoedKey {
  /** The text without the key. */
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A text that is taken whole or not at all. @param most characters. */
export function wholeText(most: number) {
  return z
    .string({ error: ({ input }) => (input instanceof EchoedKey ? 'it contains the API key' : undefined) })
    .max(most, `it has more than ${most} characters`);
}

/** A name in an answer, such as a region. May be empty. */
export const label = wholeText(longestId);

/** An id or status in an answer. An integer reads as its digits: databases and services mix the two. */
export const textual = z.preprocess(digitsOf, label.min(1));

/** What the next page of a list is asked for by. Services pack state into it; it goes into a URL. Empty: no next page. */
export const pageToken = z.preprocess(digitsOf, wholeText(longestUrl));

function digitsOf(value: unknown): unknown {
  return typeof value === 'number' && Number.isInteger(value) ? String(value) : value;
}

/** Text for people in an answer: on one line, cut, without the key. */
export const message = z.preprocess(withoutKey, z.string().overwrite(printable));

/** A caption in an answer: cut, without the key. Its lines stay. */
export const caption = z.preprocess(
  withoutKey,
  z.string().overwrite((text) => cutTo(longestShownCaption, text)),
);

function withoutKey(value: unknown): unknown {
  return value instanceof EchoedKey ? value.text : value;
}

/** Marks that turn the direction of writing. */
const turns = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** White space, control characters (C0 and C1), and bytes that were no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
const breaks = /[\s\u0000-\u001f\u007f-\u009f\ufffd]+/g;

function printable(text: string): string {
  // Most texts are short. Of a long one, a part is enough, however much of it is white space.
  const part = text.slice(0, longestMessage * 4);
  const plain = part.replaceAll(turns, '').replaceAll(breaks, ' ').trim();
  return cutTo(longestMessage, plain, part.length < text.length);
}

const cut = '… (cut)';

/** @param isPart the text is the beginning of a longer one. */
function cutTo(most: number, text: string, isPart = false): string {
  if (text.length <= most && !isPart) return text;
  const kept = text.slice(0, most - cut.length).trimEnd();
  // A part of a text keeps the whole of it in memory. This makes it a text of its own.
  return Buffer.from(kept.toWellFormed()).toString() + cut;
}
