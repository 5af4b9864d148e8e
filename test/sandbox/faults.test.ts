import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { callSandbox, contractHash, testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';
import { exchange } from './raw.ts';

const path = '/v1/creator/post/create';

/** A sandbox with one fault on the post creation, and a post that would be accepted. */
async function setup(fault: FaultInput) {
  const sandbox = await testSandbox();
  const fileId = await uploadTo(sandbox, Buffer.from('a video'));
  const post = videoPost(fileId, sandbox.creators()[0]?.creatorId ?? '');
  sandbox.faults.add({ ...fault, operation: 'createCreatorPost' });
  return {
    sandbox,
    post,
    posts: () => sandbox.effects().posts.length,
    exchange: (until?: (text: string) => boolean) => exchange(sandbox, path, post, until),
    [Symbol.asyncDispose]: () => sandbox.close(),
  };
}

const whole = (text: string) => text.includes('}') && !text.endsWith('{');

describe('faults of the connection', () => {
  it.each([
    ['lost-answer', 'reset', 'ECONNRESET', 1],
    ['lost-answer', 'fin', undefined, 1],
    ['reset', 'reset', 'ECONNRESET', 0],
    ['reset', 'fin', undefined, 0],
  ] as const)('%s by %s ends with %s and no byte, after %i effects', async (kind, by, error, effects) => {
    await using scene = await setup({ kind, by });
    expect(await scene.exchange()).toMatchObject({ text: '', error });
    expect(scene.posts()).toBe(effects);
    expect(scene.sandbox.calls('createCreatorPost')).toMatchObject([{ status: undefined, faults: [kind] }]);
  });

  it('strike once unless told otherwise', async () => {
    await using scene = await setup({ kind: 'lost-answer' });
    await scene.exchange();
    expect(await callSandbox(scene.sandbox, path, scene.post)).toMatchObject({ code: 0 });
    expect(scene.posts()).toBe(2);
  });

  it('no-answer leaves the caller without a byte until the end', async () => {
    await using scene = await setup({ kind: 'no-answer' });
    const waiting = scene.exchange();
    await scene.sandbox.whenCalled('createCreatorPost');
    // A call behind it is answered, so the first one has been carried out by now.
    await callSandbox(scene.sandbox, path, scene.post);
    expect(scene.posts()).toBe(2);
    await scene.sandbox.close();
    expect((await waiting).text).toBe('');
  });
});

describe('faults of time', () => {
  it('hold after the effect keeps the answer until it is released', async () => {
    await using scene = await setup({ kind: 'hold' });
    const answer = callSandbox(scene.sandbox, path, scene.post);
    await scene.sandbox.whenHeld('createCreatorPost');
    expect(scene.posts()).toBe(1);
    expect(scene.sandbox.release()).toBe(1);
    expect(await answer).toMatchObject({ code: 0 });
  });

  it('hold before the effect keeps the effect, even when the caller goes away', async () => {
    await using scene = await setup({ kind: 'hold', when: 'before' });
    const controller = new AbortController();
    const headers = { 'x-api-key': scene.sandbox.apiKey };
    const body = JSON.stringify(scene.post);
    const call = request(scene.sandbox.url + path, {
      method: 'POST',
      headers,
      body,
      signal: controller.signal,
    });
    await scene.sandbox.whenHeld('createCreatorPost');
    controller.abort();
    await expect(call).rejects.toThrow();
    expect(scene.posts()).toBe(0);
    scene.sandbox.release('createCreatorPost');
    await callSandbox(scene.sandbox, '/v1/creator/post/pageList?pageSize=1&pageNumber=1');
    expect(scene.posts()).toBe(1);
  });

  it('delay and another fault strike the same call', async () => {
    await using scene = await setup({ kind: 'delay', ms: 30 });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'status', status: 500 });
    const start = performance.now();
    expect(await callSandbox(scene.sandbox, path, scene.post)).toMatchObject({ status: 500 });
    expect(performance.now() - start).toBeGreaterThanOrEqual(29);
    expect(scene.sandbox.calls('createCreatorPost')).toMatchObject([{ faults: ['delay', 'status'] }]);
  });

  it('slow-body comes byte by byte', async () => {
    await using scene = await setup({ kind: 'slow-body', bytesPerSecond: 500 });
    const { text, pieces } = await scene.exchange((came) => came.endsWith('"success"}'));
    expect(text).toContain('200 OK');
    expect(pieces).toBeGreaterThan(20);
  });
});

describe('faults of the answer', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('status 500 %s the effect leaves %i posts', async (when, effects) => {
    await using scene = await setup({ kind: 'status', status: 500, when });
    expect(await callSandbox(scene.sandbox, path, scene.post)).toMatchObject({ status: 500, code: 50000 });
    expect(scene.posts()).toBe(effects);
  });

  it.each([
    ['seconds', /^7$/],
    ['date', /^Mon, 01 Jun 2026 00:00:07 GMT$/],
  ] as const)('throttle names the time to wait as %s', async (retryAfterForm, pattern) => {
    await using sandbox = await testSandbox({ clock: { now: () => Date.UTC(2026, 5, 1) } });
    sandbox.faults.add({ kind: 'throttle', retryAfterSeconds: 7, retryAfterForm });
    const answer = await fetch(`${sandbox.url}/v1/creatorAccount/pageList?pageSize=1&pageNumber=1`, {
      headers: { 'x-api-key': sandbox.apiKey },
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toMatch(pattern);
  });

  it('throttle names no time unless told', async () => {
    await using scene = await setup({ kind: 'throttle' });
    const { text } = await scene.exchange(whole);
    expect(text).toContain('429');
    expect(text.toLowerCase()).not.toContain('retry-after');
    expect(scene.posts()).toBe(0);
  });

  it('code answers 200 with any code', async () => {
    await using scene = await setup({ kind: 'code', code: 40101, message: 'no' });
    const reply = await callSandbox(scene.sandbox, path, scene.post);
    expect(reply).toEqual({ status: 200, code: 40101, data: {}, message: 'no' });
    expect(scene.posts()).toBe(0);
  });

  it.each([
    [{ kind: 'malformed-json' }, /^\{.*,\}$/],
    [{ kind: 'html' }, /^<!doctype html>/],
    [{ kind: 'empty' }, /^$/],
  ] as const)('%o answers 200 with no JSON, after the effect', async (fault, pattern) => {
    await using scene = await setup(fault);
    const headers = { 'x-api-key': scene.sandbox.apiKey };
    const answer = await request(scene.sandbox.url + path, {
      method: 'POST',
      headers,
      body: JSON.stringify(scene.post),
    });
    expect(answer.statusCode).toBe(200);
    expect(await answer.body.text()).toMatch(pattern);
    expect(scene.posts()).toBe(1);
  });

  it('half-body ends in the middle of what was promised', async () => {
    await using scene = await setup({ kind: 'half-body', by: 'fin' });
    const [head = '', body = ''] = (await scene.exchange()).text.split('\r\n\r\n');
    const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe(promised >> 1);
    expect(scene.posts()).toBe(1);
  });

  it('wrong-length sends more than it said', async () => {
    await using scene = await setup({ kind: 'wrong-length', by: -5 });
    const [head = '', body = ''] = (await scene.exchange((text) => text.endsWith('"success"}'))).text.split(
      '\r\n\r\n',
    );
    expect(Number(/content-length: (\d+)/i.exec(head)?.[1])).toBe(body.length - 5);
  });

  it('redirect leads to the decoy, which notes whether the key came along', async () => {
    await using scene = await setup({ kind: 'redirect' });
    await callSandbox(scene.sandbox, path, scene.post);
    expect(scene.posts()).toBe(0);
    expect(scene.sandbox.calls('decoy')).toMatchObject([{ method: 'POST', target: '/decoy' }]);
  });

  it('task-status shows a state that was never seen, for as long as it strikes', async () => {
    await using sandbox = await testSandbox();
    const params = { prompt: 'x', model: 'gpt-image-2', aspectRatio: '1:1' };
    const { data } = await callSandbox(sandbox, '/v1/ai/schedule/create', {
      type: 'IMAGE_GENERATION',
      params,
      nums: 1,
    });
    sandbox.clock.advance(60_000);
    const operation = 'listAiTasksByScheduleId';
    sandbox.faults.add({ operation, kind: 'task-status', status: 'ODD' });
    sandbox.faults.add({ operation, kind: 'empty-list' });
    const statuses = async () => {
      const reply = await callSandbox(sandbox, `/v1/ai/task/listByScheduleId?scheduleId=${data.scheduleId}`);
      return (reply.data.list as { status: string }[]).map((task) => task.status);
    };
    expect([await statuses(), await statuses(), await statuses()]).toEqual([['ODD'], [], ['COMPLETED']]);
  });

  it('generation-outcome decides how a generation ends', async () => {
    await using sandbox = await testSandbox();
    sandbox.faults.add({
      operation: 'createAiGenerationSchedule',
      kind: 'generation-outcome',
      status: 'EXPIRED',
    });
    const params = { prompt: 'x', model: 'gpt-image-2', aspectRatio: '1:1' };
    const { data } = await callSandbox(sandbox, '/v1/ai/schedule/create', {
      type: 'IMAGE_GENERATION',
      params,
      nums: 1,
    });
    sandbox.clock.advance(60_000);
    const reply = await callSandbox(sandbox, `/v1/ai/task/listByScheduleId?scheduleId=${data.scheduleId}`);
    expect(reply.data.list).toMatchObject([{ status: 'EXPIRED' }]);
  });

  it('product-errors refuses the products that it names', async () => {
    await using sandbox = await testSandbox();
    sandbox.faults.add({ operation: 'addSocialShowcaseProducts', kind: 'product-errors', productIds: ['2'] });
    const body = { id: 1003, addType: 'PRODUCT_ID', productIds: ['1', '2'] };
    const reply = await callSandbox(sandbox, '/v1/creator/socialshop/product/addToShowcase', body);
    expect(reply.data.errors).toMatchObject([{ code: 16001001, detail: { productId: '2' } }]);
  });
});

describe('faults of the storage and of downloads', () => {
  const bytes = Buffer.alloc(200_000, 'bytes ');

  async function presign(sandbox: Sandbox) {
    const file = {
      fileName: 'a.mp4',
      contentType: 'video/mp4',
      size: bytes.length,
      hash: contractHash(bytes),
    };
    const { data } = await callSandbox(sandbox, '/v1/file/presign', file);
    return data as { uploadUrl: string; expiresAt: string };
  }

  function put(url: string) {
    return fetch(url, {
      method: 'PUT',
      body: new Uint8Array(bytes),
      headers: { 'content-type': 'video/mp4' },
    });
  }

  it.each([true, false])('presign-expired, announced %s, gives a URL that is refused', async (announced) => {
    await using sandbox = await testSandbox();
    sandbox.faults.add({ operation: 'createFileUpload', kind: 'presign-expired', announced });
    const { uploadUrl, expiresAt } = await presign(sandbox);
    expect(Date.parse(expiresAt) < sandbox.clock.now()).toBe(announced);
    expect((await put(uploadUrl)).status).toBe(403);
    expect((await put((await presign(sandbox)).uploadUrl)).status).toBe(200);
  });

  it.each([403, 500])('a PUT is refused with %i and keeps nothing', async (status) => {
    await using sandbox = await testSandbox();
    const { uploadUrl } = await presign(sandbox);
    sandbox.faults.add({ operation: 'putFile', kind: 'status', status });
    expect((await put(uploadUrl)).status).toBe(status);
    expect(sandbox.effects().files).toMatchObject([{ state: 'registered' }]);
  });

  it('a PUT is cut in the middle', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl } = await presign(sandbox);
    sandbox.faults.add({ operation: 'putFile', kind: 'cut-upload', afterBytes: 1000 });
    await expect(put(uploadUrl)).rejects.toThrow();
    expect(sandbox.calls('putFile')).toMatchObject([{ status: undefined, faults: ['cut-upload'] }]);
    expect((await put(uploadUrl)).status).toBe(200);
  });

  it('a download is larger than it should be', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, bytes);
    sandbox.faults.add({ operation: 'getAsset', kind: 'oversize', bytes: 5_000_000 });
    const answer = await fetch(`${sandbox.url}/files/${fileId}/a.mp4`);
    expect((await answer.arrayBuffer()).byteLength).toBe(5_000_000);
  });

  it('a download is not found', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, bytes);
    sandbox.faults.add({ operation: 'getAsset', kind: 'status', status: 404 });
    expect((await fetch(`${sandbox.url}/files/${fileId}/a.mp4`)).status).toBe(404);
  });
});
