/** Which prefix all keys have. */

/** The hash tag that all keys share, so that one node of a cluster holds them all. In production it is their whole prefix. */
export const keyTag = '{campaigns}';
