/**
 * Carries a spreadsheet to its posts from a program of one's own: node run-a-campaign.ts posts.csv
 * The environment names the service: CREATOR_API_URL, CREATOR_API_KEY, CAMPAIGNS_CONFIG.
 */
import * as campaigns from 'campaign-runner';

const [file = 'posts.csv'] = process.argv.slice(2);

await using ledger = await campaigns.openLedger({});
await using accounts = campaigns.openAccounts(ledger);
const started = await campaigns.startCampaign(ledger, accounts, { file });
if (started.kind === 'problems')
  throw new Error(`${started.check.problems.total} problems; nothing was sent`);

const { id } = started.campaign;
const log = campaigns.createLog('warn', 'stderr');
const workers = await campaigns.createWorkers(ledger, { accounts, log });
await workers.start();
await ledger.queues.wakeAdmission(id);
const progress = campaigns.openProgressReader(ledger);
await campaigns.followCampaigns(ledger, progress, [id], AbortSignal.timeout(3_600_000));
await workers.stop(25_000);

const { counts } = await campaigns.findCampaign(ledger, id);
console.log(counts);
