/**
 * Keys in Redis. All begin with one hash tag, so that a cluster keeps them on one node and a script may use several.
 * `docs/internals/keys.md` has the sizes of those that grow.
 */

/** Rows and results are stored in chunks of this many: enough to compress well, few enough for a compact hash. */
export const chunkSize = 500;

/** Data that an import writes before it is sure expires after this time, if the import was killed. */
export const stagedForSeconds = 3600;

export type LedgerKeys = ReturnType<typeof ledgerKeys>;

/** @param prefix the hash tag, braces included: `{campaigns}`. Queues use it as their prefix too. */
export function ledgerKeys(prefix: string) {
  return {
    prefix,
    format: `${prefix}:format`,
    journal: `${prefix}:journal`,
    probe: `${prefix}:probe`,
    ...campaignKeys(prefix),
    ...postKeys(prefix),
    ...importKeys(prefix),
    ...workerKeys(prefix),
    ...videoKeys(prefix),
    ...accessKeys(prefix),
    ...serviceKeys(prefix),
  };
}

/** Keys that a campaign has exactly one of (no chunks, no per-row keys), behind that of the campaign itself. */
const single = {
  importing: 'importing',
  leftOut: 'left-out',
  /** Bit string: rows that may be the same post as another row, because a person wants it. */
  again: 'again',
  /** Hash: showcase group number to the JSON of the group. */
  groups: 'groups',
  /** Hash: `Row.creator`, to the JSON of the account. */
  creators: 'creators',
  /** Hash: row to revision, for running rows whose flow may not have been added yet. */
  adding: 'adding',
  /** Sorted set: rows decided a moment ago, by the time (Unix epoch, ms) at which they go on. */
  held: 'held',
  /** Sorted set: the thousand rows whose state changed last, by time (Unix epoch, ms). */
  changed: 'changed',
  /** Bit string: rows whose public URL is on the watch list. */
  videoRows: 'video-rows',
  /** Hash: minute of a day to minute since 1970 and rows posted in it, of the last 1,440 minutes with posts. */
  pace: 'pace',
  /** List: when the campaign was paused (with the code of the reason) and went on, the latest last. */
  pauses: 'pauses',
  /** Hash: which of the campaign's posts are still to be followed, as of the last reading of the publishing records. */
  follow: 'follow',
  /** String: exists until the publishing records may be read again for the campaign's posts. */
  followed: 'followed',
  /** Byte string, two bytes a row: state letter and revision. */
  states: 'states',
  tombstoneStates: 'tombstone-states',
  /** Hash: planned time (as in a packed result; empty for none) and status, to the number of posted rows that have them. */
  plannedTimes: 'planned-times',
  /** Hash: row to the packed results of its posts that were not published, one a line. */
  earlier: 'earlier',
  assets: 'assets',
  /** Hash: row to the JSON of the error that ended it, for failed and review rows. */
  errors: 'errors',
  /** Hash: row to its history, one JSON entry a line, for running rows and rows that did not succeed at the first attempt. */
  histories: 'histories',
  /** Hash: row to its comments, one JSON entry a line. */
  comments: 'comments',
  /** Hash: row to the JSON of the latest approval or rejection. */
  approvals: 'approvals',
} as const;

/**
 * Sorted sets of rows in a state, or to redo. Ready rows by the time (Unix epoch, ms) at which they go on, those that wait for an approval
 * by their planned time.
 */
const indexes = ['failed', 'review', 'redo', 'ready', 'unapproved', 'unpaid'] as const;
export type RowIndexName = (typeof indexes)[number];

export function singleKeysOf(keys: LedgerKeys, id: string): readonly string[] {
  const campaign = keys.campaign(id);
  const below = [...Object.values(single), ...indexes].map((name) => `${campaign}:${name}`);
  return [campaign, keys.shares(`c:${id}`), ...below];
}

function campaignKeys(prefix: string) {
  const campaign = (id: string) => `${prefix}:c:${id}`;
  const ofCampaign = Object.entries(single).map(([name, suffix]) => [
    name,
    (id: string) => `${campaign(id)}:${suffix}`,
  ]);
  return {
    campaigns: `${prefix}:campaigns`,
    campaignNumber: `${prefix}:campaign-number`,
    tombstones: `${prefix}:tombstones`,
    campaign,
    ...(Object.fromEntries(ofCampaign) as Record<keyof typeof single, (id: string) => string>),
    index: (id: string, state: RowIndexName) => `${campaign(id)}:${state}`,
    /** Hash: progress of a row that is not posted: file ids, schedules, the send journal. */
    progress: (id: string, row: number) => `${campaign(id)}:work:${row}`,
    results: (id: string, chunk: number) => `${campaign(id)}:results:${chunk}`,
    kept: (id: string, chunk: number) => `${campaign(id)}:kept:${chunk}`,
    undo: (id: string, row: number) => `${campaign(id)}:undo:${row}`,
  };
}

function postKeys(prefix: string) {
  return {
    /** Hash, one of 4,096: post id to the row that has, or had, it: `campaign row`, and ` a` where an answer said so. */
    posts: (shard: string) => `${prefix}:posts:${shard}`,
    /** Keys of the index of planned posts, by segment: `lua/planned-posts/planned-posts.lua` describes them. */
    planned: (segment: string, name: 'owners' | 'blocks' | number) => `${prefix}:planned:${segment}:${name}`,
    plannedVersion: `${prefix}:planned:version`,
  };
}

/** What imports write besides the rows of a campaign: how they find each other, stored rows, and staged data. */
function importKeys(prefix: string) {
  return {
    manifests: `${prefix}:manifests`,
    origin: (digest: string) => `${prefix}:origin:${digest}`,
    rows: (store: string, chunk: number) => `${prefix}:rows:${store}:${chunk}`,
    stagedNames: (store: string) => `${prefix}:staged-names:${store}`,
  };
}

function workerKeys(prefix: string) {
  return {
    workers: `${prefix}:workers`,
    worker: (id: string) => `${prefix}:worker:${id}`,
    /** Hash: name of a periodic job to the time of its last run (by the clock of Redis) and its period, in milliseconds. */
    periodic: `${prefix}:periodic`,
    periodicTaken: `${prefix}:periodic:taken`,
    stranded: `${prefix}:stranded`,
    lastChanges: `${prefix}:last-changes`,
    /** Keys of the outbox: `outbox.lua` describes them. */
    outbox: (what: 'wanted' | 'due' | 'open' | 'gathering' | `e:${string}`) => `${prefix}:outbox:${what}`,
  };
}

function videoKeys(prefix: string) {
  return {
    videos: (ofCampaign?: string) =>
      ofCampaign === undefined ? `${prefix}:videos` : `${prefix}:videos:c:${ofCampaign}`,
    videosByRow: (id: string) => `${prefix}:videos:k:${id}`,
    videoChanges: `${prefix}:videos:changes`,
    video: (id: string) => `${prefix}:v:${id}`,
    videoHistory: (id: string) => `${prefix}:v:${id}:h`,
    scrapes: `${prefix}:scrapes`,
    lastScrape: `${prefix}:scrapes:last`,
    runningScrape: `${prefix}:scrapes:running`,
    scrape: (run: number) => `${prefix}:scrape:${run}`,
    /** Hash: first to last video number of each part of a scrape that is not done yet. */
    openParts: (run: number) => `${prefix}:scrape:${run}:open`,
    scrapeCauses: (run: number) => `${prefix}:scrape:${run}:causes`,
  };
}

/** What is known of the service. `RateLimitBook` has those of rate limits. */
function serviceKeys(prefix: string) {
  return {
    /** Hashes of files at the service, by content and by source, and of products in showcases: see `placeOf`. */
    known: (kind: 'files' | 'sources' | 'products') => `${prefix}:${kind}`,
    uploading: (hash: string, contentType: string) => `${prefix}:uploading:${hash}:${contentType}`,
    /** String: AI outputs asked for in a month (`2026-11`). `spending.lua` writes it; it expires 400 days after the last one. */
    outputs: (month: string) => `${prefix}:outputs:${month}`,
    breakers: `${prefix}:breakers`,
    unreachable: `${prefix}:unreachable`,
    silences: `${prefix}:silences`,
  };
}

/** Keys of users of the console. `lua/access/` writes them too, and counts attempts to sign in (`tries`). */
function accessKeys(prefix: string) {
  return {
    users: `${prefix}:users`,
    /** Hash: SHA-256 of a token to the JSON of its facts. */
    tokens: `${prefix}:tokens`,
    /** Hash: user, stamp, times of a session. `digest` is the SHA-256 of the cookie's value. */
    session: (digest: string) => `${prefix}:session:${digest}`,
    /** String: JSON of a client link. `digest` is the SHA-256 of its token. */
    share: (digest: string) => `${prefix}:share:${digest}`,
    /** Sorted set: digests of the client links of a campaign (`c:ID`) or draft (`d:ID`), by the time (Unix epoch, ms) at which they expire. */
    shares: (of: string) => `${prefix}:${of}:shares`,
    secret: `${prefix}:secret`,
    audit: `${prefix}:audit`,
    signIns: `${prefix}:audit:sign-ins`,
    uploads: `${prefix}:audit:uploads`,
  };
}
