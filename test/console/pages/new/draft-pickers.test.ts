import { expect, it } from 'vitest';
import { cellsOf, good, openDraft, product, textOfAll } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('shows a row with its post as it will be, and picks a creator for it', async () => {
  const { pages, path, send, checked, ...testDraft } = await openDraft([
    videoRow('a', { creator: 'demo_ana' }),
  ]);
  await checked();
  const row = await pages.get(`${path}/rows/1`);
  expect(row.text).toContain('The service has no account with this name');
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

it('looks for the text of the cell first, and shows all creators if there is none', async () => {
  const { pages, path, checked } = await openDraft([
    videoRow('a', { creator: '@demo_ann' }),
    videoRow('b', { creator: 'Julie B.' }),
  ]);
  await checked();
  const near = await pages.get(`${path}/pick/creator?row=1`);
  expect(near.html).toContain('name="q" value="demo_ann"');
  expect(near.html).toContain('value="demo_anna"');
  expect(near.html).not.toContain('value="demo_ben"');
  const all = await pages.get(`${path}/pick/creator?row=2`);
  expect(all.text).toContain('No creator matches “Julie B.”. Here are all creators.');
  expect(all.html).toContain('value="demo_ben"');
});

it('picks a creator for all rows of a kind', async () => {
  const nobody = { creator: 'demo_ana' };
  const { kind, pages, path, ...testDraft } = await openDraft([videoRow('a', nobody), videoRow('b', nobody)]);
  const to = /\/pick\/creator\?[^"]*/.exec((await kind()).html)?.[0].replaceAll('&amp;', '&') ?? '';
  const { html } = await pages.get(`${path}${to}&q=henry`);
  const form = html.slice(html.indexOf('/picked"')).split('</form>')[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value] as const,
  );
  const { text } = await pages.post(`${path}/picked`, Object.fromEntries(fields));
  expect(text).toContain('2 rows edited. No problems left.');
  expect(await cellsOf(testDraft, 2)).toContain('demo_henry');
});

it('fills in what the sheet has no column for, for all rows that lack it or for one', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { media: '', ai_prompt: `A mug ${key}` }));
  const { kind, send, pages, path, look, drafts, id } = await openDraft(rows);
  const { text, html } = await kind();
  expect(text).toContain(
    '3 rows: ai_model is empty. Fill in ai_model. Model that generates the media. Images: ',
  );
  expect(html).toMatch(/<select name="text\.[0-9a-f.]+" aria-label="Another text for ai_model in 3 rows">/);
  expect((await send('cells', { [textOfAll(html)]: 'seedance2.0' })).text).toContain('3 rows edited');
  // A new column has the whole sheet checked again.
  await expect
    .poll(async () => (await kind()).text)
    .toContain('Write one of 4, 8, 10, 12, 15: seedance2.0 makes no others.');
  const picker = await pages.get(`${path}/pick/model?row=2`);
  expect(picker.html).toContain('<select name="p.ai_seconds" id="ai_seconds-seedance2.0" required>');
  const picked = {
    row: '2',
    group: '',
    'p.ai_model': 'seedance2.0',
    'p.ai_seconds': '8',
    'p.ai_size': '720x1280',
  };
  expect((await send('picked', { ...picked, 'p.ai_aspect_ratio': '' })).text).toContain('1 row edited.');
  expect((await look()).checked?.refused).toBe(2);
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
  const { pages, path, checked } = await openDraft([videoRow('a', { creator: '' })]);
  await checked();
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

it('says what a model does not take before it is cleared, or written over', async () => {
  const generated = { media: '', ai_prompt: 'A mug', ai_seconds: '7', ai_aspect_ratio: '9:16' };
  const { pages, path, checked } = await openDraft([videoRow('a', generated)]);
  await checked();
  const { text } = await pages.get(`${path}/pick/model?row=1`);
  expect(text).toContain('Clears ai_aspect_ratio (9:16). ai_seconds becomes 4: this model has no 7.');
  expect(text).toContain('Clears ai_seconds (7).');
});

it('takes a ratio in the column of sizes for the ratio of images, and for a size of it for videos', async () => {
  const generated = { media: '', ai_prompt: 'A mug', ai_size: '16:9' };
  const { pages, path, checked } = await openDraft([videoRow('a', generated)]);
  await checked();
  const { html, text } = await pages.get(`${path}/pick/model?row=1`);
  expect(html).toMatch(/value="16:9"[^>]*id="ai_aspect_ratio-nano-banana-2"/);
  expect(html).toMatch(/value="1280x720"[^>]*id="ai_size-seedance2.0"/);
  expect(text).not.toContain('Clears');
});

it.each(['0:08', '8 sec'])('keeps the %s that a model makes', async (ai_seconds) => {
  const { pages, path, checked } = await openDraft([
    videoRow('a', { media: '', ai_prompt: 'A mug', ai_seconds }),
  ]);
  await checked();
  const { html, text } = await pages.get(`${path}/pick/model?row=1`);
  expect(html).toMatch(
    /id="ai_seconds-seedance2.0" required><option value="4">4<.option><option value="8" selected>/,
  );
  expect(text).toContain(`Clears ai_seconds (${ai_seconds}).`);
});

it.each([
  ['of a row', '?row=2', 'name="for" value="row"'],
  ['of all rows of a kind', undefined, 'name="for" value="same"'],
])('a list %s fills only the rows that say the same', async (_of, ofRow, button) => {
  const names = ['Carla', 'Anna P.', 'Félix', 'Anna P.', ''];
  const draft = await openDraft(names.map((creator, at) => videoRow(`k${at}`, { creator })));
  const { group, band } = draft.fieldsOf((await draft.checked()).html);
  const query = ofRow ?? `?group=${group}&band=${band}&row=2`;
  const { html, text } = await draft.pages.get(`${draft.path}/pick/creator${query}&q=henry`);
  expect(text.toLowerCase()).toContain('in all 2 rows that say anna p.');
  expect(html).toContain(button);
  const form = html.slice(html.indexOf('/picked"')).split('</form>')[0] ?? '';
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const sent = await draft.pages.post(`${draft.path}/picked`, { ...Object.fromEntries(fields), for: 'same' });
  expect(sent.text).toContain('2 rows edited. 3 rows left to fix.');
  const written = names.map(async (_name, at) => (await cellsOf(draft, at + 1))?.[1]);
  expect(await Promise.all(written)).toEqual(['Carla', 'demo_henry', 'Félix', 'demo_henry', '']);
});

it('offers one product for the rows with the same id and title', async () => {
  const rows = [
    videoRow('a', { product_id: 'P 12', product_title: 'Kettle' }),
    videoRow('b', { product_id: 'P 12', product_title: 'Kettle' }),
    videoRow('c', { product_id: 'P 12', product_title: 'Lamp' }),
    videoRow('d', good),
  ];
  const draft = await openDraft(rows);
  await draft.checked();
  const { text } = await draft.pages.get(`${draft.path}/pick/product?row=1&q=velvet`);
  expect(text).toContain('In 2 rows with the same texts');
  expect(text).not.toContain('3 rows');
});

it('offers no one text for rows that say different things', async () => {
  const made = { media: '', ai_prompt: 'A mug', ai_seconds: '4', ai_size: '720x1280' };
  const rows = ['seedanse', 'nano'].map((ai_model, at) => videoRow(`k${at}`, { ...made, ai_model }));
  const { html } = await (await openDraft(rows)).kind();
  expect(textOfAll(html)).toBe('');
});
