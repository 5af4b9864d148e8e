/** Addresses of rows. */

/** Path of a row's page within the console. @param rest such as `/retry`. */
export function rowPath(campaign: string, key: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(campaign)}/rows/${encodeURIComponent(key)}${rest}`;
}

/** Path of the page to resume a creator who has authorized again. */
export function creatorPath(campaign: string, creator: string): string {
  return `/campaigns/${campaign}/creators/${encodeURIComponent(creator)}/resume`;
}
