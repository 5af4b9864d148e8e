/** The console behind the reverse proxies of docs/access.md, with the configuration that stands there. Needs nginx and HAProxy. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, type TestContext } from 'vitest';
import { readFiles } from '../../src/app/drafts/files/record.ts';
import { quickUser } from '../support/console/access.ts';
import { openPages } from '../support/console/console-pages.ts';
import { sha256 } from '../support/console/drop-scene.ts';
import { hidden, Visitor } from '../support/console/visitor.ts';
import { waitUntil } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openRunner } from '../support/in-process.ts';
import { freePort } from '../support/ports.ts';
import { spawnProgram } from '../support/processes/child.ts';
import { projectRoot } from '../support/sheets/manifests.ts';
import { mp4 } from '../support/sheets/media.ts';
import { videoRow } from '../support/sheets/rows.ts';

const uploadScript = join(projectRoot, 'src/console/assets/client/uploads.js');
const page = readFileSync(join(projectRoot, 'docs/access.md'), 'utf8');
/** Examples of the page: lines that are indented by four blanks. */
const examples = page.split(/\n(?! {4}|\n)/).map((text) => text.replaceAll(/^ {4}/gm, ''));
const exampleWith = (text: string): string => {
  const found = examples.filter((example) => example.includes(text));
  if (found.length !== 1) throw new Error(`${found.length} examples have ${text}`);
  return `${found[0]?.slice(found[0].indexOf(text))}`;
};

interface Ports {
  readonly proxy: number;
  readonly console: string;
}

interface Proxy {
  readonly program: string;
  /** @returns arguments that run it in the foreground. */
  configure(folder: string, ports: Ports): readonly string[];
}

const nginx: Proxy = {
  program: 'nginx',
  configure(folder, ports) {
    const location = exampleWith('location /campaigns/ {').replace('127.0.0.1:3000', ports.console);
    // Only what a distribution sets outside of a server. Temporary files stay in the folder.
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${process.geteuid?.() === 0 ? 'user root;' : ''} daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/log;
        events {} http { access_log off; ${temporary.join(' ')}
        server { listen 127.0.0.1:${ports.proxy}; server_name tools.example; ${location} } }`,
    );
    return ['-e', join(folder, 'log'), '-p', folder, '-c', join(folder, 'nginx.conf')];
  },
};
const haproxy: Proxy = {
  program: 'haproxy',
  configure(folder, ports) {
    const example = exampleWith('frontend tools')
      .replace(/^ *bind .*$/m, `bind 127.0.0.1:${ports.proxy}`)
      .replace('127.0.0.1:3000', ports.console);
    writeFileSync(join(folder, 'haproxy.cfg'), `${example}\n`);
    return ['-db', '-f', join(folder, 'haproxy.cfg')];
  },
};

/** A console with the operator `anna`, behind a proxy that listens on a port of its own. */
async function openBehind({ program, configure }: Proxy, test: TestContext) {
  const found = [program, `/usr/sbin/${program}`].find((name) => !spawnSync(name, ['-v']).error);
  if (found === undefined) return test.skip(`${program} is not installed here`);
  const folder = temporaryFolder();
  const port = await freePort();
  const host = `tools.example:${port}`;
  const runner = await openRunner();
  const reach = {
    isLoopback: true,
    base: '/campaigns',
    origin: `https://${host}`,
    trustedProxies: ['127.0.0.1'],
  };
  const pages = await openPages(runner, test, { reach });
  await quickUser(runner, 'anna', 'operator');
  const proxy = spawnProgram(found, configure(folder, { proxy: port, console: new URL(pages.url).host }));
  await waitUntil(async () => {
    if (proxy.child.exitCode !== null) throw new Error(proxy.output.stderr.join('\n'));
    return await isOpen(port);
  }, program);
  const url = `http://127.0.0.1:${port}/campaigns`;
  return {
    runner,
    runtime: pages.runtime,
    port,
    host,
    visitor: new Visitor(url, { host, origin: `https://${host}` }),
  };
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

const tus = { 'tus-resumable': '1.0.0', 'content-type': 'application/offset+octet-stream' };

describe.each([nginx, haproxy])('behind $program', (proxy) => {
  it('people sign in, drop files in parts, and see live figures', async (test) => {
    const { runner, runtime, port, host, visitor } = await openBehind(proxy, test);
    const away = await visitor.get('/campaigns');
    expect([away.status, away.to]).toEqual([303, '/campaigns/sign-in?to=%2Fcampaigns']);
    const done = await visitor.signIn('anna', undefined, hidden((await visitor.get('/sign-in')).text, 'to'));
    expect([done.status, done.to]).toEqual([303, '/campaigns/campaigns']);
    expect((await visitor.get('/campaigns')).text).toContain('anna, operator');

    const csrf = await visitor.csrf();
    const { to } = await visitor.post('/campaigns/new', { _csrf: csrf });
    const [, draft = ''] = /^\/campaigns\/campaigns\/new\/([0-9a-f]{16})\/files$/.exec(to) ?? [];
    const film = mp4('rosewood', 3_000_000);
    const metadata = `path ${btoa('a.mp4')},modified ${btoa('1')}`;
    const headers = { ...tus, 'x-csrf-token': csrf };
    const offered = await visitor.send('POST', `/campaigns/new/${draft}/uploads`, {
      ...headers,
      'upload-length': String(film.length),
      'upload-metadata': metadata,
    });
    expect(offered.status).toBe(201);
    const upload = new URL(offered.to, 'http://console').pathname.replace('/campaigns', '');
    for (const [at, end] of [
      [0, 2_000_000],
      [2_000_000, film.length],
    ] as const) {
      const part = { ...headers, 'upload-offset': String(at) };
      const answer = await visitor.send('PATCH', upload, part, film.subarray(at, end));
      expect([answer.status, answer.headers['upload-offset']]).toEqual([204, String(end)]);
    }
    expect((await readFiles(runtime, draft)).stored.get('a.mp4')).toMatchObject({ sha256: sha256(film) });

    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const stream = await openStream(port, { host, cookie });
    await waitUntil(() => stream.text.includes('data:'), 'the first event');
    await runner.importRows([videoRow('a')]);
    await waitUntil(() => stream.text.includes('1 more campaign'), 'an event with the new campaign');
  });
});

it('nginx refuses a part that is larger than its limit, which the page does not send', async (test) => {
  const { visitor } = await openBehind(nginx, test);
  const [, limit = ''] = /client_max_body_size (\d+)m;/.exec(page) ?? [];
  const [, part = ''] = /chunkBytes = (\d+) \* 1024 \* 1024;/.exec(readFileSync(uploadScript, 'utf8')) ?? [];
  expect(Number(part)).toBeLessThan(Number(limit));
  const tooLong = { ...tus, 'content-length': String(Number(limit) * 1024 ** 2 + 1) };
  expect((await visitor.send('PATCH', '/campaigns/new/0/uploads/0', tooLong)).status).toBe(413);
});

/** Opens the live stream of the list of campaigns. Its `text` grows. */
async function openStream(
  port: number,
  headers: Readonly<Record<string, string>>,
): Promise<{ text: string }> {
  const sent = request(`http://127.0.0.1:${port}/campaigns/campaigns/events`, {
    headers: { accept: 'text/event-stream', ...headers },
  }).end();
  onTestFinished(() => void sent.destroy());
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const stream = { text: '' };
  answer.on('data', (piece: Buffer) => {
    stream.text += piece.toString();
  });
  answer.on('error', () => undefined);
  return stream;
}
