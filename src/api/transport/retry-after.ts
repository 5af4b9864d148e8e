/** The `Retry-After` header of a 429 (contract, section 7). */

/** The longest wait: a service that asks for a day is asked again sooner. */
const longestMs = 3_600_000;

/**
 * Reads `Retry-After`: seconds, or an HTTP date.
 * @param nowMs the current time, Unix epoch in milliseconds.
 * @returns milliseconds to wait, at most an hour; undefined without a readable header.
 */
export function retryAfterMs(header: string | string[] | undefined, nowMs: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return undefined;
  const wait = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(inGmt(text)) - nowMs;
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(Math.ceil(wait), 0), longestMs);
}

/** The oldest of the three forms of an HTTP date names no zone; it means GMT, too. */
function inGmt(date: string): string {
  return /(GMT|UTC|Z|[+-]\d{4})$/i.test(date) ? date : `${date} GMT`;
}
