import { expect, it } from 'vitest';
import { readAudit, recordChange } from '../../../src/app/access/audit.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

it('shows 50 changes a page, newest first, and which they are', async () => {
  const pages = await openPages(await openRunner());
  for (let i = 1; i <= 53; i += 1) {
    await recordChange(pages.runtime, { who: 'anna', from: '127.0.0.1', what: `Paused c${i}.`, by: '/x' });
  }
  const first = await pages.get('/audit');
  expect(first.text).toContain('1 to 50 of 53');
  expect(first.text).toContain('Paused c53.');
  expect(first.text).not.toContain('Paused c3.');

  const older = /href="([^"]*)">Older</.exec(first.html)?.[1]?.replaceAll('&amp;', '&') ?? '';
  const second = await pages.get(older);
  expect(second.text).toContain('51 to 53 of 53');
  expect(second.text).toMatch(/Paused c3\..* Paused c1\..* Newest/);
});

it('shows the changes of one user or of one kind, day by day', async () => {
  const pages = await openPages(await openRunner());
  const entry = (who: string, what: string) => ({ who, from: '127.0.0.1', what, by: '/x' });
  for (let i = 1; i <= 120; i += 1) await recordChange(pages.runtime, entry('anna', `Paused c${i}.`));
  await recordChange(pages.runtime, entry('ben', 'Resumed c1.'));
  await recordChange(pages.runtime, entry('anna', 'Signed in.'), 'signIns');
  const all = await pages.get('/audit');
  expect(all.html).toMatch(/<h2 id="day-0">[^<]+<\/h2><p>50 changes<\/p>/);
  const ben = await pages.get('/audit?who=ben');
  expect(ben.text).toContain('Resumed c1.');
  expect(ben.text).not.toContain('anna');
  const signIns = await pages.get('/audit?what=signIns');
  expect(signIns.text).toContain('Signed in.');
  expect(signIns.text).not.toContain('Paused');
  expect((await pages.get('/audit?who=carl')).text).toContain('There are no such changes.');
});

it('says of a change on a page what it says of the operation, and nothing if nothing was changed', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  for (const action of ['pause', 'pause', 'resume']) await pages.post(`/campaigns/${id}/${action}`, {});
  const { entries } = await readAudit(pages.runtime);
  expect(entries.map(({ what, by }) => [what, by])).toEqual([
    [`Resumed ${id}.`, `/campaigns/${id}/resume`],
    [`Paused ${id}.`, `/campaigns/${id}/pause`],
  ]);
});

it('links the names of campaigns, and no keys that look like their ids', async () => {
  const runner = await openRunner();
  const first = await runner.importRows([videoRow('a')]);
  const second = await runner.importRows([videoRow('c1')]);
  const pages = await openPages(runner);
  await recordChange(pages.runtime, {
    who: 'anna',
    from: '::1',
    what: `Cancelled row ${first} of ${second}.`,
    by: '/x',
  });
  const { text, html } = await pages.get('/audit');
  expect(text).toContain(`Cancelled row ${first} of test`);
  expect(html).toContain(`href="/campaigns/${second}"`);
});

it('is there although the record of a campaign cannot be read', async () => {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  await recordChange(pages.runtime, { who: 'anna', from: '::1', what: `Paused ${id}.`, by: '/x' });
  await runner.redis.hset(runner.ledger.keys.campaign(id), 'state', 'foreign');
  const { status, text } = await pages.get('/audit');
  expect(status).toBe(200);
  expect(text).toContain(`Paused ${id}.`);
});
