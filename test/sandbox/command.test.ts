import { describe, expect, it } from 'vitest';
import { spawnNode } from '../support/processes/child.ts';
import { testSandbox } from '../support/sandbox.ts';

const program = new URL('./command-program.ts', import.meta.url);
const free = ['--port', '0', '--admin-port', '0'];

describe('campaigns sandbox', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('says where it is, and ends with 0 after %s', async (signal) => {
    const running = spawnNode(program, [...free, '--json', '--key', 'my-key']);
    const [line] = await running.line(/^\{.*\}$/);
    const { url, adminUrl, apiKey } = JSON.parse(line) as Record<string, string>;
    expect(apiKey).toBe('my-key');
    const headers = { 'x-api-key': 'my-key' };
    const answer = await fetch(`${url}/v1/creatorAccount/pageList?pageSize=1&pageNumber=1`, { headers });
    expect(answer.status).toBe(200);
    expect((await fetch(`${adminUrl}/stats`)).status).toBe(200);
    running.kill(signal);
    expect(await running.end()).toEqual({ code: 0, signal: null });
    expect(running.output.stdout).toHaveLength(1);
  });

  it('applies rates of all operations and of one', async () => {
    const running = spawnNode(program, [
      ...free,
      '--json',
      '--rate',
      '100',
      '--rate',
      'fetchPublicVideoData=1',
    ]);
    const [line] = await running.line(/^\{.*\}$/);
    const { url } = JSON.parse(line) as { url: string };
    const call = async () => {
      const body = JSON.stringify({ videoUrl: 'https://a.example/1' });
      return (
        await fetch(`${url}/v1/material/fetch`, {
          method: 'POST',
          headers: { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' },
          body,
        })
      ).status;
    };
    expect([await call(), await call()]).toEqual([200, 429]);
    running.kill('SIGTERM');
    await running.end();
  });

  it('refuses larger pages than --max-page-size', async () => {
    const running = spawnNode(program, [...free, '--json', '--max-page-size', '5']);
    const [line] = await running.line(/^\{.*\}$/);
    const { url } = JSON.parse(line) as { url: string };
    const statusOf = async (pageSize: number) => {
      const path = `/v1/creatorAccount/pageList?pageNumber=1&pageSize=${pageSize}`;
      return (await fetch(url + path, { headers: { 'x-api-key': 'sandbox-key' } })).status;
    };
    expect([await statusOf(6), await statusOf(5)]).toEqual([400, 200]);
    running.kill('SIGTERM');
    await running.end();
  });

  it('ends with 2 when the port is taken', async () => {
    await using sandbox = await testSandbox();
    const running = spawnNode(program, ['--port', new URL(sandbox.url).port]);
    expect(await running.end()).toMatchObject({ code: 2 });
    expect(running.output.stderr.join('\n')).toContain('EADDRINUSE');
    expect(running.output.stdout).toEqual([]);
  });

  it('ends with 2 for a rate of an unknown operation', async () => {
    const running = spawnNode(program, [...free, '--rate', 'createPost=5']);
    expect(await running.end()).toMatchObject({ code: 2 });
    expect(running.output.stderr.join('\n')).toContain('createPost');
  });

  it('explains with --help how to work against it', async () => {
    const running = spawnNode(program, ['--help']);
    expect(await running.end()).toMatchObject({ code: 0 });
    const text = running.output.stdout.join('\n');
    for (const part of ['CREATOR_API_URL=', 'CREATOR_API_KEY=', 'CAMPAIGNS_CONFIG=', 'curl', '/faults']) {
      expect(text).toContain(part);
    }
  });
});
