/** Over all campaigns: what is found, what waits, what is planned when. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';

const day = '2027-03-08';
const at = (time: string) => ({ scheduled_at: `${day} ${time}`, scheduled_tz: 'Asia/Shanghai' });

it('finds campaigns and rows, everything that waits, and posts that are too close', async () => {
  const runner = await openRunner({ queues: [], now: () => Date.parse('2027-03-01T00:00:00Z') });
  const { url } = await openPages(runner);
  const first = await runner.importRows([aiVideoRow('a', at('10:00')), aiVideoRow('b', at('10:10'))]);
  const second = await runner.importRows([aiVideoRow('a', at('23:00'))], { again: true });
  await callApi(url, `/campaigns/${second}/pause`, { method: 'POST' });
  const get = async (path: string) => (await callApi(url, path)).body;

  const listed = async (text: string) =>
    ((await get(`/campaigns?text=${text}`)).campaigns as { id: string }[]).map(({ id }) => id);
  expect(await listed(first)).toEqual([first]);
  expect(await listed('demo_anna')).toEqual([second, first]);
  expect(await listed('nobody')).toEqual([]);
  expect(await get('/rows?key=a')).toEqual({
    rows: [
      { id: second, key: 'a' },
      { id: first, key: 'a' },
    ],
    next: null,
  });
  expect(await get('/waiting')).toMatchObject({ inReview: [], paused: [{ id: second, code: 'paused' }] });

  const calendar = (query: string) => get(`/calendar?from=${day}&days=1&${query}`);
  const [creator] = (await calendar('zone=Asia/Shanghai')).creators as Record<string, unknown[]>[];
  expect(creator?.posts).toHaveLength(3);
  expect(creator?.collisions).toMatchObject([
    { first: { campaign: first, key: 'a' }, second: { key: 'b' }, apartMs: 600_000 },
  ]);
  const [apart] = (await calendar('zone=Asia/Shanghai&near=5')).creators as Record<string, unknown[]>[];
  expect(apart?.collisions).toEqual([]);
  expect(await calendar('zone=Nowhere/None')).toMatchObject({ status: 422, code: 'request_invalid' });
  expect(await get('/calendar?from=2027-02-30')).toMatchObject({ status: 422, code: 'date_invalid' });
});

it('takes a sheet into a campaign only as its plan was agreed to', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const id = await runner.importRows([aiVideoRow('a')]);
  const path = `/campaigns/${id}/sheet`;
  const body = sheetText([aiVideoRow('a', { caption: 'Mine' }), aiVideoRow('b')]);
  const update = (query: string) => callApi(url, `${path}?${query}`, { method: 'POST', body });
  const seen = (await update('dryRun=true')).body.digest;
  expect((await update('agreed=2')).body).toMatchObject({ status: 422, code: 'request_invalid' });
  // As many rows are new and changed as before.
  const edit = { method: 'PUT', body: { revision: 0, cells: { caption: 'Hers' } } };
  expect((await callApi(url, `/campaigns/${id}/rows/a/cells`, edit)).status).toBe(200);
  expect((await update(`agreed=${seen}`)).body).toMatchObject({ status: 409, code: 'plan_changed' });
  const now = (await update('dryRun=true')).body.digest;
  expect((await update(`agreed=${now}`)).status).toBe(200);
  expect((await runner.ledger.campaigns.find(id))?.rows).toBe(2);
});

it('reads the next version of a workbook as the campaign was read', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const weeks = (...names: string[]) =>
    writeWorkbook({ sheets: names.map((name) => worksheetOf(`Week ${name}`, [aiVideoRow(name)])) });
  const post = async (path: string, file: string) => {
    const request = { method: 'POST', body: readFileSync(file), headers: { 'content-type': 'text/csv' } };
    const answer = await fetch(`${url}/api/v1${path}`, request);
    return (await answer.json()) as Record<string, unknown>;
  };
  const { id } = await post('/campaigns?sheet=Week%201&sheet=Week%202', await weeks('1', '2'));
  const { matches } = await post(`/campaigns/${id}/sheet?dryRun=true`, await weeks('1', '2', '3'));
  expect(matches).toMatchObject({ unchanged: 2, new: 0 });
});

it('says of a draft which campaign its sheet has become before', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const body = sheetText([aiVideoRow('a')]);
  const draftOf = async () => {
    const { id } = (await callApi(url, '/drafts?file=posts.csv', { method: 'POST', body })).body;
    return runner.until(async () => {
      const { body: draft } = await callApi(url, `/drafts/${id}`);
      return draft.state === 'checked' && draft;
    }, 'the check');
  };
  expect(await draftOf()).not.toHaveProperty('earlier');
  const campaign = (await callApi(url, '/campaigns', { method: 'POST', body })).body.id;
  expect((await draftOf()).earlier).toEqual({ campaign, state: 'running' });
});
