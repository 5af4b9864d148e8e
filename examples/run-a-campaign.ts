/**
 * Posts a spreadsheet from your own program: node run-a-campaign.ts posts.csv
 * The environment names the service: CREATOR_API_URL, CREATOR_API_KEY, CAMPAIGNS_CONFIG.
 */
import { openManifest, openRuntime, startCampaign, workOff, writeResults } from 'campaign-runner';

const [file = 'posts.csv'] = process.argv.slice(2);

await using runtime = await openRuntime({ notify: console.error });
await using manifest = await openManifest(runtime, file);
const started = await startCampaign(runtime, manifest);
if (started.kind === 'problems')
  throw new Error(`${started.check.problems.total} problems; nothing was sent`);

const signal = AbortSignal.timeout(3_600_000);
const ended = await workOff(runtime, [started.campaign.id], { signal });
for (const campaign of ended ?? []) {
  await writeResults(runtime, campaign, { to: `${campaign.name}.results.csv` });
  console.log(campaign.counts);
}
