import { describe, expect, it } from 'vitest';
import { type ApiOperationId, apiOperations } from '../../src/sandbox/description/operations.ts';
import { testSandbox } from '../support/sandbox.ts';

const operations = Object.keys(apiOperations) as ApiOperationId[];

describe('API keys', () => {
  it.each(operations)(
    '%s answers 401 without a valid key and 403 with one that is not permitted',
    async (operation) => {
      const others = operations.filter((other) => other !== operation);
      await using sandbox = await testSandbox({ keys: { limited: others } });
      const { method, path } = apiOperations[operation];
      const statusWith = async (headers: Record<string, string>) => {
        const init = method === 'POST' ? { method, headers, body: '{}' } : { headers };
        const answer = await fetch(sandbox.url + path, init);
        expect(await answer.json()).toMatchObject({
          code: expect.any(Number),
          data: {},
          message: expect.any(String),
        });
        return answer.status;
      };
      expect(await statusWith({})).toBe(401);
      expect(await statusWith({ 'x-api-key': 'wrong' })).toBe(401);
      expect(await statusWith({ 'x-api-key': 'limited' })).toBe(403);
    },
  );

  it('come in a readable kind that may list and not post', async () => {
    await using sandbox = await testSandbox();
    const headers = { 'x-api-key': 'sandbox-key-readonly' };
    const list = await fetch(`${sandbox.url}/v1/creatorAccount/pageList?pageSize=1&pageNumber=1`, {
      headers,
    });
    const post = await fetch(`${sandbox.url}/v1/creator/post/create`, {
      method: 'POST',
      headers,
      body: '{}',
    });
    expect([list.status, post.status]).toEqual([200, 403]);
  });
});

describe('requests that are not calls', () => {
  it('are form data where an operation takes JSON, however right its fields are', async () => {
    await using sandbox = await testSandbox();
    const body = new FormData();
    body.set('videoUrl', 'https://a.example/1');
    const init = { method: 'POST', headers: { 'x-api-key': sandbox.apiKey }, body };
    const answer = await fetch(`${sandbox.url}/v1/material/fetch`, init);
    expect(await answer.json()).toMatchObject({ code: 40_000, data: { field: 'Content-Type' } });
  });

  const headers = { 'x-api-key': 'sandbox-key', 'content-type': 'application/json' };

  it.each([
    ['an unknown path', '/v2/nothing', { headers }, 404],
    ['the wrong method', '/v1/file/presign', { headers }, 405],
    ['no JSON', '/v1/file/presign', { method: 'POST', headers, body: '{' }, 400],
    ['a list', '/v1/file/presign', { method: 'POST', headers, body: '[]' }, 400],
    [
      'another content type',
      '/v1/file/presign',
      { method: 'POST', headers: { ...headers, 'content-type': 'text/csv' }, body: '{}' },
      400,
    ],
    [
      'far more than a megabyte',
      '/v1/file/presign',
      { method: 'POST', headers, body: ' '.repeat(30_000_000) },
      400,
    ],
  ])('%s is refused with an envelope', async (_, path, init, status) => {
    await using sandbox = await testSandbox();
    const answer = await fetch(sandbox.url + path, init);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code: status * 100 });
  });
});

describe('rate limits', () => {
  it('are off by default', async () => {
    await using sandbox = await testSandbox();
    const path = `${sandbox.url}/v1/creatorAccount/pageList?pageSize=1&pageNumber=1`;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => fetch(path, { headers: { 'x-api-key': sandbox.apiKey } })),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
  });

  it('answer 429 with Retry-After once the calls of a second are spent, and let calls pass again after it', async () => {
    await using sandbox = await testSandbox({ rates: { listCreatorAccounts: 2 }, clock: { now: () => 0 } });
    const path = `${sandbox.url}/v1/creatorAccount/pageList?pageSize=1&pageNumber=1`;
    const call = () => fetch(path, { headers: { 'x-api-key': sandbox.apiKey } });
    const answers = [await call(), await call(), await call()];
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 429]);
    const seconds = Number(answers[2]?.headers.get('retry-after'));
    sandbox.clock.advance(seconds * 1000);
    expect((await call()).status).toBe(200);
  });
});
