/** Many readings of whole sheets at once: each holds rows in memory. */
import { expect, it, onTestFinished } from 'vitest';
import { makeToken } from '../../src/app/access/credentials.ts';
import { readSheetLater, readSheetWithPermit } from '../../src/app/campaigns/sheets-at-once.ts';
import { quickUser } from '../support/console/access.ts';
import { openDropScene } from '../support/console/drop-scene.ts';
import { sheetOf } from '../support/console/uploads.ts';
import { waitUntil } from '../support/events.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Takes both turns. @returns a function that gives them back. */
function holdTurns(): () => void {
  const gate = Promise.withResolvers<void>();
  void readSheetLater(() => gate.promise);
  void readSheetLater(() => gate.promise);
  onTestFinished(() => gate.resolve());
  return () => gate.resolve();
}

it('two readings run at a time; of each user two wait, and a third is refused', async () => {
  const open = holdTurns();
  let running = 0;
  let most = 0;
  const read = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return running;
  };
  const asked = ['lin', 'lin', 'lin', 'anna', 'anna', 'lin'].map((user) => readSheetWithPermit(user, read));
  const settled = Promise.allSettled(asked);
  await expect(asked[2]).rejects.toMatchObject({ code: 'sheets_busy' });
  await expect(asked[5]).rejects.toMatchObject({ code: 'sheets_busy' });
  expect(most).toBe(0);
  open();
  expect((await settled).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  expect(most).toBeLessThanOrEqual(2);
});

it('a reading that nobody waits for any more does not begin', async () => {
  const open = holdTurns();
  const left = new AbortController();
  let hasBegun = false;
  const reading = readSheetWithPermit(
    'lin',
    async () => {
      hasBegun = true;
    },
    left.signal,
  );
  left.abort(new Error('left'));
  await expect(reading).rejects.toThrow('left');
  open();
  expect(hasBegun).toBe(false);
});

it('checks and imports of the API answer 503 beyond that, with Retry-After; so does a start of a draft', async (test) => {
  const { runner, pages, drop } = await openDropScene(test);
  const sheet = sheetOf(temporaryFolder(), 'a');
  await drop.send('posts.csv', sheet);
  const draft = await waitUntil(async () => {
    const answer = await fetch(`${pages.url}/api/v1/drafts/${drop.draft}`);
    const document = (await answer.json()) as { state: string; version: number };
    return document.state === 'checked' && document;
  }, 'the check of the draft');
  await quickUser(runner, 'lin', 'operator');
  const { token } = await makeToken(runner, 'lin');
  const open = holdTurns();
  const ask = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${pages.url}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': type, 'idempotency-key': path },
      body,
    });
  const check = () => ask('/checks?file=posts.csv', 'text/csv', new Uint8Array(sheet));
  let answered = 0;
  const many = Array.from({ length: 8 }, async () => {
    const answer = await check();
    answered += 1;
    return answer;
  });
  const first = await Promise.race(many);
  expect([first.status, first.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await first.json()).toMatchObject({ code: 'sheets_busy' });
  const importing = await ask('/campaigns?file=posts.csv', 'text/csv', new Uint8Array(sheet));
  expect(importing.status).toBe(503);
  const start = JSON.stringify({ version: draft.version, posts: 1 });
  const starting = await ask(`/drafts/${drop.draft}/start`, 'application/json', start);
  expect(starting.status).toBe(503);
  // One that arrives after the turns are given back would be read, too.
  await waitUntil(() => answered === 6, 'the refusals');
  open();
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 200, ...Array.from({ length: 6 }, () => 503)]);
  // A refusal for want of room is not kept as the answer of an Idempotency-Key.
  const again = await ask('/campaigns?file=posts.csv', 'text/csv', new Uint8Array(sheet));
  expect(again.status).not.toBe(503);
  expect((await ask(`/drafts/${drop.draft}/start`, 'application/json', start)).status).not.toBe(503);
});

it('drafts of the API wait in the same line, and those beyond it are refused before they are stored', async (test) => {
  const { runner, pages } = await openDropScene(test);
  const sheet = new Uint8Array(sheetOf(temporaryFolder(), 'a'));
  await quickUser(runner, 'lin', 'operator');
  const { token } = await makeToken(runner, 'lin');
  const open = holdTurns();
  const make = () =>
    fetch(`${pages.url}/api/v1/drafts?file=posts.csv`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: sheet,
    });
  const answers = await Promise.all(Array.from({ length: 5 }, make));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 503, 503, 503]);
  expect(answers.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('10');
  expect((await make()).status).toBe(503);
  open();
  await waitUntil(async () => (await make()).status === 201, 'the end of the readings');
});
