/**
 * Processor time of short commands, compared with Node alone: of the build if there is one, else of the sources. The compile cache
 * is warm, and Redis, the service and the data folder are fresh for each `run`.
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { startFlags } from './apart.ts';
import { startService } from './pipeline.ts';
import { startRedis } from './redis-server.ts';
import { makeRows, writeFiles, writeRows } from './rows.ts';
import { median, printTable } from './table.ts';

const rows = 10;
const build = fileURLToPath(new URL('../dist/build', import.meta.url));
const isBuilt = existsSync(build);
const program = fileURLToPath(
  new URL(isBuilt ? '../dist/cli/main.js' : '../src/cli/main.ts', import.meta.url),
);
const started = isBuilt ? `build ${readFileSync(build, 'utf8').trim()}` : 'sources';

/** Only what the stand-in needs, and rate limits that never limit. */
const settings = {
  api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
  rateLimits: { default: { rate: 1_000_000, per: '1s', burst: 1_000_000 } },
};

/** In this order: `list` has a campaign to show. */
const commands = {
  'node -e 0': ['-e', '0'],
  '--help': [program, '--help'],
  check: [program, 'check', 'rows.csv'],
  [`run, ${rows} rows`]: [program, 'run', 'rows.csv'],
  list: [program, 'list'],
} as const;

interface Measured {
  /** Of the process itself, user and system. */
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** Bash measures its children in milliseconds. @throws if the command did not end well. */
function measure(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Measured {
  const log = join(cwd, 'log');
  const script = 'TIMEFORMAT="%3R %3U %3S"; log=$1; shift; time "$@" >"$log" 2>&1';
  const node = [process.execPath, '--disable-warning=ExperimentalWarning', ...startFlags];
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', log, ...node, ...args], {
    cwd,
    env: { ...process.env, ...env, LC_ALL: 'C' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}:\n${readFileSync(log, 'utf8')}`);
  const [real = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { cpuSeconds: user + system, seconds: real };
}

/** A first round, which is not counted, warms the compile cache. */
export async function benchStartUp(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const service = await startService();
  const server = await startRedis(folder);
  const redis = new Redis({ path: server.socket });
  try {
    await writeFiles(folder, rows);
    await writeRows(folder, makeRows({ rows, files: rows, creators: rows, products: rows }));
    const config = join(folder, 'settings.json');
    writeFileSync(config, JSON.stringify(settings));
    const measured = new Map(Object.keys(commands).map((name) => [name, [] as Measured[]]));
    for (let round = 0; round <= rounds; round += 1) {
      await redis.flushall();
      const env = {
        CREATOR_API_URL: service.address,
        CREATOR_API_KEY: 'key',
        REDIS_URL: `unix://${server.socket}`,
        DATA_DIR: join(folder, `data-${round}`),
        CAMPAIGNS_CONFIG: config,
        NODE_COMPILE_CACHE: join(folder, 'compiled'),
      };
      await rm(join(folder, 'rows.results.csv'), { force: true });
      for (const [name, args] of Object.entries(commands)) {
        const one = measure(args, folder, env);
        if (round > 0) measured.get(name)?.push(one);
      }
    }
    print(measured);
  } finally {
    redis.disconnect();
    service.process.disconnect();
    server.process.kill();
    await once(server.process, 'exit');
    await rm(folder, { recursive: true });
  }
}

function print(measured: ReadonlyMap<string, readonly Measured[]>): void {
  const cells = (all: readonly Measured[]) => [
    median(all.map(({ cpuSeconds }) => cpuSeconds)).toFixed(3),
    median(all.map(({ seconds }) => seconds)).toFixed(3),
  ];
  printTable(
    `start of the ${started}`,
    ['processor s', 'wall s'],
    [...measured].map(([name, all]) => [name, cells(all)]),
  );
  process.stdout.write('\n');
}
