import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftMediaFolder } from '../../../../src/app/drafts/folder.ts';
import { streamDraft } from '../../../../src/console/pages/new/draft/page.ts';
import type { PageRequest } from '../../../../src/console/request.ts';
import {
  cellsOf,
  good,
  lost,
  openDraft,
  options,
  product,
  textOfAll,
} from '../../../support/console/draft-page.ts';
import { movie } from '../../../support/sheets/movie.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('shows the kinds of problems, and why the sheet suggests what it does', async () => {
  const { kind } = await openDraft([videoRow('a', good), videoRow('b', lost), videoRow('c', lost)]);
  const { text, status } = await kind();
  expect(status).toBe(200);
  expect(text).toContain('2 rows to fix, 1 kind of problem');
  expect(text).toContain(`In 1 other row the product title Velvet Cherry has the id ${product}.`);
  expect(text).toContain('Skip 2 rows and start 1 post');
  expect(text).toContain('1 of 3 rows ready');
});

it('puts one typed text into all rows of a kind', async () => {
  const { kind, send } = await openDraft([videoRow('b', lost), videoRow('c', lost)]);
  const { text } = await send('cells', { [textOfAll((await kind()).html)]: product });
  expect(text).toContain('2 rows edited.');
});

it('saves the cells that were typed over, and only those', async () => {
  const { checked, send, ...testDraft } = await openDraft([videoRow('a', lost), videoRow('b', lost)]);
  const { html } = await checked();
  const [name = '', other = ''] = [...html.matchAll(/name="(c\.\d+\.\d+)"/g)].map((match) => match[1] ?? '');
  const { text } = await send('cells', { [name]: product, [other]: lost.product_id });
  expect(text).toContain('1 row edited. 1 row left to fix.');
  expect(await cellsOf(testDraft, 1)).toContain(product);
});

it('saves a block of 500 Chinese captions, each character of which is sent as nine bytes', async () => {
  const rows = Array.from({ length: 500 }, (_, index) => videoRow(`r${index}`, { caption: 'A' }));
  const { checked, send, look, ...testDraft } = await openDraft(rows);
  await checked();
  const at = (await look()).checked?.columns.find(({ title }) => title === 'caption')?.position ?? -1;
  const captions = rows.map((_, index) => [`c.${index + 1}.${at}`, '春'.repeat(58)]);
  expect((await send('cells', Object.fromEntries(captions))).text).toContain('500 rows edited.');
  expect(await cellsOf({ ...testDraft, look }, 500)).toContain('春'.repeat(58));
});

it('tells whose change came first, and keeps what was typed', async () => {
  const { checked, pages, path, edit } = await openDraft([videoRow('a', lost)]);
  const { html } = await checked();
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  const name = /name="(c\.\d+\.\d+)"/.exec(html)?.[1] ?? '';
  await edit({ cells: [{ row: 1, position: 2, text: 'Another caption' }] });
  const { status, text, html: again } = await pages.post(`${path}/cells`, { version, [name]: '17291' });
  expect(status).toBe(409);
  expect(text).toContain('the draft has since been changed by ann');
  expect(again).toContain('value="17291"');
});

it('leaves rows out, takes one in again, and undoes the last change', async () => {
  const { send } = await openDraft([videoRow('a', good), videoRow('b', lost), videoRow('c', lost)]);
  expect((await send('leave-out')).text).toContain('2 rows skipped.');
  expect((await send('take-in', { group: '', row: '3' })).text).toContain('1 row to fix');
  expect((await send('undo')).text).toContain('Nothing to fix');
});

it.each(['leave-out', 'cells', 'take', 'picked'])(
  '%s hits no other rows of a kind than it showed',
  async (action) => {
    const { checked, kind, fieldsOf, pages, path, runtime, runner, id } = await openDraft([
      videoRow('a'),
      videoRow('b'),
    ]);
    const lose = (name: string) => rmSync(join(draftMediaFolder(runtime, id), name));
    lose('a.mp4');
    const shown = await kind();
    expect(shown.text).toContain('1 row to fix');
    lose('b.mp4');
    await pages.post(`${path}/check`, { version: fieldsOf(shown.html).version });
    await runner.until(async () => (await checked()).text.includes('2 rows to fix'), 'the second check');
    const { group, band } = fieldsOf(shown.html);
    const text = { [`text.${group}.${band}`]: 'c.mp4' };
    const fields = { ...fieldsOf(shown.html), ...text, 'p.0': 'c', use: '0'.repeat(12) };
    const refused = await pages.post(`${path}/${action}`, fields);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Nothing was changed: other rows have this problem now.');
    expect(refused.text).toContain('2 rows to fix');
  },
);

it('saves a text that was typed in another row, and refuses options that are none before anything else', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', { ...good, creator: 'demo_ana' }),
  ]);
  const { html } = await checked();
  const cell = [...html.matchAll(/name="(c\.3\.\d+)"/g)][0]?.[1] ?? '';
  const use = { use: 'meant', [cell]: 'demo_ben' };
  const refused = await send('leave-out', { ...use, ...options, canary: '0' });
  expect(refused.text).toContain('Nothing was changed: Canary is not a whole number of 1 or more.');
  expect(refused.html).toContain('value="demo_ben"');
  const { text } = await send('leave-out', { ...use, group: '', row: '2' });
  expect(text).toContain('1 row skipped.');
  expect(await cellsOf(testDraft, 3)).toContain('demo_ben');
});

it('does not name one site above links of several', async () => {
  const links = ['https://drive.google.com/file/d/1AbCdEfGhIj/view', 'https://1drv.ms/v/s!AbCdEf'];
  const { checked } = await openDraft(links.map((media, index) => videoRow(`${index}`, { media })));
  expect((await checked()).text).toContain('2 The links lead to pages, not to files.');
});

it('has a kind for each fix: no year, no date, no media', async () => {
  const { checked } = await openDraft([
    videoRow('a', { scheduled_at: '24.12. 18:30' }),
    videoRow('b', { scheduled_at: 'soon' }),
    videoRow('d', { media: '' }),
  ]);
  const { html } = await checked();
  expect([...html.matchAll(/<b>\d+<\/b><span>([^<]*)</g)].map(([, title]) => title)).toEqual([
    'The year is missing.',
    'This is not a valid time.',
    'The row has neither media nor ai_prompt.',
  ]);
});

it('changes ticked rows, and leads from a row to the next one without scripts', async () => {
  const { send } = await openDraft(['a', 'b', 'c'].map((key) => videoRow(key)));
  expect((await send('leave-out?ticked=yes')).text).toContain('Nothing was changed: no row is ticked.');
  const out = await send('leave-out?ticked=yes', { tick: '2' });
  expect(out.text).toContain('1 row skipped. Line 3.');
  const next = await send('cells', { group: '', row: '1', 'c.1.2': 'Rosewood', next: '2' });
  expect(next.text).toContain('Line 3');
  expect(next.html).toContain('The post as it will be');
});

it('changes all rows that match, also those of other pages', async () => {
  const rows = Array.from({ length: 60 }, (_row, at) =>
    videoRow(`k${at}`, { caption: at < 55 ? 'Red' : 'Blue' }),
  );
  const draft = await openDraft(rows);
  const { send } = draft;
  const cleared = await send('fill?ticked=yes&clear=yes', {
    every: 'yes',
    rows: 'all',
    q: 'red',
    'fill-column': '2',
  });
  expect(cleared.text).toContain('55 rows edited.');
  expect((await cellsOf(draft, 55))?.[2]).toBe('');
  expect((await cellsOf(draft, 56))?.[2]).toBe('Blue');
  const out = await send('leave-out?ticked=yes', { every: 'yes', rows: 'all' });
  expect(out.text).toContain('60 rows skipped.');
});

it('shows typed cells of the whole sheet again after a refusal', async () => {
  const { send } = await openDraft([videoRow('a')]);
  const late = await send('cells', { rows: 'all', version: '0', 'c.1.2': 'Rosewood' });
  expect(late.html).toMatch(/<textarea name="c\.1\.2"[^>]*>\s*Rosewood/);
});

it('gives the sheet with its problems along', async () => {
  const { pages, path } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  const { text } = await pages.get(`${path}/sheet/problems`);
  expect(text).toContain('lost its last digits');
  expect(text).not.toContain('Caption a');
});

it('keeps the live plan at the present time', async () => {
  const start = Date.now();
  const later = new Date(start + 10.5 * 3_600_000).toISOString();
  const { drafts, runtime, id, look } = await openDraft([videoRow('a', { scheduled_at: later })]);
  await look();
  let now = start;
  const request = {
    drafts,
    runtime: { ...runtime, now: () => now },
    params: { draft: id },
    query: new URLSearchParams(),
    person: { role: 'viewer' },
    zone: 'UTC',
    usualZone: 'UTC',
    now,
    link: (path: string) => path,
  } as unknown as PageRequest;
  const { view } = await streamDraft(request);
  const plan = async () => String(await (await view.read())['draft-plan']);
  expect(await plan()).toContain('in 10 h');
  now += 3_600_000;
  expect(await plan()).toContain('in 9 h');
  const parts = await view.read();
  expect(String(await parts['draft-times'])).toContain('First and last');
  expect(String(await parts['draft-span'])).toContain(':');
});

it('keeps the counts of its steps beside those of the button', async () => {
  const { drafts, runtime, id, edit, look } = await openDraft([videoRow('a'), videoRow('b')]);
  await look();
  const { view } = await streamDraft({
    drafts,
    runtime,
    params: { draft: id },
    query: new URLSearchParams(),
    person: { role: 'viewer' },
    zone: 'UTC',
    usualZone: 'UTC',
    link: (path: string) => path,
  } as unknown as PageRequest);
  await edit({ cells: [{ row: 1, position: 1, text: 'demo_nobody' }] });
  const parts = await view.read();
  expect(String(await parts['draft-dock'])).toContain('1 to fix');
  expect(String(await parts['draft-fix'])).toContain('1 of 2 rows left');
  expect(String(await parts['draft-start'])).toContain('1 row');
});

it('says once above the rows what many of them share, else in each', async () => {
  const grid = async (rows: number) => {
    const names = Array.from({ length: rows }, (_row, index) => `row${index}`);
    const { pages, path, checked } = await openDraft(names.map((name) => videoRow(name, lost)));
    await checked();
    const { html } = await pages.get(path);
    return [html.match(/<h3 id="kind-/g)?.length ?? 0, html.match(/<small id="why-/g)?.length ?? 0];
  };
  expect(await grid(3)).toEqual([0, 3]);
  expect(await grid(4)).toEqual([1, 0]);
});

it('shows all problems once those of a kind are fixed', async () => {
  const { checked, fieldsOf, send } = await openDraft([
    videoRow('a', lost),
    videoRow('b', { creator: 'demo_nobody' }),
  ]);
  const { group } = fieldsOf((await checked()).html);
  const { text } = await send('leave-out', { rows: group });
  expect(text).toContain('1 row skipped.');
  expect(text).toContain('1 row to fix, 1 kind of problem');
  expect(text).not.toContain('No rows are left here');
});

it('shows the last page of problems once those behind it are fixed', async () => {
  const rows = Array.from({ length: 21 }, (_row, at) => videoRow(`k${at}`, lost));
  const { pages, path, checked } = await openDraft(rows);
  await checked();
  const { text } = await pages.get(`${path}?rows=problems&page=9`);
  expect(text).toContain('21 to 21 of 21 rows');
  const { text: sheet } = await pages.get(`${path}?rows=all&page=9`);
  expect(sheet).not.toContain('No rows are left here');
});

it('shows in a row what the headers of its file say', async () => {
  const { pages, path, checked, fieldsOf, runtime, runner, id } = await openDraft([videoRow('a', good)]);
  const folder = draftMediaFolder(runtime, id);
  writeFileSync(join(folder, 'a.mp4'), movie({ width: 1920, height: 1080 }));
  await pages.post(`${path}/check`, { version: fieldsOf((await checked()).html).version });
  const { text } = await runner.until(async () => {
    const page = await pages.get(`${path}/rows/1`);
    return page.text.includes('landscape') && page;
  }, 'the second check');
  expect(text).toContain('a.mp4 0:19 · 1920 × 1080 · H.264');
  expect(text).toContain('The video is landscape, 1920 × 1080.');
});
