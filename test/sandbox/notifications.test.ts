/** The sandbox as a receiver of notifications. */
import { createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { testSandbox } from '../support/sandbox.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const body = JSON.stringify({ event: 'campaign.ended', campaign: 'c1' });

async function post(sandbox: Sandbox, headers: Readonly<Record<string, string>>, text = body) {
  const answer = await fetch(`${sandbox.adminUrl}/notifications`, { method: 'POST', headers, body: text });
  return answer.status;
}

async function shown(sandbox: Sandbox): Promise<unknown> {
  return (await fetch(`${sandbox.adminUrl}/notifications`)).json();
}

function signed(text = body): Record<string, string> {
  const key = Buffer.from(secret.slice(6), 'base64');
  const signature = createHmac('sha256', key).update(`msg_1.1614265330.${text}`).digest('base64');
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1614265330',
    'webhook-signature': `v1,wrong v1,${signature}`,
  };
}

it('shows what arrived, with the verdict on its signature', async () => {
  await using sandbox = await testSandbox({ notifySecret: secret, clock: { now: () => 1000 } });
  expect(await post(sandbox, signed())).toBe(200);
  expect(await shown(sandbox)).toEqual([
    {
      number: 1,
      at: 1000,
      id: 'msg_1',
      timestamp: '1614265330',
      signature: 'valid',
      body: { event: 'campaign.ended', campaign: 'c1' },
    },
  ]);
});

it('refuses a message that was changed, or is not signed', async () => {
  await using sandbox = await testSandbox({ notifySecret: secret });
  expect(await post(sandbox, signed(), body.replace('c1', 'c2'))).toBe(401);
  expect(await post(sandbox, { 'webhook-id': 'msg_1' })).toBe(401);
  expect(await shown(sandbox)).toMatchObject([{ signature: 'invalid' }, { signature: 'missing' }]);
});

it('checks nothing without a secret, and takes what is no JSON', async () => {
  await using sandbox = await testSandbox();
  expect(await post(sandbox, {}, 'text')).toBe(200);
  expect(await shown(sandbox)).toMatchObject([{ signature: 'unchecked', body: 'text' }]);
  await fetch(`${sandbox.adminUrl}/notifications/wait?count=1`);
  sandbox.reset();
  expect(await shown(sandbox)).toEqual([]);
});

it('takes none from a web page', async () => {
  await using sandbox = await testSandbox();
  expect(await post(sandbox, { origin: 'https://elsewhere.example' })).toBe(403);
  expect(await shown(sandbox)).toEqual([]);
});

it('links them on its front page', async () => {
  await using sandbox = await testSandbox();
  const page = await (await fetch(`${sandbox.url}/`)).text();
  expect(page).toContain(`${sandbox.adminUrl}/notifications`);
});
