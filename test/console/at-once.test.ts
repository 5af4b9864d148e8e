/** Several operators at the same rows, and pages of what is gone meanwhile. */
import { expect, it } from 'vitest';
import { deleteCampaign } from '../../src/app/campaigns/steer.ts';
import { openPages } from '../support/console/console-pages.ts';
import { openRunner } from '../support/in-process.ts';
import { videoRow } from '../support/sheets/rows.ts';

/** A campaign whose rows have failed, because uploads were refused. */
async function failed(keys: readonly string[]) {
  const runner = await openRunner({ settings: { retry: { attempts: 1 } } });
  runner.sandbox.faults.add({
    operation: 'createFileUpload',
    kind: 'status',
    status: 500,
    times: keys.length,
  });
  const id = await runner.importOrUpdate(keys.map((key) => videoRow(key)));
  await runner.start();
  await runner.ended(id);
  return { runner, id, pages: await openPages(runner) };
}

it('two operators retry the same rows: each row goes again once', async () => {
  const { runner, id, pages } = await failed(['a', 'b', 'c']);
  const answers = await Promise.all([
    pages.post(`/campaigns/${id}/retry`, { code: 'server_error', step: 'upload' }),
    pages.post(`/campaigns/${id}/retry`, { code: 'server_error', step: 'upload' }),
    pages.post(`/campaigns/${id}/rows/b/retry`, {}),
  ]);
  const again = answers.map(({ text }) => {
    const [, rows] = /(\d+) rows? will be retried\./.exec(text) ?? [];
    return rows === undefined ? Number(text.includes('Row b is retried.')) : Number(rows);
  });
  expect(again.reduce((sum, rows) => sum + rows, 0)).toBe(3);
  await runner.ended(id);
  expect((await runner.rows(id)).map(({ state, revision }) => `${state} ${revision}`)).toEqual([
    'posted 1',
    'posted 1',
    'posted 1',
  ]);
  expect(runner.sandbox.effects().posts).toHaveLength(3);
});

it('two operators release a canary: it goes on once', async () => {
  const runner = await openRunner();
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')], { canary: 1 });
  await runner.start();
  await runner.until(
    async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
    'the canary to end',
  );
  const pages = await openPages(runner);
  const answers = await Promise.all([1, 2].map(() => pages.post(`/campaigns/${id}/resume`, {})));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect((await runner.ended(id)).counts.posted).toBe(2);
  expect(runner.sandbox.effects().posts).toHaveLength(2);
});

it('pages and forms of a campaign that was deleted meanwhile say so, and change nothing', async () => {
  const { id, pages } = await failed(['a']);
  await deleteCampaign(pages.runtime, id, { force: false });
  for (const path of ['', '/retry', '/cancel', '/into', '/results.csv', '/rows/a', '/rows/a/retry']) {
    const page = await pages.get(`/campaigns/${id}${path}`);
    expect([path, page.status]).toEqual([path, 404]);
    expect(page.text, path).toContain('Not found');
  }
  const forms: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ...(['/pause', '/resume', '/retry', '/rows/a/retry'] as const).map((path) => [path, {}] as const),
    ['/cancel', { sure: 'yes' }],
    ['/rows/a/edit', { revision: '0', 'c.caption': 'New' }],
    ['/rows/a/save', { revision: '0', 'c.caption': 'New' }],
    ['/creators/demo_anna/resume', {}],
  ];
  for (const [path, fields] of forms) {
    expect([path, (await pages.post(`/campaigns/${id}${path}`, fields)).status]).toEqual([path, 404]);
  }
});

it('a decision about a campaign that was deleted meanwhile does not stop the others', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 2 });
  const ids = [
    await runner.importOrUpdate([videoRow('a')]),
    await runner.importOrUpdate([videoRow('b')]),
  ] as const;
  await runner.start();
  for (const id of ids) await runner.ended(id);
  const pages = await openPages(runner);
  await deleteCampaign(pages.runtime, ids[0], { force: true });
  const posts = runner.sandbox.effects().posts;
  const post = posts.find(({ title }) => title === 'Caption b');
  const fields = { [`d.${ids[0]}.0.0`]: 'not-posted', [`d.${ids[1]}.0.0`]: `posted ${post?.postId}` };
  const asked = await pages.post('/review', fields);
  expect(asked.text).toContain('Mark 1 row as posted?');
  expect(asked.text).toContain(`row 1 of ${ids[0]} : there is no campaign ${ids[0]}`);
  const decided = await pages.post('/review/decide', { ...fields, looked: 'yes' });
  expect(decided.text).toContain('Decided 1 row.');
  expect((await runner.rows(ids[1])).map(({ state }) => state)).toEqual(['posted']);
});
