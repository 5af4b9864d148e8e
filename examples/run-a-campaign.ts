/**
 * Posts a spreadsheet, or rows of your own program: node run-a-campaign.ts [posts.csv]
 * The environment names the service: CREATOR_API_URL, CREATOR_API_KEY, CAMPAIGNS_CONFIG.
 */
import { createWriteStream } from 'node:fs';
import { openManifest, openRuntime, operations, workOff } from 'campaign-runner';

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
// A sheet with problems is refused, and nothing is sent.
const { id } = await operations.importSheet(runtime, {}, manifest);

for (const { counts } of (await workOff(runtime, [id])) ?? []) {
  const results = await operations.downloadResults(runtime, { id });
  await results.write(createWriteStream(results.fileName));
  console.log(counts);
}
