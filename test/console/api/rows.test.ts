/** Edits of a row, and decisions about rows of several campaigns. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { apiPath } from '../../../src/console/app.ts';
import { callApi } from '../../support/api.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';

it('edits a row by the rules of a check, and only as it was seen', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const id = await runner.importRows([aiVideoRow('a')]);
  const path = `/campaigns/${id}/rows/a/cells`;
  const edit = (cells: object, revision = 0) =>
    callApi(url, path, { method: 'PUT', body: { revision, cells } });

  const problems = [{ column: 'caption', code: expect.any(String), fix: expect.any(String) }];
  expect((await edit({ caption: '' })).body).toMatchObject({ status: 422, code: 'row_refused', problems });
  for (const cells of [{ key: 'b' }, { nonsense: 'x' }, { caption: 5 }]) {
    expect((await edit(cells)).body).toMatchObject({ status: 422, code: 'request_invalid' });
  }
  expect((await callApi(url, path)).body).toMatchObject({ revision: 0, locked: null });
  expect((await edit({ caption: 'Better' }, 7)).body).toMatchObject({ status: 409, code: 'edit_refused' });

  expect((await edit({ caption: 'Better' })).body).toMatchObject({
    changes: [{ column: 'caption', after: 'Better' }],
    end: 'saved',
  });
  const { body } = await callApi(url, path);
  expect(body.cells).toContainEqual({ name: 'caption', column: 'caption', text: 'Better' });
});

it('lists rows in review page by page over campaigns, and decides each as it was listed', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 3 });
  const ids = [
    await runner.importOrUpdate([videoRow('a'), videoRow('b')]),
    await runner.importOrUpdate([videoRow('c')], { again: true }),
  ];
  await runner.start();
  for (const id of ids) await runner.ended(id);
  await (await runner.queues.queue('campaign')).pause();
  const { url } = await openPages(runner);

  const listed: Record<string, unknown>[] = [];
  let cursor = '';
  do {
    const { body } = await callApi(url, `/review?limit=1${cursor}`);
    expect(body.total).toBe(3);
    listed.push(...(body.rows as Record<string, unknown>[]));
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  } while (cursor !== '' && listed.length < 10);
  expect(listed.map(({ key }) => key).sort()).toEqual(['a', 'b', 'c']);

  const rows = listed.map(({ campaign, position, revision, key }) => ({
    campaign,
    position,
    decision: 'not-posted',
    revision: key === 'b' ? 9 : revision,
  }));
  const decide = async (dryRun: boolean) => {
    const { body } = await callApi(url, '/review/decisions', { method: 'POST', body: { rows, dryRun } });
    const decisions = body.decisions as Record<string, unknown>[];
    return new Map(decisions.map(({ key, state, refused }) => [key, state ?? refused]));
  };
  const outcome = new Map([
    ['a', 'waiting'],
    ['b', 'row b has changed since it was shown'],
    ['c', 'waiting'],
  ]);
  expect(await decide(true)).toEqual(outcome);
  expect((await callApi(url, '/review')).body.total).toBe(3);
  expect(await decide(false)).toEqual(outcome);
  expect((await callApi(url, '/review')).body.total).toBe(1);
});

it('decides about all rows in review only as the program has seen them', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 2 });
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b')]);
  await runner.start();
  await runner.ended(id);
  const { url } = await openPages(runner);
  const decide = async (fields: object) =>
    (
      await callApi(url, `/campaigns/${id}/decisions`, {
        method: 'POST',
        body: { decision: 'not-posted', ...fields },
      })
    ).body;

  expect(await decide({})).toMatchObject({
    status: 422,
    code: 'decision_unseen',
    detail: expect.stringContaining(`2 rows in review of ${id}`),
    fix: expect.stringContaining('how many rows you saw (expect)'),
  });
  expect(await decide({ expect: 1 })).toMatchObject({ status: 409, code: 'plan_changed' });
  expect(await decide({ before: '2026-01-01 10:00' })).toMatchObject({ status: 422, code: 'date_invalid' });
  expect(await decide({ before: '2026-01-01T10:00:00Z' })).toMatchObject({ matched: 0, left: 2 });
  expect(await decide({ dryRun: true })).toMatchObject({
    matched: 2,
    causes: [{ code: 'outcome_unknown', rows: 2 }],
  });
  expect(await decide({ expect: 2 })).toMatchObject({ matched: 2, states: { waiting: 2 } });
});

it('keeps texts that look guarded as in JSON: in cells, after an edit, in every sheet of results', async () => {
  const runner = await openRunner({ queues: [] });
  const { url } = await openPages(runner);
  const body = [aiVideoRow('a', { caption: "'=a" }), aiVideoRow('b', { caption: "'=b" })];
  await callApi(url, '/campaigns', { method: 'POST', body });
  const cells = { caption: "'@new" };
  const edit = { method: 'PUT', body: { revision: 0, cells } };
  expect((await callApi(url, '/campaigns/c1/rows/b/cells', edit)).status).toBe(200);
  const listed = await callApi(url, "/campaigns/c1/rows?text='@new");
  expect(listed.body.rows).toMatchObject([{ key: 'b', caption: "'@new" }]);
  const row = await callApi(url, '/campaigns/c1/rows/b/cells');
  expect(row.body.cells).toContainEqual({ name: 'caption', column: 'caption', text: "'@new" });
  const results = await callApi(url, '/campaigns/c1/results?format=json');
  expect(JSON.parse(results.text)).toMatchObject([{ caption: "'=a" }, { caption: "'@new" }]);
  for (const format of ['csv', 'json', 'xlsx']) {
    const sheet = await fetch(`${url}${apiPath}/campaigns/c1/results?format=${format}`);
    const planned = await fetch(`${url}${apiPath}/campaigns/c1/sheet?dryRun=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: await sheet.arrayBuffer(),
    });
    expect([format, await planned.json()]).toMatchObject([format, { matches: { unchanged: 2, changed: 0 } }]);
  }
});

it('imports several sheets of a workbook as one, and names the worksheet of each problem', async () => {
  const runner = await openRunner({ queues: [] });
  const { url, get } = await openPages(runner);
  const send = async (path: string, ...weeks: readonly (readonly Cells[])[]) => {
    const sheets = weeks.map((rows, index) => worksheetOf(`Week ${index + 1}`, rows));
    const answer = await fetch(`${url}${apiPath}${path}sheet=Week%201&sheet=Week%202`, {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body: readFileSync(await writeWorkbook({ sheets })),
    });
    return (await answer.json()) as Readonly<Record<string, unknown>>;
  };
  const week1 = [aiVideoRow('a')];
  expect(await send('/checks?', week1, [aiVideoRow('b', { caption: '' })])).toMatchObject({
    rows: 2,
    problems: [{ worksheet: 'Week 2', line: 2, key: 'b', column: 'caption' }],
  });
  await send('/campaigns?', week1, [aiVideoRow('b')]);
  const updated = await send('/campaigns/c1/sheet?', week1, [aiVideoRow('b'), aiVideoRow('c')]);
  expect(updated).toMatchObject({ matches: { unchanged: 2, new: 1 } });
  const results = await callApi(url, '/campaigns/c1/results?format=json');
  expect(JSON.parse(results.text)).toMatchObject([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
  expect((await get('/campaigns/c1/rows/c')).text).toContain('Week 2, line 3 of the sheet');
});
