import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/app/runtime/http-server.ts';
import { boardClient } from '../support/console/board.ts';
import { Visitor } from '../support/console/visitor.ts';
import { waitUntil } from '../support/events.ts';
import { meanwhile, openScene } from '../support/processes/scene.ts';
import { startLedgerRedis } from '../support/redis/redis-server.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

const anyPort = ['--port', '0', '--json'];
async function readiness(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

describe.concurrent('campaigns serve', () => {
  it('answers probes and shows the board; after SIGTERM finishes running jobs and ends with 0', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);

    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before' });
    const served = scene.start(['serve', ...anyPort]);
    const [, url = ''] = await served.line(/"url": "(.*)"/);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness');
    expect((await fetch(`${url}/board`)).headers.get('content-type')).toContain('text/html');

    await boardClient(url).change('PUT', 'upload/retry/failed');
    await meanwhile(served, scene.sandbox.whenHeld('createCreatorPost'));
    served.kill('SIGTERM');
    await waitUntil(async () => (await readiness(url)).status === 503, 'the end of readiness');
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    scene.sandbox.release();
    expect(await served.end()).toEqual({ code: 0, signal: null });
    await expect(fetch(`${url}/healthz`)).rejects.toThrow('fetch failed');
    expect(scene.sandbox.effects().posts).toHaveLength(1);
    expect((await scene.run(['list', '--json'])).stdout).toContain('"posted": 1');
  });

  it('with --no-work takes no jobs and needs no service', async (test) => {
    const scene = await openScene(test);
    const served = scene.start(['serve', '--no-work', ...anyPort], {
      CREATOR_API_URL: '',
      CREATOR_API_KEY: '',
    });
    const [, url = ''] = await served.line(/"url": "(.*)"/);
    expect(await readiness(url)).toEqual({ status: 200, body: { ready: true, checks: { redis: 'ok' } } });
    const { body } = await boardClient(url).read('queues/post/workers');
    expect(body).toEqual({ workers: [] });
    served.kill('SIGINT');
    expect(await served.end()).toEqual({ code: 0, signal: null });
  });

  it('reports a taken port before it takes a job', async (test) => {
    const scene = await openScene(test);
    await using other = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0 });
    const { port } = new URL(other.url);
    const { code, stderr, stdout } = await scene.run(['serve'], { CONSOLE_PORT: port });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`127.0.0.1, port ${port}: another process listens there`);
    expect(stderr).toContain('--port');
  });
});

describe.concurrent('campaigns serve and its sign-in', () => {
  it('on another address wants one, and says what is missing', async (test) => {
    const scene = await openScene(test);
    const served = scene.start(['serve', '--no-work', '--host', '0.0.0.0', ...anyPort]);
    const [, port = ''] = await served.line(/"url": "http:..0\.0\.0\.0:(\d+)"/);
    await served.errorLine(/campaigns users add NAME --role admin/);
    await served.errorLine(/set CONSOLE_ORIGIN/);
    const page = await fetch(`http://127.0.0.1:${port}/campaigns`);
    expect(page.status).toBe(503);
    expect(await page.text()).toContain('No users yet');
    served.kill('SIGINT');
    expect(await served.end()).toEqual({ code: 0, signal: null });
  });

  it('on this machine under the name of another says that users are missing', async (test) => {
    const scene = await openScene(test);
    const env = { CONSOLE_ORIGIN: 'https://console.example' };
    const served = scene.start(['serve', '--no-work', ...anyPort], env);
    const [, url = ''] = await served.line(/"url": "(.*)"/);
    expect((await fetch(`${url}/campaigns`)).status).toBe(503);
    await served.errorLine(/campaigns users add NAME --role admin/);
    served.kill('SIGINT');
    expect(await served.end()).toEqual({ code: 0, signal: null });
  });

  it('makes the first admin of CONSOLE_ADMIN_PASSWORD_FILE', async (test) => {
    const scene = await openScene(test);
    const file = join(scene.folder, 'password');
    writeFileSync(file, 'four words of admin?\n');
    const env = { CONSOLE_ADMIN_PASSWORD_FILE: file, CONSOLE_BASE: '/tools/' };
    const refused = await scene.run(['serve', '--no-work', ...anyPort], env);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('the password contains the name');

    writeFileSync(file, 'four words of a test\n');
    const served = scene.start(['serve', '--no-work', ...anyPort], env);
    const [, url = ''] = await served.line(/"url": "(.*)"/);
    await served.errorLine(/The first user is made.*: admin/);
    const visitor = new Visitor(`${url}/tools`);
    expect((await visitor.signIn('admin')).to).toBe('/tools/campaigns');
    expect((await visitor.get('/audit')).text).toContain('Added the admin admin');
    served.kill('SIGINT');
    expect(await served.end()).toEqual({ code: 0, signal: null });
  });
});

describe.concurrent('campaigns worker --health-port', () => {
  it('answers probes and metrics, and ends with 0 after SIGTERM', async (test) => {
    const scene = await openScene(test);
    const worker = scene.start(['worker', '--health-port', '0']);
    const [, url = ''] = await worker.errorLine(/"probes":"(http[^"]*)".*worker started/);
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness');
    expect(await readiness(url)).toMatchObject({ body: { checks: { redis: 'ok', workers: 'ok' } } });
    expect((await fetch(`${url}/board`)).status).toBe(404);
    await scene.run(['import', scene.manifest([aiVideoRow('a')])]);
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    const text = await waitUntil(async () => {
      const read = await metrics();
      return read.includes('campaigns_jobs_total{queue="post",outcome="done"} 1') && read;
    }, 'the post among the metrics');
    expect(text).toContain('campaigns_service_calls_total{operation="createCreatorPost",status="200"} 1');
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    worker.kill('SIGTERM');
    expect(await worker.end()).toEqual({ code: 0, signal: null });
  });

  it('is alive and not ready while Redis is away, and ready when it is back', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL, server } = await startLedgerRedis(test, scene.folder);
    const worker = scene.start(['worker', '--health-port', '0'], { REDIS_URL });
    const [, url = ''] = await worker.errorLine(/"probes":"(http[^"]*)".*worker started/);
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness');
    server.child.kill('SIGSTOP');
    expect(await readiness(url)).toMatchObject({ status: 503, body: { ready: false } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.child.kill('SIGCONT');
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness again');
    worker.kill('SIGTERM');
    expect(await worker.end()).toEqual({ code: 0, signal: null });
  });
});
