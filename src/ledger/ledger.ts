/** The ledger: the durable record of campaigns, rows, files and the send journal, in Redis. Queues only carry work. */
import { readdirSync } from 'node:fs';
import { sep } from 'node:path';
import type { Redis } from 'ioredis';
import { otherErrorCodes, rowErrorCodes } from '../manifest/problems/error-codes.ts';
import { type Confirmation, confirmed } from '../platform/redis/durability.ts';
import { findRefusal, untilWritable } from '../platform/redis/refusal.ts';
import { watchRestarts } from '../platform/redis/restarts.ts';
import { batched, defineScript, readScript } from '../platform/redis/script.ts';
import { AuditLedger, LastChanges } from './access/audit.ts';
import { SessionLedger } from './access/sessions.ts';
import { ShareLedger } from './access/shares.ts';
import { TryLedger } from './access/try-limits.ts';
import { TokenLedger, UserLedger } from './access/users.ts';
import { ChangedRows, StrandedLedger, ThroughputLedger } from './campaigns/activity.ts';
import type { Campaign } from './campaigns/campaign.ts';
import { CampaignLedger } from './campaigns/campaigns.ts';
import { CancellationLedger, DeletionLedger } from './campaigns/deletion.ts';
import { LeftOutRows } from './campaigns/left-out.ts';
import { LedgerFormat } from './format.ts';
import { CampaignImport } from './imports/import.ts';
import { CampaignUpdate, RowEdits } from './imports/update.ts';
import { JournalPosition } from './journal-position.ts';
import { KeptAnswers } from './kept-answers.ts';
import { ledgerKeys } from './keys.ts';
import type { LedgerContext } from './ledger-part.ts';
import { holdAll, LostRows } from './lost-rows.ts';
import { Outbox } from './outbox.ts';
import { PlannedPosts } from './planned-posts.ts';
import { PeriodicRuns, Presence } from './presence.ts';
import { CommentLedger, RowHistories } from './rows/histories.ts';
import { RowQuery } from './rows/query.ts';
import { DeliveryLedger } from './rows/results.ts';
import { RowKeys } from './rows/row-keys.ts';
import { RowLedger } from './rows/rows.ts';
import { RowStore } from './rows/stored-rows.ts';
import { CreatorLedger } from './service/creators.ts';
import { FileLedger } from './service/files.ts';
import { ServiceReach } from './service/service-reach.ts';
import { AdmissionLedger } from './transitions/admission.ts';
import { ApprovalLedger } from './transitions/approvals.ts';
import { DecisionLedger } from './transitions/decisions.ts';
import { FailedPostsLedger, PublishingLedger } from './transitions/publishing.ts';
import { ShowcaseLedger } from './transitions/showcase.ts';
import { StepLedger } from './transitions/steps.ts';
import { VideoHistory } from './videos/history.ts';
import { ScrapeLedger } from './videos/scrapes.ts';
import { WatchList } from './videos/watch-list.ts';

interface LedgerOptions {
  readonly redis: Redis;
  /** Hash tag of all keys, braces included. */
  readonly prefix: string;
  /** Replaces all clocks, for tests; default: that of this machine, and in scripts that of Redis. */
  readonly now?: (() => number) | undefined;
  /** Its own connection for the send journal, for servers where an entry must be confirmed (on disk or on replicas) before its call. */
  readonly journal?: { readonly connection: Redis; readonly confirmation: Confirmation } | undefined;
  /** How long it is remembered which rows are one post, in milliseconds; at least a year, which is the default. */
  readonly postsKeptMs?: number | undefined;
  /** Whether all processes share one data folder, and so what they remember of the journal. Default: no. */
  readonly isPrivate?: boolean | undefined;
}

/** Longer than it takes to confirm a journal entry, unless Redis is in trouble. */
const confirmationMs = 2000;

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(options: LedgerOptions) {
  const { redis, journal, postsKeptMs } = options;
  const context = createContext(options);
  const { keys } = context;
  const campaigns = new CampaignLedger(context);
  const position = new JournalPosition(context, journal ? confirmationMs : 0);
  position.onLost((found) => holdAll(campaigns, { found, seen: position.seen }));
  const rows = new RowLedger(context);
  const store = new RowStore(context);
  const rowKeys = new RowKeys(store);
  const presence = new Presence(context, position);
  const format = new LedgerFormat(context);
  position.onReplaced(() => {
    format.forget();
    rowKeys.forget();
    store.forget();
  });
  const creators = new CreatorLedger(context);
  const posts = new PlannedPosts(context, postsKeptMs);
  return {
    keys,
    ...refusalOf(context),
    format,
    campaigns,
    rows,
    rowKeys,
    query: new RowQuery(rows, store),
    changed: new ChangedRows(context),
    store,
    steps: stepLedger(context, position, { ...options, posts }),
    histories: new RowHistories(context),
    comments: new CommentLedger(context),
    stranded: new StrandedLedger(context),
    throughput: new ThroughputLedger(context),
    deliveries: new DeliveryLedger(context),
    journal: position,
    lostRows: new LostRows(context),
    admission: new AdmissionLedger(context),
    showcase: new ShowcaseLedger(context, creators),
    creators,
    reach: new ServiceReach({ redis, keys, host: '' }),
    files: new FileLedger(context),
    posts,
    leftOut: new LeftOutRows(context),
    cancellation: new CancellationLedger(context),
    decisions: new DecisionLedger(context),
    approvals: new ApprovalLedger(context),
    deletion: new DeletionLedger(context),
    presence,
    periodic: new PeriodicRuns(context),
    lastChanges: new LastChanges(context),
    publishing: new PublishingLedger(context),
    failedPosts: new FailedPostsLedger(context),
    outbox: new Outbox(context),
    edits: new RowEdits(context, posts),
    videos: videoLedgers(context),
    access: accessLedgers(context),
    keptAnswers: new KeptAnswers(context),
    /** @param most bytes that its rows may take: `mostStored`. */
    newImport: (most?: number) => new CampaignImport(context, posts, most),
    newUpdate: (campaign: Campaign, most?: number) => new CampaignUpdate(context, posts, campaign, most),
  };
}

function createContext({ redis, prefix, now }: LedgerOptions): LedgerContext {
  return {
    redis,
    keys: ledgerKeys(prefix),
    script: scriptsOn(redis, prefix),
    now: now ?? Date.now,
    testClock: now,
  };
}

function refusalOf({ redis, keys }: LedgerContext) {
  const refusal = () => findRefusal(redis, keys.probe);
  return { findRefusal: refusal, untilWritable: untilWritable(refusal) };
}

function scriptsOn(redis: Redis, prefix: string): LedgerContext['script'] {
  // Reads all scripts now: a file read later might be of a newer version, installed while this process runs.
  scriptNames ??= listScripts();
  const scripts = new Map(scriptNames.map((name) => [name, defineScript(redis, prefix, scriptFile(name))]));
  return (name) => {
    const found = scripts.get(name);
    if (!found) throw new RangeError(`there is no script ${name}`);
    return found;
  };
}

function scriptFile(name: string): URL {
  return new URL(`./lua/${name}.lua`, import.meta.url);
}

/** @throws {TypeError} for a script with an error code that the table does not have. */
function checkCodes(name: string): void {
  for (const [, code = ''] of readScript(scriptFile(name)).matchAll(/\bcode ==? '(\w+)'/g)) {
    if (!errorCodes.has(code)) throw new TypeError(`${name}.lua has the unknown error code ${code}`);
  }
}

const errorCodes: ReadonlySet<string> = new Set([...rowErrorCodes, ...otherErrorCodes]);

/** Such as `rows/redo-rows`, relative to `lua/`: listed once for the process, as their texts are read once. */
let scriptNames: readonly string[] | undefined;

function listScripts(): readonly string[] {
  const files = readdirSync(new URL('./lua/', import.meta.url), { recursive: true, encoding: 'utf8' });
  const scripts = files.filter((file) => file.endsWith('.lua'));
  const names = scripts.map((file) => file.replaceAll(sep, '/').slice(0, -4));
  names.forEach(checkCodes);
  return names;
}

/** Starts a step only once its journal entry is confirmed, where the options say so. */
function stepLedger(
  context: LedgerContext,
  position: JournalPosition,
  options: Pick<LedgerOptions, 'journal' | 'isPrivate'> & { readonly posts: PlannedPosts },
): StepLedger {
  const { journal, isPrivate = false, posts } = options;
  const { redis, keys } = context;
  return new StepLedger(context, {
    position,
    posts,
    checked: watchRestarts(redis, {
      check: () => position.check(),
      replaced: () => position.replaced(),
      waitsForOthers: async () => !isPrivate && (await position.hasCampaigns()),
    }),
    start:
      journal &&
      batched(
        confirmed(
          journal.connection,
          defineScript(journal.connection, keys.prefix, scriptFile('transitions/start-step')),
          journal.confirmation,
        ),
      ),
  });
}

function videoLedgers(context: LedgerContext) {
  return {
    list: new WatchList(context),
    history: new VideoHistory(context),
    scrapes: new ScrapeLedger(context),
  };
}

function accessLedgers(context: LedgerContext) {
  return {
    users: new UserLedger(context),
    sessions: new SessionLedger(context),
    tokens: new TokenLedger(context),
    tries: new TryLedger(context),
    shares: new ShareLedger(context),
    audit: new AuditLedger(context),
  };
}
