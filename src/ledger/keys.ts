/**
 * Keys in Redis. All begin with one hash tag, so that a cluster keeps them on one node and a script may use several.
 * `docs/internals/keys.md` has the same list with sizes.
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
    /** Hash: number of the format, id of the ledger. */
    format: `${prefix}:format`,
    /** Hash: position of the send journal, and what is known of a loss. */
    journal: `${prefix}:journal`,
    /** String: written to find out whether Redis takes writes; expires at once. */
    probe: `${prefix}:probe`,
    ...campaignKeys(prefix),
    ...campaignRowKeys(prefix),
    ...postKeys(prefix),
    ...importKeys(prefix),
    ...workerKeys(prefix),
    ...videoKeys(prefix),
    ...accessKeys(prefix),
    ...serviceKeys(prefix),
  };
}

/** Keys that a campaign has exactly one of (no chunks, no per-row keys). */
export function singleKeysOf(keys: LedgerKeys, id: string): readonly string[] {
  return [
    ...[keys.campaign(id), keys.states(id), keys.tombstoneStates(id), keys.assets(id), keys.errors(id)],
    ...[keys.index(id, 'failed'), keys.index(id, 'review'), keys.index(id, 'redo')],
    ...[keys.adding(id), keys.groups(id), keys.creators(id), keys.follow(id), keys.followed(id)],
    ...[keys.importing(id), keys.again(id)],
    ...[keys.leftOut(id), keys.held(id), keys.earlier(id), keys.histories(id), keys.videoRows(id)],
    ...[keys.pace(id), keys.pauses(id), keys.changed(id), keys.plannedTimes(id)],
  ];
}

/** Of campaigns as a whole. */
function campaignKeys(prefix: string) {
  /** Hash: facts and counters of a campaign. */
  const campaign = (id: string) => `${prefix}:c:${id}`;
  return {
    /** Sorted set: campaign id by time of creation. */
    campaigns: `${prefix}:campaigns`,
    /** Number: how many campaigns have been made. */
    campaignNumber: `${prefix}:campaign-number`,
    /** Hash: id of a deleted campaign, to what is needed to remove the rest of its keys. */
    tombstones: `${prefix}:tombstones`,
    campaign,
    /** `states` of a deleted campaign. */
    tombstoneStates: (id: string) => `${campaign(id)}:tombstone-states`,
    /** String: exists while an import into the campaign runs; expires soon after the import was killed. */
    importing: (id: string) => `${campaign(id)}:importing`,
    /** Bit string: rows that may be the same post as another row, because a person wants it. */
    again: (id: string) => `${campaign(id)}:again`,
    /** Hash: showcase group number to the JSON of the group. */
    groups: (id: string) => `${campaign(id)}:groups`,
    /** Hash: creator as written in the manifest, to the JSON of the account. */
    creators: (id: string) => `${campaign(id)}:creators`,
    /** Hash: row to revision, for running rows whose flow may not have been added yet. */
    adding: (id: string) => `${campaign(id)}:adding`,
    /** Sorted set: rows in this state, or rows to redo. */
    index: (id: string, state: 'failed' | 'review' | 'redo') => `${campaign(id)}:${state}`,
    /** Sorted set: rows decided a moment ago, by the time (Unix epoch, ms) at which they go on. */
    held: (id: string) => `${campaign(id)}:held`,
    /** Sorted set: the thousand rows whose state changed last, by time (Unix epoch, ms). */
    changed: (id: string) => `${campaign(id)}:changed`,
    /** Set: keys of rows left out because of problems. */
    leftOut: (id: string) => `${campaign(id)}:left-out`,
    /** Bit string: rows whose public URL is on the watch list. */
    videoRows: (id: string) => `${campaign(id)}:video-rows`,
    /** Hash: minute of a day to minute since 1970 and rows posted in it, of the last 1,440 minutes with posts. */
    pace: (id: string) => `${campaign(id)}:pace`,
    /** List: when the campaign was paused (with the code of the reason) and went on, the latest last. */
    pauses: (id: string) => `${campaign(id)}:pauses`,
    /** Hash: which of the campaign's posts are still to be followed, as of the last look. */
    follow: (id: string) => `${campaign(id)}:follow`,
    /** String: exists until the publishing records may be read again for the campaign's posts. */
    followed: (id: string) => `${campaign(id)}:followed`,
  };
}

/** Of the rows of a campaign. */
function campaignRowKeys(prefix: string) {
  const campaign = (id: string) => `${prefix}:c:${id}`;
  return {
    /** Byte string, two bytes a row: state letter and revision. */
    states: (id: string) => `${campaign(id)}:states`,
    /** Hash: progress of a row that is not posted: file ids, schedules, the send journal. */
    progress: (id: string, row: number) => `${campaign(id)}:work:${row}`,
    /** Hash by chunk: packed results of posted rows. */
    results: (id: string, chunk: number) => `${campaign(id)}:results:${chunk}`,
    /** Hash: planned time (as in a packed result; empty for none) and status, to the number of posted rows that have them. */
    plannedTimes: (id: string) => `${campaign(id)}:planned-times`,
    /** Hash by chunk: cover and schedules of posted rows that have any, to post such a row again. */
    kept: (id: string, chunk: number) => `${campaign(id)}:kept:${chunk}`,
    /** Hash: row to the packed results of its posts that were not published, one a line. */
    earlier: (id: string) => `${campaign(id)}:earlier`,
    /** Hash: row to the JSON list of its generated assets, for posted rows. */
    assets: (id: string) => `${campaign(id)}:assets`,
    /** Hash: row to the JSON of the error that ended it, for failed and review rows. */
    errors: (id: string) => `${campaign(id)}:errors`,
    /** Hash: row to its history, one JSON entry a line, for running rows and rows that did not succeed at the first attempt. */
    histories: (id: string) => `${campaign(id)}:histories`,
    /** Hash: what a decision about a row replaced; expires after ten minutes. */
    undo: (id: string, row: number) => `${campaign(id)}:undo:${row}`,
  };
}

/** Which posts there are, and which are planned. */
function postKeys(prefix: string) {
  return {
    /** Hash, one of 4,096: post id to the row that has, or had, it: `campaign row`, and ` a` where an answer said so. */
    posts: (shard: string) => `${prefix}:posts:${shard}`,
    /** Keys of the index of planned posts, by segment: `lua/planned-posts/planned-posts.lua` describes them. */
    planned: (segment: string, name: 'owners' | 'blocks' | number) => `${prefix}:planned:${segment}:${name}`,
    /** Number: how many imports have added posts to it. */
    plannedVersion: `${prefix}:planned:version`,
  };
}

/** What imports write besides the rows of a campaign: how they find each other, stored rows, and staged data. */
function importKeys(prefix: string) {
  return {
    /** Hash: SHA-256 of a manifest to the newest campaign made of it. */
    manifests: `${prefix}:manifests`,
    /** String: id of the campaign that a request has made, by the digest of the request; expires. */
    origin: (digest: string) => `${prefix}:origin:${digest}`,
    /** String: one compressed chunk of rows, in the store that the import wrote to. */
    rows: (store: string, chunk: number) => `${prefix}:rows:${store}:${chunk}`,
    /** Set: names of rows that an import collects; expires soon after the import was killed. */
    stagedNames: (store: string) => `${prefix}:staged-names:${store}`,
  };
}

/** Of workers and their periodic jobs. */
function workerKeys(prefix: string) {
  return {
    /** Sorted set: workers by the time of their last heartbeat. */
    workers: `${prefix}:workers`,
    /** String: JSON of a worker's facts; expires some time after its last heartbeat. */
    worker: (id: string) => `${prefix}:worker:${id}`,
    /** Hash: name of a periodic job to the time of its last run (by the clock of Redis) and its period, in milliseconds. */
    periodic: `${prefix}:periodic`,
    /** Hash: name of a periodic job to when a process was last told to add it. */
    periodicTaken: `${prefix}:periodic:taken`,
    /** Hash: campaign to the JSON of how many of its running rows have no live job, and since when. */
    stranded: `${prefix}:stranded`,
    /** Hash: the JSON of the last change of each rate limit and queue, with who made it. */
    lastChanges: `${prefix}:last-changes`,
    /** Keys of the outbox: `outbox.lua` describes them. */
    outbox: (what: 'wanted' | 'due' | 'open' | 'gathering' | `e:${string}`) => `${prefix}:outbox:${what}`,
  };
}

/** Of the watch list and its scrapes. */
function videoKeys(prefix: string) {
  return {
    /** Sorted set: video id by its number, in the order of addition; of the whole watch list, or of one campaign. */
    videos: (ofCampaign?: string) =>
      ofCampaign === undefined ? `${prefix}:videos` : `${prefix}:videos:c:${ofCampaign}`,
    /** Hash: key of a row to the id of its video. */
    videosByRow: (id: string) => `${prefix}:videos:k:${id}`,
    /** String: number of changes of the watch list by imports and removals. */
    videoChanges: `${prefix}:videos:changes`,
    /** Hash: facts of a video, the service's last answer, and a summary of its history. */
    video: (id: string) => `${prefix}:v:${id}`,
    /** List: samples of a video as JSON, oldest first. */
    videoHistory: (id: string) => `${prefix}:v:${id}:h`,
    /** Sorted set: number of a scrape by its start. */
    scrapes: `${prefix}:scrapes`,
    /** String: number of the last scrape. */
    lastScrape: `${prefix}:scrapes:last`,
    /** String: number of the scrape that runs. */
    runningScrape: `${prefix}:scrapes:running`,
    /** Hash: record of a scrape. */
    scrape: (run: number) => `${prefix}:scrape:${run}`,
    /** Hash: first to last video number of each part of a scrape that is not done yet. */
    openParts: (run: number) => `${prefix}:scrape:${run}:open`,
    /** Hash: why videos failed in a scrape, by code. */
    scrapeCauses: (run: number) => `${prefix}:scrape:${run}:causes`,
  };
}

/** What is known of the service. `RateLimitBook` has those of rate limits. */
function serviceKeys(prefix: string) {
  return {
    /** Hashes of files at the service, by content and by source, and of products in showcases: see `placeOf`. */
    known: (kind: 'files' | 'sources' | 'products') => `${prefix}:${kind}`,
    /** String: the token of the job that uploads a content; expires. */
    uploading: (hash: string, contentType: string) => `${prefix}:uploading:${hash}:${contentType}`,
    /** Hash: creator id to the JSON of why the authorization has expired. */
    breakers: `${prefix}:breakers`,
    /** Hash: machine to the JSON of its calls without an answer; expires. */
    unreachable: `${prefix}:unreachable`,
    /** List: start and end of the last times in which a machine got no answer. */
    silences: `${prefix}:silences`,
  };
}

/** Of users of the console. `lua/access/` writes them too, and counts attempts to sign in (`tries`). */
function accessKeys(prefix: string) {
  return {
    /** Hash: name to the JSON of a user. */
    users: `${prefix}:users`,
    /** Hash: SHA-256 of a token to the JSON of its facts. */
    tokens: `${prefix}:tokens`,
    /** Hash: user, stamp, times of a session. `digest` is the SHA-256 of the cookie's value. */
    session: (digest: string) => `${prefix}:session:${digest}`,
    /** String: random key of hashes that nobody outside may compute. */
    secret: `${prefix}:secret`,
    /** Stream: changes, oldest first. */
    audit: `${prefix}:audit`,
    /** Stream: who signed in and out, oldest first. */
    signIns: `${prefix}:audit:sign-ins`,
    /** Stream: files that came for drafts, oldest first. */
    uploads: `${prefix}:audit:uploads`,
  };
}
