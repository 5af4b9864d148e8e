/** Which prefix all keys of a deployment have, those of BullMQ too. */

export const usualPrefix = 'campaigns';

/** The hash tag that all keys share, so that one node of a cluster holds them all. In production it is their whole prefix. */
export function keyTag(prefix: string = usualPrefix): string {
  return `{${prefix}}`;
}
