import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/runtime/http-server.ts';
import { boardClient } from '../support/board.ts';
import { waitUntil } from '../support/events.ts';
import { startLedgerRedis } from '../support/redis-server.ts';
import { videoRow } from '../support/rows.ts';
import { meanwhile, openScene } from '../support/scene.ts';

const anyPort = ['--port', '0', '--json'];
const startsWithinMs = 50_000;

async function readiness(url: string): Promise<{ readonly status: number; readonly body: unknown }> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

describe.concurrent('campaigns serve', { timeout: 60_000 }, () => {
  it('answers probes and shows the board; after SIGTERM finishes running jobs and ends with 0', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createFileUpload', kind: 'status', status: 400 });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);

    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'hold', when: 'before' });
    const served = scene.start(['serve', ...anyPort]);
    const [, url = ''] = await served.line(/"url": "(.*)"/, startsWithinMs);
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
    const [, url = ''] = await served.line(/"url": "(.*)"/, startsWithinMs);
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

describe('campaigns serve listens on loopback only', () => {
  it.each([
    ['--host 0.0.0.0', ['--host', '0.0.0.0'], {}],
    ['CONSOLE_HOST of a network', [], { CONSOLE_HOST: '10.0.0.1' }],
    ['CONSOLE_HOST of any IPv6', [], { CONSOLE_HOST: '::' }],
  ])('with %s', async (what, args, env) => {
    const scene = await openScene({ onTestFinished });
    const { code, stderr } = await scene.run(['serve', ...args], env);
    expect(code).toBe(2);
    expect(stderr).toContain('loopback only');
    expect(stderr).toContain(what.split(' ')[0]);
    expect(stderr).toContain('ssh -N -L');
  });
});

describe.concurrent('campaigns worker --health-port', { timeout: 60_000 }, () => {
  it('answers probes, and ends with 0 after SIGTERM', async (test) => {
    const scene = await openScene(test);
    const worker = scene.start(['worker', '--health-port', '0']);
    const [, url = ''] = await worker.errorLine(/"probes":"(http[^"]*)".*worker started/, startsWithinMs);
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness');
    expect(await readiness(url)).toMatchObject({ body: { checks: { redis: 'ok', workers: 'ok' } } });
    expect((await fetch(`${url}/board`)).status).toBe(404);
    worker.kill('SIGTERM');
    expect(await worker.end()).toEqual({ code: 0, signal: null });
  });

  it('is alive and not ready while Redis is away, and ready when it is back', async (test) => {
    const scene = await openScene(test);
    const { url: REDIS_URL, server } = await startLedgerRedis(test, scene.folder);
    const worker = scene.start(['worker', '--health-port', '0'], { REDIS_URL });
    const [, url = ''] = await worker.errorLine(/"probes":"(http[^"]*)".*worker started/, startsWithinMs);
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness');
    server.child.kill('SIGSTOP');
    expect(await readiness(url)).toMatchObject({ status: 503, body: { ready: false } });
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    server.child.kill('SIGCONT');
    await waitUntil(async () => (await readiness(url)).status === 200, 'readiness again');
  });
});
