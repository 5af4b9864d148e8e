/** What requests may do, and how often: roles, keys, bounds. */

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeToken } from '../../../src/app/access/credentials.ts';
import { mayDo, rights, roles, whoMay } from '../../../src/app/access/roles.ts';
import { allOperations as operations } from '../../../src/app/operations.ts';
import { apiPath } from '../../../src/console/app.ts';
import { problemSchema } from '../../../src/console/http/problem.ts';
import { callApi } from '../../support/api.ts';
import { quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { Visitor } from '../../support/console/visitor.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';

const sheet = sheetText([aiVideoRow('one'), aiVideoRow('two')]);

async function openApi() {
  const runner = await openRunner({ queues: [] });
  const { url, runtime } = await openPages(runner);
  const key = (text: string) => ({ 'idempotency-key': text });
  return { runner, runtime, url, key };
}

it.each(roles)('each operation lets in a token of role %s, or not, and nobody without one', async (role) => {
  const { runner, url, runtime } = await openApi();
  await quickUser(runner, 'anna', role);
  const { token } = await makeToken(runtime, 'anna');
  const person = new Visitor(url);
  await person.signIn('anna');
  for (const { id, method, path, right } of operations) {
    const address = path.replaceAll(/\{\w+\}/g, 'none');
    const call = { method: method.toUpperCase() };
    const nobody = await callApi(url, address, call);
    expect([nobody.status, nobody.type, nobody.body.code], id).toEqual([
      401,
      'application/problem+json',
      'sign_in_required',
    ]);
    expect(nobody.headers.get('www-authenticate')).toBe('Bearer');
    const isAllowed = mayDo({ person: { role } }, right);
    if (method !== 'get') {
      // A session without the proof of a page changes nothing, so allowed changes are refused for that.
      const { status, text } = await person.send(call.method, apiPath + address);
      const code = isAllowed ? 'proof_missing' : 'role_missing';
      expect([status, JSON.parse(text).code], id).toEqual([403, code]);
    }
    if (isAllowed && method !== 'get') continue;
    const called = await callApi(url, address, { ...call, headers: { authorization: `Bearer ${token}` } });
    if (isAllowed) expect([401, 403], id).not.toContain(called.status);
    else {
      expect([called.status, called.body.code, called.body.detail], id).toEqual([
        403,
        'role_missing',
        `Only ${whoMay(right)} may ${rights[right]}.`,
      ]);
    }
  }
});

it('a browser session changes nothing without the proof of its own forms', async () => {
  const { runner, url } = await openApi();
  const id = await runner.importRows([aiVideoRow('a')]);
  await quickUser(runner, 'anna', 'operator');
  const [anna, other] = [new Visitor(url), new Visitor(url)];
  for (const visitor of [anna, other]) await visitor.signIn('anna');
  const pause = async (headers: Readonly<Record<string, string>>) =>
    (await anna.send('POST', `${apiPath}/campaigns/${id}/pause`, headers)).status;
  expect(await pause({})).toBe(403);
  expect(await pause({ 'x-csrf-token': await other.csrf() })).toBe(403);
  expect((await runner.ledger.campaigns.find(id))?.state).toBe('running');
  expect(await pause({ 'x-csrf-token': await anna.csrf(), origin: 'https://a.example' })).toBe(403);
  expect(await pause({ 'x-csrf-token': await anna.csrf() })).toBe(200);
});

it('two at once with the same key: one is carried out', async () => {
  const { runner, url, key } = await openApi();
  const call = { method: 'POST', body: sheet, headers: key('k1') };
  const answers = await Promise.all([1, 2, 3].map(() => callApi(url, '/campaigns?again=true', call)));
  expect(await runner.ledger.campaigns.list()).toHaveLength(1);
  for (const { status, body } of answers) {
    expect([201, 'key_in_use']).toContain(status === 201 ? status : body.code);
  }
});

it('the same request with the same key is carried out once, and answered the same', async () => {
  const { runner, url, key } = await openApi();
  const call = { method: 'POST', body: sheet, headers: key('k1') };
  const first = await callApi(url, '/campaigns?again=true', call);
  const second = await callApi(url, '/campaigns?again=true', call);
  expect([first.status, second.status, second.text === first.text]).toEqual([201, 201, true]);
  expect(await runner.ledger.campaigns.list()).toHaveLength(1);
  const third = await callApi(url, '/campaigns?again=true', { ...call, headers: key('k2') });
  expect([third.status, third.body.id]).toEqual([201, 'c2']);
});

it('a request whose process was killed after it had made a campaign gets that campaign, although it asks for another import', async () => {
  const { runner, url, key } = await openApi();
  const call = { method: 'POST', body: sheet, headers: key('k1') };
  const first = await callApi(url, '/campaigns?again=true', call);
  const answers = await runner.redis.keys(`${runner.prefix}:answer:*`);
  expect(answers).toHaveLength(1);
  await runner.redis.del(...answers);
  const second = await callApi(url, '/campaigns?again=true', call);
  expect([second.status, second.body.id]).toEqual([201, first.body.id]);
  expect(await runner.ledger.campaigns.list()).toHaveLength(1);
});

it('a key of another request is refused', async () => {
  const { url, key } = await openApi();
  await callApi(url, '/campaigns', { method: 'POST', body: sheet, headers: key('k1') });
  const other = { method: 'POST', body: sheetText([aiVideoRow('three')]), headers: key('k1') };
  expect((await callApi(url, '/campaigns', other)).body).toMatchObject({ status: 422, code: 'key_reused' });
  expect((await callApi(url, '/campaigns?name=x', { ...other, body: sheet })).body.code).toBe('key_reused');
});

it('a key in use is refused, and free again when its process was killed', async () => {
  const { runner, runtime, url, key } = await openApi();
  const first = await callApi(url, '/campaigns', { method: 'POST', body: sheet });
  expect(first.status).toBe(201);
  const held = async () =>
    (
      await runtime.ledger.keptAnswers.claim({
        user: 'somebody',
        route: 'POST /x',
        key: 'k',
        fingerprint: 'f',
      })
    ).kind;
  expect([await held(), await held()]).toEqual(['claimed', 'running']);
  const [claim] = await runner.redis.keys(`${runner.prefix}:answer:*`);
  const left = await runner.redis.pttl(claim ?? '');
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(60_000);
  await runner.redis.pexpire(claim ?? '', 0);
  expect(await held()).toBe('claimed');
  expect(
    (await callApi(url, '/campaigns', { method: 'POST', body: sheet, headers: key('a b') })).body.code,
  ).toBe('key_invalid');
});

it('answers are kept for a day, and a thousand of a user', async () => {
  const { runner, runtime } = await openApi();
  for (let at = 0; at <= 1000; at += 1) {
    const claimed = await runtime.ledger.keptAnswers.claim({
      user: 'u',
      route: 'POST /x',
      key: String(at),
      fingerprint: 'f',
    });
    if (claimed.kind === 'claimed')
      await claimed.claim.keep({ status: 200, contentType: 'a/b', body: String(at) });
  }
  const kept = await runner.redis.keys(`${runner.prefix}:answer:*`);
  expect(kept).toHaveLength(1000);
  expect(await runner.redis.pttl(kept[0] ?? '')).toBeGreaterThan(86_000_000);
  const again = await runtime.ledger.keptAnswers.claim({
    user: 'u',
    route: 'POST /x',
    key: '1000',
    fingerprint: 'f',
  });
  expect(again).toEqual({ kind: 'answered', answer: { status: 200, contentType: 'a/b', body: '1000' } });
});

it.each([
  ['an unknown parameter', '/campaigns?wrong=1', undefined, undefined, 422, 'request_invalid'],
  ['a wrong value', '/campaigns?limit=0', undefined, undefined, 422, 'request_invalid'],
  ['an unknown field', '/scrapes', '{"run":1}', 'application/json', 422, 'request_invalid'],
  ['no JSON', '/scrapes', '{', 'application/json', 400, 'body_unreadable'],
  ['a long body', '/scrapes', `"${'x'.repeat(300_000)}"`, 'application/json', 413, 'body_too_large'],
  ['a form', '/scrapes', 'a=b', 'application/x-www-form-urlencoded', 415, 'type_unsupported'],
  ['a form as a sheet', '/checks', 'a=b', 'text/plain', 415, 'type_unsupported'],
  ['a body for what takes none', '/campaigns/c1/pause', '{}', 'application/json', 400, 'body_unreadable'],
  ['an unknown path', '/else', undefined, undefined, 404, 'path_unknown'],
  [
    'a broken percent-encoding in the path',
    '/campaigns/%E4',
    undefined,
    undefined,
    400,
    'address_unreadable',
  ],
  [
    'a broken percent-encoding in the query',
    '/campaigns?text=50%',
    undefined,
    undefined,
    400,
    'address_unreadable',
  ],
  [
    'a query of too many fields',
    `/campaigns?${'a&'.repeat(400)}`,
    undefined,
    undefined,
    414,
    'address_too_long',
  ],
])('refuses %s', async (_what, path, body, type, status, code) => {
  const { url } = await openApi();
  const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
  const answer = await callApi(url, path, { method: body === undefined ? 'GET' : 'POST', body, headers });
  expect([answer.status, answer.type, answer.body.code]).toEqual([status, 'application/problem+json', code]);
  expect(problemSchema.safeParse(answer.body).error).toBeUndefined();
});

it('reports to a program that Redis stopped answering during its request', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner, undefined, { patienceMs: 400 });
  runner.sandbox.faults.add({ operation: 'listCreatorAccounts', kind: 'hold' });
  const answer = callApi(url, '/creators');
  await runner.sandbox.whenHeld('listCreatorAccounts');
  runner.redis.stream.pause();
  expect((await answer).body).toMatchObject({ status: 503, code: 'redis_away' });
  runner.redis.stream.resume();
  runner.sandbox.release('listCreatorAccounts');
  expect((await callApi(url, '/campaigns')).status).toBe(200);
});

it('a broken off upload does not end the console', async () => {
  const { url } = await openApi();
  const sent = request(`${url}${apiPath}/checks`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', 'content-length': '1000' },
  });
  sent.on('error', () => undefined);
  sent.write('key,creator\n');
  await once(sent, 'socket');
  const closed = new Promise((resolve) => sent.once('close', resolve));
  sent.destroy();
  await closed;
  expect((await callApi(url, '/campaigns')).status).toBe(200);
});

it('a refused sheet lists its problems, and its file name leads to no folder', async () => {
  const { url } = await openApi();
  const wrong = sheetText([aiVideoRow('a', { caption: '' })]);
  const refused = await callApi(url, '/campaigns?file=../../x.csv', { method: 'POST', body: wrong });
  expect(refused.body).toMatchObject({
    status: 422,
    code: 'sheet_refused',
    check: { problems: [{ column: 'caption' }] },
  });
  const taken = await callApi(url, '/campaigns?file=../../x.csv', { method: 'POST', body: sheet });
  expect(taken.body).toMatchObject({ name: 'x', source: 'x.csv' });
});

it('a media folder of the settings that is missing, such as a share that is not mounted, is reported, and not made', async () => {
  const root = join(temporaryFolder(), 'share');
  const runner = await openRunner({ queues: [], settings: { media: { root } } });
  const { url } = await openPages(runner);
  const refused = await callApi(url, '/campaigns', { method: 'POST', body: sheet });
  expect([refused.body.code, existsSync(root)]).toEqual(['media_root_missing', false]);
});

it('records changes in the audit, but neither dry runs nor reads', async () => {
  const { runner, url } = await openApi();
  const id = await runner.importRows([aiVideoRow('a')]);
  await callApi(url, `/campaigns/${id}/retry`, { method: 'POST', body: { dryRun: true } });
  await callApi(url, '/audit');
  await callApi(url, `/campaigns/${id}/pause`, { method: 'POST' });
  const entries = await runner.redis.xlen(`${runner.prefix}:audit`);
  expect(entries).toBe(1);
});
