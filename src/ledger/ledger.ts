/**
 * The ledger: the durable record, in Redis, of campaigns, rows, files and the send journal. The queues only carry work; what
 * is true is here.
 */
import type { Redis } from 'ioredis';
import { type Confirmation, confirmed } from '../redis/confirmed.ts';
import { untilWritten } from '../redis/refusal.ts';
import { watchRestarts } from '../redis/restarts.ts';
import { batched, defineScript, type RunScript } from '../redis/script.ts';
import { AdmissionLedger } from './admission.ts';
import { type Campaign, CampaignLedger } from './campaigns.ts';
import { CancellationLedger } from './cancellation.ts';
import { CreatorLedger } from './creators.ts';
import { DecisionLedger } from './decisions.ts';
import { DeletionLedger } from './deletion.ts';
import { FileLedger } from './files.ts';
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

export interface Ledger {
  readonly keys: LedgerKeys;
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
  newImport(): CampaignImport;
  /** An import into a campaign that is there already. */
  newMerge(campaign: Campaign): CampaignMerge;
}

export interface LedgerOptions {
  readonly redis: Redis;
  /** Hash tag of all keys, braces included. */
  readonly prefix: string;
  readonly now?: (() => number) | undefined;
  /**
   * A connection of its own for the send journal, where an entry has to be waited for: it is then on disk, or on replicas,
   * before the call is sent.
   */
  readonly journal?: { readonly connection: Redis; readonly confirmation: Confirmation } | undefined;
}

export function createLedger({ redis, prefix, now = Date.now, journal }: LedgerOptions): Ledger {
  const keys = new LedgerKeys(prefix);
  const fileOf = (name: string) => new URL(`./lua/${name}.lua`, import.meta.url);
  const script = (name: string) => defineScript(redis, prefix, fileOf(name));
  const start = batched(script('start-step'));
  const find = script('find-known');
  const creators = new CreatorLedger(redis, keys, find, now);
  const commit = script('commit-import');
  const position = new JournalPosition({ check: script('check-journal'), accept: script('accept-journal') });
  const campaigns = new CampaignLedger(redis, keys, script('pause'), now);
  const checked = watchRestarts(redis, () => holdIfBehind(position, campaigns));
  const posts = new PlannedPosts(redis, keys, find);
  const mergeTools = {
    extend: script('extend-campaign'),
    merge: script('merge-rows'),
    end: script('end-merge'),
    posts,
  };
  return {
    keys,
    campaigns,
    rows: new RowLedger(redis, keys, { read: script('read-progress'), redo: script('redo-rows') }, now),
    store: new RowStore(redis, keys),
    steps: new StepLedger(
      {
        start,
        journal: journal ? batched(journalScript(journal, prefix, fileOf('start-step'))) : start,
        // What the service answered is known to this process alone.
        finish: batched(untilWritten(script('finish-step'))),
        sleep: script('sleep-row'),
      },
      { position, checked },
      now,
    ),
    journal: position,
    admission: new AdmissionLedger(
      redis,
      keys,
      { admit: script('admit-rows'), sleep: script('sleep-admission') },
      now,
    ),
    showcase: new ShowcaseLedger(
      { start: script('start-showcase'), finish: script('finish-showcase') },
      creators,
      now,
    ),
    creators,
    files: new FileLedger(redis, keys, {
      find,
      claim: batched(script('claim-upload')),
      // Nobody waits for these: what is lost with a process costs one look-up at the service.
      record: batched(script('record-upload'), 10),
    }),
    posts,
    leftOut: new LeftOutRows(redis, keys, script('count-left-out')),
    cancellation: new CancellationLedger(
      { cancel: script('cancel'), cancelRows: script('cancel-rows') },
      now,
    ),
    decisions: new DecisionLedger(script('decide-row'), now),
    deletion: new DeletionLedger(redis, keys, script('bury-campaign')),
    presence: new Presence(redis, keys, script('announce-worker')),
    publishing: new PublishingLedger(
      redis,
      keys,
      {
        claim: script('claim-record'),
        reconcile: script('reconcile-post'),
        note: script('note-doubt'),
        follow: script('follow-posts'),
      },
      now,
    ),
    newImport: () => new CampaignImport(redis, keys, { commit, posts }, now),
    newMerge: (campaign) => new CampaignMerge(redis, keys, mergeTools, { campaign, now }),
  };
}

function journalScript(
  { connection, confirmation }: NonNullable<LedgerOptions['journal']>,
  prefix: string,
  file: URL,
): RunScript {
  return confirmed(connection, defineScript(connection, prefix, file), confirmation);
}
