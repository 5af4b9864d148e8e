import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findCampaign } from '../../../../src/app/campaigns/find.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { listDrafts } from '../../../../src/app/drafts/drafts.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { sheetText, writeSheet } from '../../../support/sheets/sheet.ts';
import { httpAnswer, wireServer } from '../../../support/wire-server.ts';

const link = 'https://cdn.example/a.mp4';
const row = (key: string) => videoRow(key, { media: link });
const settings = { media: { allowPrivateAddresses: ['127.0.0.1'] } };

/** The console, and a server whose answer can be replaced. */
async function open() {
  const runner = await openRunner({ settings });
  const pages = await openPages(runner);
  const served = { answer: httpAnswer(200, sheetText([row('a')])) };
  const { origin } = await wireServer((_, socket) => socket.write(served.answer));
  return { runner, pages, served, address: `${origin}/Plan.csv` };
}

it('New campaign takes the address of a sheet', async () => {
  const { pages, address } = await open();
  expect((await pages.get('/campaigns/new')).html).toContain('name="address"');
  const { text } = await pages.post('/campaigns/new/from-address', { address });
  expect(text).toContain('Plan');
  const { drafts } = await listDrafts(pages.runtime);
  expect(drafts).toMatchObject([{ sheet: { name: 'Plan.csv', address } }]);
});

it('says that a sheet is not public, and keeps what was typed', async () => {
  const { pages, served, address } = await open();
  served.answer = httpAnswer(403);
  const { status, text, html } = await pages.post('/campaigns/new/from-address', { address });
  expect(status).toBe(422);
  expect(text).toContain('The sheet is not public, or no longer at this address.');
  expect(html).toContain(`value="${address}"`);
  expect((await listDrafts(pages.runtime)).drafts).toEqual([]);
});

it('the sheet of a campaign is read again at its address, as an update', async () => {
  const { runner, pages, served, address } = await open();
  const path = join(runner.folder, 'own.csv');
  writeSheet(path, [row('a')]);
  const file = { file: address, path, name: 'Plan', folder: runner.folder };
  const started = await startCampaign(pages.runtime, file);
  const id = started.kind === 'imported' ? started.campaign.id : '';
  expect((await findCampaign(pages.runtime, id)).source).toBe(address);
  expect((await pages.get(`/campaigns/${id}`)).text).toContain('Read the sheet again');
  served.answer = httpAnswer(200, sheetText([row('a'), row('b')]));
  await pages.post(`/campaigns/${id}/read-again`, {});
  expect((await listDrafts(pages.runtime)).drafts).toMatchObject([{ into: id, sheet: { address } }]);
  served.answer = httpAnswer(503);
  const { status, text } = await pages.post(`/campaigns/${id}/read-again`, {});
  expect(status).toBe(200);
  expect(text).toMatch(/The address answered with HTTP 503\. Check the address .* Read the sheet again/);
});

it('a campaign of a file is not read again', async () => {
  const { runner, pages } = await open();
  const id = await runner.importRows([videoRow('a')]);
  expect((await pages.get(`/campaigns/${id}`)).text).not.toContain('Read the sheet again');
  expect((await pages.post(`/campaigns/${id}/read-again`, {})).text).toContain(
    'This is not an https address',
  );
});
