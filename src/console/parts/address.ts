/** Addresses of pages, and texts in them. */

/** Path of a row's page within the console. @param rest such as `/retry`. */
export function rowPath(campaign: string, key: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(campaign)}/rows/${encodeURIComponent(key)}${rest}`;
}

/** Path of the page to resume a creator who has authorized again. */
export function creatorPath(campaign: string, creator: string): string {
  return `/campaigns/${campaign}/creators/${encodeURIComponent(creator)}/resume`;
}

export const rateLimitsPath = '/queues#rate-limits';

const longestText = 200;

/** A text of the address; undefined if it is empty. */
export function textIn(query: URLSearchParams, name: string): string | undefined {
  return query.get(name)?.trim().slice(0, longestText) || undefined;
}
