import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

/** The authorization of the creator has expired, and one of the rows lacks its file, too. */
async function open() {
  const runner = await openRunner();
  const { faults } = runner.sandbox;
  faults.add({ operation: 'createCreatorPost', kind: 'code', code: 40101, match: 'Caption expired' });
  const gone = videoRow('gone', { creator: 'demo_ben' });
  const id = await runner.importOrUpdate([gone, videoRow('expired', { creator: 'demo_ben' })], { window: 1 });
  rmSync(join(runner.folder, 'gone.mp4'));
  await runner.start();
  await runner.ended(id);
  return { runner, id, pages: await openPages(runner) };
}

it('a retry does not count rows of a creator on hold, and links to them', async () => {
  const { id, pages } = await open();
  const asked = await pages.get(`/campaigns/${id}/retry?code=media_missing`);
  expect(asked.text).toContain('Retry 0 rows? No row can be retried now. Skips 1 row:');
  expect(asked.text).toContain('1: demo_ben is on hold until the creator authorizes again');
  expect(asked.html).not.toContain('class="primary"');
  const row = await pages.get(`/campaigns/${id}/rows/gone/retry`);
  expect(row.html).toContain(`href="/campaigns/${id}/creators/demo_ben/resume"`);
  const expired = await pages.get(`/campaigns/${id}/rows/expired`);
  expect(expired.text).toMatch(/authorization of demo_ben has expired Ask demo_ben to authorize again, then/);
  expect(expired.html).toContain(`href="/campaigns/${id}/creators/demo_ben/resume"`);
  expect(expired.html).not.toContain('/rows/expired/retry');
});

it('a creator who has authorized again goes on, after a question that says what it takes', async () => {
  const { runner, id, pages } = await open();
  const path = `/campaigns/${id}/creators/demo_ben/resume`;
  const asked = await pages.get(path);
  expect(asked.text).toMatch(/Retry 1 row of demo_ben\? .* At least 1 call, no AI outputs\./);
  expect((await runner.rows(id)).map(({ state }) => state)).toEqual(['failed', 'failed']);
  const done = await pages.post(path, {});
  expect(done.text).toContain('demo_ben is no longer on hold. 1 row will be retried.');
  expect((await runner.ended(id)).counts).toMatchObject({ posted: 1, failed: 1 });
  expect((await pages.get(path)).text).toContain('No rows of this campaign wait for this creator.');
  for (const name of ['nobody', '__proto__', '..%2Fc1']) {
    expect((await pages.get(`/campaigns/${id}/creators/${name}/resume`)).status, name).toBe(404);
  }
});
