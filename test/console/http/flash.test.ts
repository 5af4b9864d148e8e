/** Notices in a cookie: browsers drop one that is too long. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { flash, takeFlash } from '../../../src/console/http/cookies.ts';
import type { Notice } from '../../../src/console/request.ts';

const scope = { base: '' };
const undo = {
  label: 'Undo',
  path: '/approvals/withdraw',
  fields: { posts: 'c1.10.0.~'.repeat(277), home: '/approvals' },
};

/** What the next page gets of a notice. */
async function told(notice: Notice): Promise<{ readonly bytes: number; readonly notice: Notice }> {
  const app = express();
  app.get('/flash', (_request, response) => {
    flash(response, notice, scope);
    response.end();
  });
  app.get('/take', (request, response) => void response.json(takeFlash(request, response, scope) ?? null));
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const [cookie = ''] = (await fetch(`${url}/flash`)).headers.getSetCookie();
  const pair = cookie.split(';', 1)[0] ?? '';
  const answer = await fetch(`${url}/take`, { headers: { cookie: pair } });
  return { bytes: pair.length, notice: (await answer.json()) as Notice };
}

it.for([
  ['in English', 'Post a changed since it was shown. '.repeat(8), 280],
  ['in Chinese', '夏季精华液的标题已被修改。'.repeat(24), 60],
] as const)('keeps the undo of many posts beside details %s', async ([_name, more, kept]) => {
  const { bytes, notice } = await told({ state: 'warning', text: 'Approved 180 posts.', more, undo });
  expect(bytes).toBeLessThanOrEqual(4096);
  expect(notice).toEqual({ state: 'warning', text: 'Approved 180 posts.', more: more.slice(0, kept), undo });
});

it('keeps what was done, however long the rest is', async () => {
  const text = '已批准。'.repeat(100);
  const { bytes, notice } = await told({ state: 'done', text, more: text, undo });
  expect(bytes).toBeLessThanOrEqual(4096);
  expect(notice.text).toBe(text.slice(0, 300));
  expect(notice.undo).toBeUndefined();
});
