import { describe, expect, it } from 'vitest';
import { faultSchema } from '../../src/sandbox/faults/schema.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { callSandbox, testSandbox, uploadTo } from '../support/sandbox.ts';

async function admin(sandbox: Sandbox, method: string, path: string, body?: unknown, headers = {}) {
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(sandbox.adminUrl + path, init);
  return { status: answer.status, content: (await answer.json()) as never };
}

const list = '/v1/creatorAccount/pageList?pageSize=1&pageNumber=1';

describe('the admin address', () => {
  it('sets, shows and removes faults', async () => {
    await using sandbox = await testSandbox();
    const faults = [{ kind: 'status', status: 500 }, { kind: 'empty' }];
    expect(await admin(sandbox, 'POST', '/faults', faults)).toMatchObject({ content: { ids: [1, 2] } });
    expect((await callSandbox(sandbox, list)).status).toBe(500);
    expect(await admin(sandbox, 'GET', '/faults')).toMatchObject({ content: [{ struck: 1 }, { struck: 0 }] });
    await admin(sandbox, 'DELETE', '/faults?id=1');
    expect(sandbox.faults.list()).toHaveLength(1);
    await admin(sandbox, 'DELETE', '/faults');
    expect(sandbox.faults.list()).toEqual([]);
  });

  it('names the error in an invalid fault', async () => {
    await using sandbox = await testSandbox();
    const reply = await admin(sandbox, 'POST', '/faults', { kind: 'status', status: 5 });
    expect(reply).toMatchObject({ status: 400, content: { error: expect.stringContaining('status') } });
  });

  it('describes every kind of fault', async () => {
    await using sandbox = await testSandbox();
    const { content } = await admin(sandbox, 'GET', '/faults/schema');
    for (const kind of faultSchema.options.map((option) => option.shape.kind.value)) {
      expect(JSON.stringify(content)).toContain(`"${kind}"`);
    }
  });

  it('shows calls by operation, with body, order, time, answer and whether the key came along', async () => {
    await using sandbox = await testSandbox({ clock: { now: () => 1000 } });
    await callSandbox(sandbox, list);
    await callSandbox(sandbox, '/v1/material/fetch', { videoUrl: 'https://a.example/1' });
    await fetch(sandbox.url + list);
    expect(await admin(sandbox, 'GET', '/calls?operation=fetchPublicVideoData')).toMatchObject({
      content: [
        { number: 2, at: 1000, withKey: true, status: 200, body: { videoUrl: 'https://a.example/1' } },
      ],
    });
    expect(await admin(sandbox, 'GET', '/calls?after=1&limit=1')).toMatchObject({
      content: [{ number: 3, operation: 'listCreatorAccounts', withKey: false, status: 401 }],
    });
  });

  it('never shows a key', async () => {
    await using sandbox = await testSandbox({ apiKey: 'canary-9f3b' });
    await callSandbox(sandbox, list);
    for (const path of ['/calls', '/effects', '/stats', '/creators']) {
      expect(JSON.stringify((await admin(sandbox, 'GET', path)).content)).not.toContain('canary-9f3b');
    }
  });

  it('counts effects, and forgets them with a reset', async () => {
    await using sandbox = await testSandbox();
    await uploadTo(sandbox, Buffer.from('x'));
    expect((await admin(sandbox, 'GET', '/stats')).content).toMatchObject({
      calls: { createFileUpload: 1, putFile: 1, confirmUpload: 1 },
      files: 1,
      confirmedFiles: 1,
      posts: 0,
    });
    sandbox.faults.add({ kind: 'empty' });
    await admin(sandbox, 'POST', '/reset');
    expect((await admin(sandbox, 'GET', '/stats')).content).toMatchObject({ calls: {}, files: 0 });
    expect((await admin(sandbox, 'GET', '/effects')).content).toMatchObject({ files: [], posts: [] });
    expect(await callSandbox(sandbox, list)).toMatchObject({ code: 0 });
    const showcase = '/v1/creator/socialshop/product/listByShowcase?origin=SHOWCASE&id=1001&pageSize=1';
    expect((await callSandbox(sandbox, showcase)).data.totalCount).toBe(45);
  });

  it('waits for calls and for held ones, and releases them', async () => {
    await using sandbox = await testSandbox();
    sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'hold' });
    const called = admin(sandbox, 'GET', '/calls/wait?operation=listCreatorAccounts');
    const held = admin(sandbox, 'GET', '/held/wait?operation=listCreatorAccounts');
    const answer = callSandbox(sandbox, list);
    await Promise.all([called, held]);
    expect(await admin(sandbox, 'POST', '/release')).toMatchObject({ content: { released: 1 } });
    expect(await answer).toMatchObject({ code: 0 });
  });

  it('sets the clock ahead', async () => {
    await using sandbox = await testSandbox({ clock: { now: () => 0 } });
    expect(await admin(sandbox, 'POST', '/clock', { advanceMs: 5000 })).toMatchObject({
      content: { now: 5000 },
    });
    await admin(sandbox, 'POST', '/clock', { to: '2026-06-01T00:00:00Z' });
    expect(sandbox.clock.now()).toBe(Date.UTC(2026, 5, 1));
  });

  it('adds creators and keys', async () => {
    await using sandbox = await testSandbox();
    await admin(sandbox, 'PUT', '/creators', { id: 9001, creatorId: '74990', username: 'new_one' });
    await admin(sandbox, 'PUT', '/keys', { 'only-list': ['listCreatorAccounts'] });
    const headers = { 'x-api-key': 'only-list' };
    const answer = await fetch(`${sandbox.url}${list}&usernames=new_one`, { headers });
    expect(await answer.json()).toMatchObject({ data: { list: [{ id: 9001 }] } });
  });

  it('refuses changes by a web page', async () => {
    await using sandbox = await testSandbox();
    const reply = await admin(sandbox, 'POST', '/reset', {}, { origin: 'https://elsewhere.example' });
    expect(reply.status).toBe(403);
  });
});
