import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftMediaFolder } from '../../../../src/app/drafts/folder.ts';
import { quickUser } from '../../../support/console/access.ts';
import {
  bandText,
  cellsOf,
  good,
  lost,
  openDraft,
  options,
  product,
} from '../../../support/console/draft-page.ts';
import { Visitor } from '../../../support/console/visitor.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('shows problems as bands, with what the sheet suggests', async () => {
  const { checked } = await openDraft([videoRow('a', good), videoRow('b', lost), videoRow('c', lost)]);
  const { text, status } = await checked();
  expect(status).toBe(200);
  expect(text).toContain('2 rows to fix, 1 kind of problem');
  expect(text).toContain(`In 1 other row the product title Velvet Cherry has the id ${product}.`);
  expect(text).toContain('Skip 2 rows and start 1 post');
  expect(text).toContain('1 of 3 rows ready');
});

it('offers one cure beside a problem and the others in its menu; two readings stand side by side', async () => {
  const { checked } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', { scheduled_at: '12/03/2031 20:00Z' }),
  ]);
  const bands = (await checked()).html.split('<section class="problem"').slice(1);
  const cures = bands.map((band) => {
    const [beside = '', menu = ''] = band
      .split('<details class="menu">')
      .map((part) => part.split('</ul>')[0] ?? '');
    return [beside, menu].map((part) => [...part.matchAll(/<button[^>]*>([^<]+)/g)].map(([, name]) => name));
  });
  expect(cures).toEqual([
    [[`Use ${product} in 1 row`], ['Save the cell', 'Skip 1 row']],
    [
      ['12/03/2031 is 12 March (day first), 1 row', '12/03/2031 is 3 December (month first), 1 row'],
      ['Save the cell', 'Skip 1 row'],
    ],
  ]);
});

it('takes a suggestion for all rows of its band', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', lost),
  ]);
  const use = /name="use" value="([0-9a-f]{12})"/.exec((await checked()).html)?.[1] ?? '';
  const { text } = await send('take', { use });
  expect(text).toContain('2 rows edited. No problems left.');
  expect(text).toContain('Start 3 posts');
  expect(await cellsOf(testDraft, 3)).toContain(product);
});

it('puts one typed text into all rows of a band', async () => {
  const { checked, send } = await openDraft([videoRow('b', lost), videoRow('c', lost)]);
  const { text } = await send('cells', { [bandText((await checked()).html)]: product });
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

it('tells whose change came first, and keeps what was typed', async () => {
  const { checked, pages, path, edit } = await openDraft([videoRow('a', lost)]);
  const { html } = await checked();
  const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
  const name = /name="(c\.\d+\.\d+)"/.exec(html)?.[1] ?? '';
  await edit({ cells: [{ row: 1, position: 2, text: 'Another caption' }] });
  const { status, text, html: again } = await pages.post(`${path}/cells`, { version, [name]: '17291' });
  expect(status).toBe(409);
  expect(text).toContain('the draft was changed by ann meanwhile');
  expect(again).toContain('value="17291"');
});

it('tells rows that were typed into apart from those that a button mends', async () => {
  const rows = [videoRow('a', good), videoRow('b', lost), videoRow('c', { creator: 'demo_nobody' })];
  const { checked, send } = await openDraft(rows);
  const { html } = await checked();
  const use = /name="use" value="([0-9a-f]{12})"/.exec(html)?.[1] ?? '';
  const name = /name="(c\.3\.\d+)"/.exec(html)?.[1] ?? '';
  const { text } = await send('take', { use, [name]: 'demo_anna' });
  expect(text).toContain('1 row edited, and 1 row that you typed into. No problems left.');
});

it('leaves rows out, takes one in again, and undoes the last change', async () => {
  const { send } = await openDraft([videoRow('a', good), videoRow('b', lost), videoRow('c', lost)]);
  expect((await send('leave-out')).text).toContain('2 rows skipped.');
  expect((await send('take-in', { group: '', row: '3' })).text).toContain('1 row to fix');
  expect((await send('undo')).text).toContain('Nothing to fix');
});

it.each(['leave-out', 'cells', 'take', 'picked'])(
  '%s hits no other rows of a band than it showed',
  async (action) => {
    const { checked, fieldsOf, pages, path, runtime, runner, id } = await openDraft([
      videoRow('a'),
      videoRow('b'),
    ]);
    const lose = (name: string) => rmSync(join(draftMediaFolder(runtime, id), name));
    lose('a.mp4');
    const shown = await checked();
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

it('saves a text that was typed in another band, and refuses options that are none before anything else', async () => {
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
  const group = /c\.2\.\d+/.exec(html.slice(0, html.indexOf(cell))) ? {} : { group: '', row: '2' };
  const { text } = await send('leave-out', { ...use, ...group });
  expect(text).toContain('1 row skipped.');
  expect(await cellsOf(testDraft, 3)).toContain('demo_ben');
});

it('does not name one site above links of several', async () => {
  const links = ['https://drive.google.com/file/d/1AbCdEfGhIj/view', 'https://1drv.ms/v/s!AbCdEf'];
  const { checked } = await openDraft(links.map((media, index) => videoRow(`${index}`, { media })));
  expect((await checked()).text).toContain('2 rows: The links lead to pages, not to files.');
});

it('shows a row with its post as it will be, and picks a creator for it', async () => {
  const { pages, path, send, ...testDraft } = await openDraft([videoRow('a', { creator: 'demo_ana' })]);
  const row = await pages.get(`${path}/rows/1`);
  expect(row.text).toContain('The service has no account of this name');
  const medium = path.replace('/campaigns/new/', '/media/drafts/');
  expect(row.html).toContain(`${medium}/1/0`);
  expect((await pages.get(`${medium}/1/0`)).status).toBe(200);
  const list = await pages.get(`${path}/pick/creator?row=1&q=hugo`);
  expect(list.text).toContain('expired Ask the creator to authorize again.');
  const found = await pages.get(`${path}/pick/creator?row=1&q=henry`);
  const field = /name="(p\.\w+)" value="demo_henry"/.exec(found.html)?.[1] ?? '';
  await send('picked', { group: '', row: '1', [field]: 'demo_henry' });
  expect(await cellsOf(testDraft, 1)).toContain('demo_henry');
});

it('picks a creator for all rows of a band', async () => {
  const nobody = { creator: 'demo_ana' };
  const { checked, pages, path, ...testDraft } = await openDraft([
    videoRow('a', nobody),
    videoRow('b', nobody),
  ]);
  const to = /\/pick\/creator\?[^"]*/.exec((await checked()).html)?.[0].replaceAll('&amp;', '&') ?? '';
  const { html } = await pages.get(`${path}${to}&q=henry`);
  const form = html.slice(html.indexOf('/picked"')).split('</form>')[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const { text } = await pages.post(`${path}/picked`, Object.fromEntries(fields));
  expect(text).toContain('2 rows edited. No problems left.');
  expect(await cellsOf(testDraft, 2)).toContain('demo_henry');
});

it('takes all suggestions of a kind as they were shown, and no others', async () => {
  const rows = ['ana', 'bem', 'carl'].map((name) => videoRow(name, { creator: `demo_${name}` }));
  const { checked, send, ...testDraft } = await openDraft(rows);
  const { html, text } = await checked();
  expect(text).toContain('Take all 3 suggestions in 3 rows');
  const use = /name="use" value="(all\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const other = await send('take', { use: `all.${'0'.repeat(16)}` });
  expect(other.text).toContain('Nothing was changed: the sheet no longer suggests this.');
  const taken = await send('take', { use });
  expect(taken.text).toContain('3 rows edited. No problems left. Lines 2, 3, 4.');
  expect(await cellsOf(testDraft, 2)).toContain('demo_ben');
});

it('never takes one guess for several different names with one press', async () => {
  const rows = ['demo_ana', 'demo_amna', 'demo_bem'].map((creator) => videoRow(creator, { creator }));
  const { checked } = await openDraft(rows);
  const { text } = await checked();
  expect(text.match(/Use demo_anna in 1 row/g)).toHaveLength(2);
  expect(text).toContain('Use demo_ben in 1 row');
  expect(text).not.toContain('Take all');
});

it('takes the numbers of product links, each its own, with one press', async () => {
  const rows = ['1730000417', '1730000425', '1730000417'].map((number, index) =>
    videoRow(String(index), { product_id: `shop.example/view/product/${number}?region=GB` }),
  );
  const { checked, send, ...testDraft } = await openDraft(rows);
  expect((await checked()).text).toContain('3 cells are links: use the number in them');
  const taken = await send('take', { use: 'meant' });
  expect(taken.text).toContain('3 rows edited. No problems left.');
  expect(await cellsOf(testDraft, 2)).toContain('1730000425');
});

it('never takes two cures of one row at once', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    { ...videoRow('a'), Foto: 'a.jpg' },
    { ...videoRow('b'), Foto: 'b.jpg' },
  ]);
  const { text } = await checked();
  expect(text).toContain('Keep the video only, 2 rows');
  expect(text).not.toContain('Take all');
  await send('take', { use: 'IMAGE' });
  expect(((await cellsOf(testDraft, 2)) ?? []).slice(-1)).toEqual(['b.jpg']);
});

it('has a band for each cure: no year, no date, no media', async () => {
  const { checked } = await openDraft([
    videoRow('a', { scheduled_at: '24.12. 18:30' }),
    videoRow('b', { scheduled_at: 'soon' }),
    videoRow('d', { media: '' }),
  ]);
  const { html } = await checked();
  expect([...html.matchAll(/<h3 id="cure-\w+">([^<]*)</g)].map(([, title]) => title)).toEqual([
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

it('gives the sheet with its problems along', async () => {
  const { pages, path } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  const { text } = await pages.get(`${path}/sheet/problems`);
  expect(text).toContain('lost its last digits');
  expect(text).not.toContain('Caption a');
});

it('a page that shows the progress loads itself once the check has ended', async () => {
  const { pages, path, checked } = await openDraft([videoRow('a')]);
  await checked();
  const read = async (query: string) => {
    const left = new AbortController();
    const answer = await fetch(`${pages.url}${path}/events${query}`, { signal: left.signal });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('</div>')) text += (await reader?.read())?.value ?? '</div>';
    left.abort();
    return text;
  };
  expect(await read('?unchecked=1')).toContain('hx-trigger="load"');
  expect(await read('')).not.toContain('hx-trigger="load"');
});

it('tells a viewer nothing about dropping files, which viewers cannot', async () => {
  const { pages, runtime } = await openDraft([videoRow('a')]);
  await quickUser(runtime, 'vera', 'viewer');
  const vera = new Visitor(pages.url);
  await vera.signIn('vera');
  const { text } = await vera.get('/campaigns/new');
  expect(text).toContain('An operator can begin a campaign here.');
  expect(text).not.toContain('drop its corrected results sheet');
});

it('shows a viewer the sheet and its problems, without a form', async () => {
  const { pages, path, checked, runtime } = await openDraft([videoRow('a', good), videoRow('b', lost)]);
  await checked();
  await quickUser(runtime, 'vera', 'viewer');
  const vera = new Visitor(pages.url);
  await vera.signIn('vera');
  const { text } = await vera.get(path);
  expect(text).toContain('1 row to fix');
  expect(text).toContain('An operator can start this campaign.');
  expect(text).not.toMatch(/<form method="post" action="\/campaigns/);
  expect((await vera.get(`${path}/pick/creator?row=1`)).status).toBe(403);
});

it('fills in what the sheet has no column for, for all rows that lack it or for one', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { media: '', ai_prompt: `A mug ${key}` }));
  const { checked, send, pages, path, look, drafts, id } = await openDraft(rows);
  const { text, html } = await checked();
  expect(text).toContain(
    '3 rows: ai_model is empty. Fill in ai_model. Model that generates the media. Images: ',
  );
  expect(html).toMatch(/<select name="text\.[0-9a-f.]+" aria-label="Another text for ai_model in 3 rows">/);
  expect((await send('cells', { [bandText(html)]: 'seedance2.0' })).text).toContain('3 rows edited');
  const next = await checked();
  expect(next.text).toContain('Write one of 4, 8, 10, 12, 15: seedance2.0 makes no others.');
  const picker = await pages.get(`${path}/pick/model?row=2`);
  expect(picker.html).toContain('<select name="p.ai_seconds" id="ai_seconds-seedance2.0" required>');
  const picked = {
    row: '2',
    group: '',
    'p.ai_model': 'seedance2.0',
    'p.ai_seconds': '8',
    'p.ai_size': '720x1280',
  };
  expect((await send('picked', { ...picked, 'p.ai_aspect_ratio': '' })).text).toContain(
    '1 row edited. 2 rows left to fix.',
  );
  expect(
    (
      await send('cells', {
        'c.1.ai_seconds': '4',
        'c.1.ai_size': '1080x1920',
        'c.3.ai_seconds': '',
        'c.3.ai_name': ' ',
      })
    ).text,
  ).toContain('1 row left to fix.');
  const { checked: now } = await look();
  expect(now?.columns.slice(-3).map(({ title, column }) => [title, column])).toEqual([
    ['ai_model', 'ai_model'],
    ['ai_seconds', 'ai_seconds'],
    ['ai_size', 'ai_size'],
  ]);
  expect((await drafts.window(id, 'all', 0, 3)).rows.map(({ cells }) => cells.slice(-3))).toEqual([
    ['seedance2.0', '4', '1080x1920'],
    ['seedance2.0', '8', '720x1280'],
    ['seedance2.0', '', ''],
  ]);
  // Taken back one by one, with their columns.
  for (let left = 3; left > 0; left -= 1) await send('undo');
  expect((await look()).checked?.columns.map(({ title }) => title)).not.toContain('ai_model');
});

it('adds columns that every sheet needs, with one text for all rows', async () => {
  const { checked, send, look } = await openDraft(
    ['a', 'b'].map((key) => {
      const { creator: _creator, product_title: title = '', ...row } = videoRow(key);
      return { ...row, Artikel: title };
    }),
  );
  const fields = { 'add.creator': 'demo_ben', 'add.product_title': 'A title' };
  expect((await checked()).html).toContain('name="add.creator"');
  const { text } = await send('add-columns', { ...fields, 'col.4': 'product_title' });
  expect(text).toContain('1 column added.');
  const view = await look();
  expect(view.checked).toMatchObject({ blocking: [], accepted: 2, refused: 0 });
});

it('no list is without a way on', async () => {
  const { pages, path } = await openDraft([videoRow('a', { creator: '' })]);
  for (const list of ['creator?q=nobody-at-all', 'product?q=', 'music?q=']) {
    const { html } = await pages.get(`${path}/pick/${list}&row=1`);
    expect(html).toContain('Use what I wrote');
  }
});

it('offers the products of the sheet, also without a creator', async () => {
  const rows = [videoRow('a', good), videoRow('b', { creator: '', product_id: '' })];
  const { checked, pages, path } = await openDraft(rows);
  await checked();
  const found = await pages.get(`${path}/pick/product?row=2&q=velvet`);
  expect(found.text).toContain(
    `In this sheet, 1 product. Product In Choose Velvet Cherry ${product} 1 row Use Velvet Cherry`,
  );
  expect(found.html).toContain(`name="p.product_id" value="${product}"`);
});
