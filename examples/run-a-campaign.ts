/**
 * Posts a spreadsheet, or rows of your own program: node run-a-campaign.ts [posts.csv]
 * The environment names the service: CREATOR_API_URL, CREATOR_API_KEY, CAMPAIGNS_CONFIG.
 */
import { openManifest, openRuntime, startCampaign, workOff, writeResults } from 'campaign-runner';

const rows = [
  {
    creator: 'demo_anna',
    media: 'mug.mp4',
    caption: 'A mug',
    product_id: '1729430001',
    product_title: 'A mug',
  },
];
const [file] = process.argv.slice(2);

await using runtime = await openRuntime({ notify: console.error });
await using manifest = await openManifest(runtime, file ?? rows, { name: 'mugs' });
const started = await startCampaign(runtime, manifest);
if (started.kind === 'problems')
  throw new Error(`${started.check.problems.total} problems; nothing was sent`);

for (const campaign of (await workOff(runtime, [started.campaign])) ?? []) {
  await writeResults(runtime, campaign, { to: `${campaign.name}.results.csv` });
  console.log(campaign.counts);
}
