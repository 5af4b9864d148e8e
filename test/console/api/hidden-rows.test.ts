/** Rows that a workbook hides, sent to the REST API. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiPath } from '../../../src/console/app.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { filteredWorkbook } from '../../support/sheets/workbook.ts';

it('have a problem unless the caller says what becomes of them', async () => {
  const { url } = await openPages(await openRunner());
  const media = 'https://cdn.example/a.mp4';
  const body = readFileSync(await filteredWorkbook([videoRow('a', { media })], [videoRow('b', { media })]));
  const check = async (query: string) => {
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await fetch(`${url}${apiPath}/checks${query}`, { method: 'POST', headers, body });
    return await answer.json();
  };
  expect(await check('')).toMatchObject({
    plan: { videos: 1 },
    problems: [{ code: 'row_hidden', fix: expect.stringContaining('send hidden=skip; to post them') }],
  });
  expect(await check('?hidden=skip')).toMatchObject({ rows: 1, plan: { videos: 1 }, problems: [] });
  expect(await check('?hidden=post')).toMatchObject({ rows: 2, plan: { videos: 2 }, problems: [] });
});

it('are posted from a draft until that choice is taken back', async () => {
  const { url } = await openPages(await openRunner());
  const media = 'https://cdn.example/a.mp4';
  const body = readFileSync(await filteredWorkbook([videoRow('a', { media })], [videoRow('b', { media })]));
  const send = async (path: string, type: string, sent: string | Buffer) => {
    const headers = { 'content-type': type };
    const answer = await fetch(`${url}${apiPath}/drafts${path}`, { method: 'POST', headers, body: sent });
    return (await answer.json()) as { id: string; version: number; reading: object };
  };
  const { id, version } = await send('?file=posts.xlsx', 'application/octet-stream', body);
  const choose = (seen: number, hidden: 'post' | null) =>
    send(`/${id}/reading`, 'application/json', JSON.stringify({ version: seen, reading: { hidden } }));
  const chosen = await choose(version, 'post');
  expect(chosen.reading).toEqual({ hidden: 'post' });
  expect((await choose(chosen.version, null)).reading).toEqual({});
});
