/**
 * A deployment under steady work: campaigns, ready rows, updates of videos, and people in the console. Memory, file descriptors, keys of
 * Redis and the time of pages should be flat after the first tenth. Processes are those of a deployment: a console, a worker, a
 * sandbox, a Redis.
 *
 *     node bench/soak.ts [minutes]
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import sandboxSettings from '../config/sandbox.json' with { type: 'json' };
import { startRedis } from './redis-server.ts';
import { writeFiles } from './rows.ts';
import { median, printTable } from './table.ts';

const campaigns = fileURLToPath(new URL('../bin/campaigns', import.meta.url));
const run = promisify(execFile);

const rowsOfCampaign = 100;
const files = 20;
const cycleMs = 15_000;
const minuteMs = 60_000;
/** Campaigns are deleted so long after their end, so that their number is flat. */
const keepEnded = '60s';
const creators = ['demo_anna', 'demo_ben', 'demo_carla', 'demo_david', 'demo_elena'];
const pages = ['/campaigns', '/campaigns/ID', '/calendar', '/approvals', '/videos', '/queues'];

/** What is measured each cycle. */
type Sample = Readonly<Record<string, number>>;

interface Site {
  /** Of the console. */
  readonly url: string;
  readonly processes: Readonly<Record<string, ChildProcess>>;
  readonly redis: Redis;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

/** A tenth of the rows is ready for half a minute, until its hour before the planned time has come. */
function sheetOf(cycle: number): string {
  const planned = new Date(Date.now() + 3_600_000 + minuteMs / 2).toISOString();
  const lines = Array.from({ length: rowsOfCampaign }, (_, row) =>
    [
      creators[row % creators.length],
      `clip-${row % files}.mp4`,
      `Post ${row} of cycle ${cycle}`,
      `17294${String(cycle * rowsOfCampaign + row).padStart(12, '0')}`,
      'Product',
      row % 10 === 0 ? planned : '',
    ].join(','),
  );
  return ['creator,media,caption,product_id,product_title,scheduled_at', ...lines, ''].join('\n');
}

async function sampleOf({ processes, redis, url }: Site, id: string): Promise<Sample> {
  const sample: Record<string, number> = {};
  for (const [name, { pid }] of Object.entries(processes)) {
    // The sandbox keeps all that it was sent.
    if (name === 'sandbox') continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    sample[`${name}, MB`] = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1000;
    sample[`${name}, descriptors`] = (await readdir(`/proc/${pid}/fd`)).length;
  }
  sample['Redis, keys'] = await redis.dbsize();
  sample['Redis, MB'] = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / 1e6;
  const times: number[] = [];
  for (const page of pages) {
    const began = performance.now();
    const answer = await fetch(url + page.replace('ID', id));
    await answer.text();
    if (!answer.ok) throw new Error(`${page}: ${answer.status}`);
    times.push(performance.now() - began);
  }
  sample['page, median ms'] = median(times);
  return sample;
}

async function open(folder: string): Promise<Site> {
  const { socket, process: server } = await startRedis(folder);
  const start = async (args: readonly string[], env: NodeJS.ProcessEnv, said: RegExp) => {
    const child = spawn(campaigns, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      const found = said.exec(text)?.[1];
      if (found === undefined) continue;
      child.stdout.resume();
      return { child, found };
    }
    throw new Error(`campaigns ${args.join(' ')} ended: ${text}`);
  };
  const sandbox = await start(['sandbox', '--port', '0'], process.env, /Sandbox at\s+(\S+)/);
  const config = join(folder, 'settings.json');
  await writeFile(
    config,
    JSON.stringify({
      ...sandboxSettings,
      lead: '1h',
      keepEnded,
      media: { ...sandboxSettings.media, root: folder },
    }),
  );
  const env = {
    ...process.env,
    CREATOR_API_URL: sandbox.found,
    CREATOR_API_KEY: 'sandbox-key',
    REDIS_URL: `unix://${socket}`,
    DATA_DIR: join(folder, 'data'),
    CAMPAIGNS_CONFIG: config,
  };
  const console = await start(['serve', '--no-work', '--port', '0'], env, /Console\s+(http:\/\/[^/\s]+)/);
  const worker = spawn(campaigns, ['worker'], { env, stdio: 'ignore' });
  await run(campaigns, ['videos', 'schedule', '--cron', '*/2 * * * *', '--tz', 'UTC'], { env });
  const processes = { console: console.child, worker, sandbox: sandbox.child, redis: server };
  return { url: console.found, processes, redis: new Redis({ path: socket }), env, folder };
}

/** @returns the id of the new campaign. */
async function importNext({ env, folder }: Site, cycle: number): Promise<string> {
  const file = join(folder, `cycle-${cycle % 2}.csv`);
  await writeFile(file, sheetOf(cycle));
  const { stdout } = await run(campaigns, ['import', file, '--name', `cycle ${cycle}`, '--json'], { env });
  return (JSON.parse(stdout) as { id: string }).id;
}

function print(samples: readonly Sample[]): void {
  const tenth = Math.max(1, Math.floor(samples.length / 10));
  const tenths = Array.from({ length: 10 }, (_, part) => samples.slice(part * tenth, (part + 1) * tenth));
  const lines = Object.keys(samples[0] ?? {}).map((name): [string, string[]] => [
    name,
    tenths.map((part) => median(part.map((sample) => sample[name] ?? Number.NaN)).toFixed(0)),
  ]);
  const heads = tenths.map((_part, index) => String(index + 1));
  printTable(`median of each tenth of ${samples.length} samples`, heads, lines);
}

const minutes = Number(process.argv[2] ?? 60);
const folder = await mkdtemp(join(tmpdir(), 'bench-soak-'));
await mkdir(join(folder, 'data'));
await writeFiles(folder, files);
const site = await open(folder);
const samples: Sample[] = [];
try {
  const until = performance.now() + minutes * minuteMs;
  for (let cycle = 0; performance.now() < until; cycle += 1) {
    const next = performance.now() + cycleMs;
    const id = await importNext(site, cycle);
    samples.push(await sampleOf(site, id));
    await sleep(Math.max(0, next - performance.now()));
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  process.exitCode = 1;
} finally {
  print(samples);
  site.redis.disconnect();
  for (const child of Object.values(site.processes)) {
    if (child.exitCode === null && child.kill('SIGTERM')) await once(child, 'exit');
  }
  await rm(folder, { recursive: true });
}
