/** Addresses of rows. */

/** Path of a row's page within the console. @param rest such as `/retry`. */
export function rowPath(campaign: string, key: string, rest = ''): string {
  return `/campaigns/${encodeURIComponent(campaign)}/rows/${encodeURIComponent(key)}${rest}`;
}
