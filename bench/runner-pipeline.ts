/**
 * The whole runner on the same rows: imports the manifest, then measures from the first admission to the end of the campaign.
 * Also measures the bytes of Redis for a waiting and an ended row.
 */
import { queueNames } from '../src/queues/queues.ts';
import { openRunner, prefix } from './open-runner.ts';

const { redis, ledger, queues, workers, importManifest } = await openRunner(
  JSON.parse(process.env.BENCH ?? '{}'),
);

/** What a campaign keeps of its rows beside their cells. */
const ofRows = /:(results:\d+|states|stories|work:\d+|kept:\d+|errors)$/;

/** Bytes of the ledger's keys, those of the rows beside their cells, and of the queues' ended jobs, which a count bounds and not the rows. */
async function keyBytes(): Promise<{ ledger: number; rows: number; queues: number }> {
  const bytes = { ledger: 0, rows: 0, queues: 0 };
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1000 })) {
    for (const key of new Set(keys as string[])) {
      const size = (await redis.memory('USAGE', key, 'SAMPLES', 0)) ?? 0;
      const ofQueue = queueNames.some((name) => key.startsWith(`${prefix}:${name}:`));
      bytes[ofQueue ? 'queues' : 'ledger'] += size;
      if (!ofQueue && ofRows.test(key)) bytes.rows += size;
    }
  }
  return bytes;
}

const id = await importManifest();
const waiting = await keyBytes();
const begun = performance.now();
const cpu = process.cpuUsage();
await queues.wakeAdmission(id);
await workers.start();
for (;;) {
  const campaign = await ledger.campaigns.find(id);
  if (campaign?.state === 'ended') {
    const seconds = (performance.now() - begun) / 1000;
    const { user, system } = process.cpuUsage(cpu);
    await workers.stop(5000);
    const ended = await keyBytes();
    process.send?.({
      seconds,
      counts: campaign.counts,
      waitingBytes: waiting.ledger / campaign.rows,
      endedBytes: ended.ledger / campaign.rows,
      resultBytes: ended.rows / campaign.rows,
      queueBytes: ended.queues,
      cpuSeconds: (user + system) / 1e6,
    });
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
}
process.exit(0);
