/** Media that are dropped in the browser: how fast the console takes them, beside the bare tus server with its own store. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mp4 } from '../test/support/sheets/media.ts';
import { launcherFlags } from './apart.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';
import type { UploadCosts, UploadServer } from './upload-server.ts';

const program = fileURLToPath(new URL('upload-server.ts', import.meta.url));
const kinds = ['bare', 'console'] as const;
/** As the page sends them. */
const atOnce = 3;

interface Taken extends UploadCosts {
  readonly megabytesPerSecond: number;
}

export async function benchUploads(files: number, fileBytes: number, rounds: number): Promise<void> {
  const bytes = mp4('bench', fileBytes - 45);
  const taken = { bare: [] as Taken[], console: [] as Taken[] };
  // In turn, so that a slow disk slows both down.
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of kinds) taken[kind].push(await measure(kind, files, bytes));
  }
  const rate = (kind: (typeof kinds)[number]) =>
    median(taken[kind].map(({ megabytesPerSecond }) => megabytesPerSecond));
  const row = (kind: (typeof kinds)[number], name: string): [string, string[]] => [
    name,
    [
      rate(kind).toFixed(0),
      (rate(kind) / rate('bare')).toFixed(2),
      median(taken[kind].map(({ cpuSeconds }) => cpuSeconds)).toFixed(1),
      median(taken[kind].map(({ megabytes }) => megabytes)).toFixed(0),
    ],
  ];
  const title = `${files} files, ${((files * bytes.length) / 1e9).toFixed(1)} GB`;
  printTable(
    title,
    ['MB/s', 'ratio', 'CPU s', 'most MB'],
    [row('bare', 'bare tus server'), row('console', 'console')],
  );
  process.stdout.write('\n');
}

async function measure(kind: (typeof kinds)[number], files: number, bytes: Buffer): Promise<Taken> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-uploads-'));
  const redis = await startRedis(folder);
  const child = fork(program, [], {
    env: {
      ...process.env,
      BENCH: JSON.stringify({
        kind,
        folder,
        socket: redis.socket,
        address: 'http://127.0.0.1:9',
        manifest: '',
      }),
    },
    execArgv: launcherFlags,
  });
  try {
    const [server] = (await once(child, 'message')) as [UploadServer];
    await send(server, 5, bytes, 'warm');
    await askCosts(child);
    const begun = performance.now();
    await send(server, files, bytes, 'take');
    const seconds = (performance.now() - begun) / 1000;
    return { ...(await askCosts(child)), megabytesPerSecond: (files * bytes.length) / 1e6 / seconds };
  } finally {
    child.disconnect();
    await once(child, 'exit');
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function askCosts(child: ChildProcess): Promise<UploadCosts> {
  child.send({});
  const [costs] = (await once(child, 'message')) as [UploadCosts];
  return costs;
}

/** Creates and sends each file by a request of its own. */
async function send(server: UploadServer, files: number, bytes: Buffer, name: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const origin = new URL(server.address).origin;
  let next = 0;
  const work = async () => {
    while (next < files) {
      const path = `${name}${next}.mp4`;
      next += 1;
      const created = await call(agent, 'POST', server.address, {
        ...server.headers,
        'upload-length': String(bytes.length),
        'upload-metadata': `path ${btoa(path)},modified ${btoa('1')}`,
      });
      await call(
        agent,
        'PATCH',
        new URL(created, origin).href,
        { ...server.headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        bytes,
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  agent.destroy();
}

/** @returns its `Location`. */
async function call(
  agent: Agent,
  method: string,
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: Buffer,
): Promise<string> {
  const sent = request(url, {
    agent,
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers, 'content-length': String(body?.length ?? 0) },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  const text = Buffer.concat(await answer.toArray()).toString();
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${text}`);
  return answer.headers.location ?? '';
}
