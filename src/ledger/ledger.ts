/** The ledger: the durable record of campaigns, rows, files and the send journal, in Redis. Queues only carry work. */
import type { Redis } from 'ioredis';
import { type Confirmation, confirmed } from '../redis/confirmed.ts';
import { watchRestarts } from '../redis/restarts.ts';
import { batched, defineScript } from '../redis/script.ts';
import { AdmissionLedger } from './admission.ts';
import { type Campaign, CampaignLedger } from './campaigns.ts';
import { CancellationLedger } from './cancellation.ts';
import type { LedgerContext } from './context.ts';
import { CreatorLedger } from './creators.ts';
import { DecisionLedger } from './decisions.ts';
import { DeletionLedger } from './deletion.ts';
import { FailedPostsLedger } from './failed-posts.ts';
import { FileLedger } from './files.ts';
import { type FormatOptions, LedgerFormat } from './format/format.ts';
import { CampaignImport } from './import.ts';
import { holdIfBehind } from './journal-behind.ts';
import { JournalPosition } from './journal-position.ts';
import { LedgerKeys } from './keys.ts';
import { LeftOutRows } from './left-out.ts';
import { CampaignMerge } from './merge.ts';
import { PlannedPosts } from './planned-posts.ts';
import { Presence } from './presence.ts';
import { PublishingLedger } from './publishing.ts';
import { RowLedger } from './rows.ts';
import { ShowcaseLedger } from './showcase.ts';
import { StepLedger } from './steps.ts';
import { RowStore } from './stored-rows.ts';
import { createVideosLedger, type VideosLedger } from './videos/videos.ts';

export interface Ledger {
  readonly keys: LedgerKeys;
  readonly format: LedgerFormat;
  readonly campaigns: CampaignLedger;
  readonly rows: RowLedger;
  readonly store: RowStore;
  readonly steps: StepLedger;
  readonly journal: JournalPosition;
  readonly admission: AdmissionLedger;
  readonly showcase: ShowcaseLedger;
  readonly creators: CreatorLedger;
  readonly files: FileLedger;
  readonly posts: PlannedPosts;
  readonly leftOut: LeftOutRows;
  readonly cancellation: CancellationLedger;
  readonly decisions: DecisionLedger;
  readonly deletion: DeletionLedger;
  readonly presence: Presence;
  readonly publishing: PublishingLedger;
  readonly failedPosts: FailedPostsLedger;
  readonly videos: VideosLedger;
  newImport(): CampaignImport;
  /** An import into an existing campaign. */
  newMerge(campaign: Campaign): CampaignMerge;
}

export interface LedgerOptions {
  readonly redis: Redis;
  /** Hash tag of all keys, braces included. */
  readonly prefix: string;
  readonly now?: (() => number) | undefined;
  /**
   * A separate connection for the send journal, for servers where an entry must be confirmed (on disk or on replicas)
   * before its call is sent.
   */
  readonly journal?: { readonly connection: Redis; readonly confirmation: Confirmation } | undefined;
  readonly format?: FormatOptions | undefined;
}

export function createLedger({ redis, prefix, now = Date.now, journal, format }: LedgerOptions): Ledger {
  const keys = new LedgerKeys(prefix);
  const scriptOn = (connection: Redis, name: string) =>
    defineScript(connection, prefix, new URL(`./lua/${name}.lua`, import.meta.url));
  const script = (name: string) => scriptOn(redis, name);
  const context: LedgerContext = { redis, keys, script, now };
  const position = new JournalPosition(context);
  const campaigns = new CampaignLedger(context);
  const creators = new CreatorLedger(context);
  const posts = new PlannedPosts(context);
  const presence = new Presence(context);
  const commit = script('commit-import');
  const mergeTools = {
    extend: script('extend-campaign'),
    merge: script('merge-rows'),
    end: script('end-merge'),
    posts,
  };
  return {
    keys,
    format: new LedgerFormat(context, presence, format),
    campaigns,
    rows: new RowLedger(context),
    store: new RowStore(redis, keys),
    steps: new StepLedger(context, {
      position,
      checked: watchRestarts(redis, () => holdIfBehind(position, campaigns)),
      start:
        journal &&
        batched(
          confirmed(journal.connection, scriptOn(journal.connection, 'start-step'), journal.confirmation),
        ),
    }),
    journal: position,
    admission: new AdmissionLedger(context),
    showcase: new ShowcaseLedger(context, creators),
    creators,
    files: new FileLedger(context),
    posts,
    leftOut: new LeftOutRows(context),
    cancellation: new CancellationLedger(context),
    decisions: new DecisionLedger(context),
    deletion: new DeletionLedger(context),
    presence,
    publishing: new PublishingLedger(context),
    failedPosts: new FailedPostsLedger(context),
    videos: createVideosLedger(context),
    newImport: () => new CampaignImport(context, commit, posts),
    newMerge: (campaign) => new CampaignMerge(context, mergeTools, campaign),
  };
}
