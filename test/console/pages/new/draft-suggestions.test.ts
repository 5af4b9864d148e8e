import { expect, it } from 'vitest';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { cellsOf, good, lost, openDraft, product } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('offers in its cell what a problem suggests, two readings side by side; the other fixes stand above all rows of the kind', async () => {
  const { checked, pages, path } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', { scheduled_at: '12/03/2031 20:00Z' }),
  ]);
  const { html } = await checked();
  const buttons = (part: string) => [...part.matchAll(/<button[^>]*>([^<]+)/g)].map(([, name = '']) => name);
  const cells = html.split('class="edit"').slice(1);
  expect(cells.map((cell) => buttons(cell.split('</td>')[0] ?? ''))).toEqual([
    [product],
    ['12 March, 20:00Z', '3 December, 20:00Z'],
  ]);
  const [group = ''] = /rows=[0-9a-f]{12}/.exec(html) ?? [];
  const kind = (await pages.get(`${path}?${group}`)).html.split('class="act"')[1]?.split('</ul>')[0] ?? '';
  expect(buttons(kind)).toEqual([`Use ${product} in 1 row`, 'Skip 1 row']);
});

it('writes what is offered in a cell into that cell only', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    videoRow('a', good),
    videoRow('b', lost),
    videoRow('c', lost),
  ]);
  const use = /name="use" value="([0-9a-f]{12}\.3)"/.exec((await checked()).html)?.[1] ?? '';
  const { text } = await send('take', { use });
  expect(text).toContain('1 row edited. 1 row left to fix.');
  expect(await cellsOf(testDraft, 3)).toContain(product);
});

it('shows three suggestions in a cell, and folds the others', async () => {
  const ids = [1, 2, 3, 4, 5].map((each) => `172938407192653021${each}`);
  const known = ids.map((id) => videoRow(id, { ...good, product_id: id }));
  const draft = await openDraft([...known, videoRow('b', lost), videoRow('c', lost)]);
  const [, cell = ''] = (await draft.checked()).html.split('class="edit"');
  const [shown = '', folded = ''] = (cell.split('</td>')[0] ?? '').split('<summary>2 more</summary>');
  expect(ids.filter((id) => shown.includes(`>${id}<`))).toHaveLength(3);
  expect(ids.filter((id) => folded.includes(`>${id}<`))).toHaveLength(2);
});

it('offers in a cell nothing that only other rows need', async () => {
  const draft = await openDraft(['x', 'y'].map((key) => videoRow(key)));
  await draft.checked();
  await draft.store('lamp-2.mp4');
  await draft.send('cells', { 'c.1.5': 'zoo.mp4', 'c.2.5': 'lamp 2.mp4' });
  const cells = (await draft.checked()).html.split('class="edit"').slice(1);
  const offered = cells.map((cell) => cell.split('</td>')[0]?.includes('lamp-2.mp4'));
  expect(offered).toEqual([false, true]);
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

it('tells rows that were typed into apart from those that a button edits', async () => {
  const rows = [videoRow('a', good), videoRow('b', lost), videoRow('c', { creator: 'demo_nobody' })];
  const { checked, send } = await openDraft(rows);
  const { html } = await checked();
  const use = /name="use" value="([0-9a-f]{12})"/.exec(html)?.[1] ?? '';
  const name = /name="(c\.3\.\d+)"/.exec(html)?.[1] ?? '';
  const { text } = await send('take', { use, [name]: 'demo_anna' });
  expect(text).toContain('1 row edited, and 1 row that you typed into. No problems left.');
});

it('has one kind for all unknown names, with the fixes of each in its row', async () => {
  const names = ['demo_bem', 'Nobody Else', 'demo_bem', 'Somebody'];
  const draft = await openDraft(names.map((creator, at) => videoRow(`${at}`, { creator })));
  const { html, text } = await draft.checked();
  expect(text).toContain('4 rows to fix, 1 kind of problem');
  expect(text).toContain('The service has no account with these 3 names.');
  const cells = html.split('class="edit"').slice(1);
  const offered = cells.map((cell) => /demo_ben|Find a creator…/.exec(cell.split('</td>')[0] ?? '')?.[0]);
  expect(offered).toEqual(['demo_ben', 'Find a creator…', 'demo_ben', 'Find a creator…']);
});

it('is not sure of an earlier choice for a cell that names several creators', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'Ben H. + Anna P.' }),
    videoRow('b', { creator: 'Kira & Lou' }),
    videoRow('c', { creator: 'Anna P. et Ben H.' }),
  ]);
  const choices = {
    'Ben H. + Anna P.': 'demo_ben',
    'Anna P. et Ben H.': 'demo_anna',
    'Ben H.': 'demo_ben',
    'Anna P.': 'demo_anna',
    'Kira & Lou': 'demo_kira',
  };
  for (const [name, means] of Object.entries(choices))
    await setAlias(draft.runtime, { kind: 'creator', name, means, by: 'ann' });
  const { text } = await draft.checked();
  expect(text).toContain('1 sure fix in line 3: 1 creator.');
  expect(text).toContain('Check 2 suggestions…');
});

it('never takes an account or a file that is only similar with one press', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'demo_bem' }),
    videoRow('lamp'),
    videoRow('candle'),
  ]);
  await draft.checked();
  const { text } = await draft.send('cells', { 'c.2.5': 'lanp.mp4' });
  expect(text).toContain('Use demo_ben in 1 row');
  expect(text).toContain('Use lamp.mp4 in 1 row');
  expect(text).not.toContain('sure fix');
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

it('never takes two fixes of one row at once', async () => {
  const { checked, send, ...testDraft } = await openDraft([
    { ...videoRow('a'), Foto: 'a.jpg' },
    { ...videoRow('b'), Foto: 'b.jpg' },
  ]);
  const { text } = await checked();
  expect(text).toContain('Keep the video only, 2 rows');
  expect(text).not.toContain('sure fix');
  await send('take', { use: 'PHOTO' });
  expect(((await cellsOf(testDraft, 2)) ?? []).slice(-1)).toEqual(['b.jpg']);
});

it('offers to clear what does not apply, in one row and in all', async () => {
  const images = { media: 'a.png|b.png', cover: 'c.png' };
  const draft = await openDraft(['a', 'b', 'c'].map((key) => videoRow(key, images)));
  const { text, html } = await draft.kind();
  expect(text).toContain('Clear it in 3 rows');
  const use = /value="(clear)"/.exec(html)?.[1] ?? '';
  const { group, band } = draft.fieldsOf(html);
  const sent = await draft.send(`take?group=${group}&band=${band}`, { use });
  expect(sent.text).toContain('3 rows edited.');
});

it('offers to fix rows that said the same as the one that was fixed', async () => {
  const draft = await openDraft(
    ['demo_anna', '@nobody', '@nobody', '@nobody', '@other'].map((creator, at) =>
      videoRow(`k${at}`, { creator }),
    ),
  );
  const { send } = draft;
  const { html, text } = await send('cells', { 'c.2.1': 'demo_anna' });
  expect(text).toContain('2 more rows say @nobody: fix them too');
  const use = /value="(kin\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const { version } = draft.fieldsOf(html);
  const fixed = await draft.pages.post(`${draft.path}/take`, { version, use });
  expect(fixed.text).toContain('2 rows edited.');
  expect(fixed.text).not.toContain('fix them too');
  expect((await cellsOf(draft, 4))?.[1]).toBe('demo_anna');
  expect((await cellsOf(draft, 5))?.[1]).toBe('@other');
  const again = draft.fieldsOf(fixed.html).version;
  const late = await draft.pages.post(`${draft.path}/take`, { version: again, use });
  expect(late.text).toContain('the rows have changed, so this suggestion no longer fits');
});

it('offers to fix rows that said the same as any of several that were fixed at once', async () => {
  const names = ['Kira', 'Anna P.', 'Kira', 'Tom', 'Anna P.', 'Kira', 'Tom', 'Tom', 'Zoe'];
  const draft = await openDraft(names.map((creator, at) => videoRow(`k${at}`, { creator })));
  const typed = { 'c.1.1': 'demo_henry', 'c.2.1': 'demo_anna', 'c.4.1': 'demo_ben', 'c.7.1': 'demo_anna' };
  const { html, text } = await draft.send('cells', typed);
  // What became two different names is for a person.
  expect(text).toContain('3 more rows say the same: fix them too Kira, Anna P.');
  const use = /value="(kin\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const { version } = draft.fieldsOf(html);
  await draft.pages.post(`${draft.path}/take`, { version, use });
  const creators = async () =>
    Promise.all(names.map(async (_name, at) => (await cellsOf(draft, at + 1))?.[1]));
  const fixed = ['demo_henry', 'demo_anna', 'demo_henry', 'demo_ben', 'demo_anna', 'demo_henry', 'demo_anna'];
  expect(await creators()).toEqual([...fixed, 'Tom', 'Zoe']);
  await draft.send('undo');
  expect((await creators()).slice(2, 6)).toEqual(['Kira', 'demo_ben', 'Anna P.', 'Kira']);
});

it('offers on the page of a row what the sheet offers in its cells, and Enter still saves what was typed', async () => {
  const rows = [videoRow('a', good), videoRow('b', { ...lost, creator: 'demo_bem' })];
  const { checked, pages, path, fieldsOf, ...draft } = await openDraft(rows);
  const { version } = fieldsOf((await checked()).html);
  const { html } = await pages.get(`${path}/rows/2`);
  const [, ...buttons] = html.split('class="fields"')[1]?.split('<button') ?? [];
  const named = buttons.map((button) => /^[^>]*>([^<]+)/.exec(button)?.[1]);
  expect(named.slice(0, 4)).toEqual(['Save', 'demo_ben', product, 'Save']);
  const [, action = '', use = ''] =
    /formaction="[^"]*\/(take[^"]*)" name="use" value="([^"]*)"[^>]*>demo_ben/.exec(html) ?? [];
  const taken = await pages.post(`${path}/${action.replaceAll('&amp;', '&')}`, { version, use });
  expect(taken.text).toContain('1 row edited. 1 row left to fix.');
  expect(await cellsOf(draft, 2)).toContain('demo_ben');
});

it('never asks to type where a kind has buttons', async () => {
  const draft = await openDraft([videoRow('a', { creator: 'Nobody' }), videoRow('b'), videoRow('b')]);
  const { html } = await draft.checked();
  const rail = html.split('aria-label="Problems"')[1]?.split('</nav>')[0] ?? '';
  expect(rail).toContain('choose from a list');
  expect(rail).not.toContain('type it');
});

it('offers each version of captions that have two, for all their rows at once', async () => {
  const captions = ['V1: Linen loves me. / V2: I love linen.', 'V1 : Un\nV2 : Deux', 'Our V2 is here'];
  const draft = await openDraft(captions.map((caption, at) => videoRow(`${at}`, { caption })));
  const { text } = await draft.checked();
  expect(text).toContain('2 rows to fix, 1 kind of problem');
  expect(text).toContain('Use version 1 in 2 rows');
  const taken = await draft.send('take', { use: 'version-2' });
  expect(taken.text).toContain('2 rows edited. No problems left.');
  expect(await cellsOf(draft, 1)).toContain('I love linen.');
  expect(await cellsOf(draft, 2)).toContain('Deux');
});

it('offers captions without the notes before them', async () => {
  const captions = ['[REV 26/11] Burn it slow', '(final) Linen', 'Our lamp'];
  const draft = await openDraft(captions.map((caption, at) => videoRow(`${at}`, { caption })));
  expect((await draft.checked()).text).toContain('Use the text without its note in 2 rows');
  const taken = await draft.send('take', { use: 'without-note' });
  expect(taken.text).toContain('2 rows edited. No problems left.');
  expect(await cellsOf(draft, 1)).toContain('Burn it slow');
});

it('lists nothing that lets a row go among the suggestions, and takes none of them unseen', async () => {
  const texts = ['Approved', 'Approved', 'Approved', 'Approved', 'Filming'];
  const rows = texts.map((Status, at) => videoRow(`${at}`, { Status, _Notes: at === 0 ? 'on hold' : '' }));
  const draft = await openDraft(rows);
  const { text } = await draft.checked();
  expect(text).toContain('2 rows to fix, 2 kinds of problem');
  expect(text.match(/Skip this row/g)).toHaveLength(2);
  expect(text).not.toMatch(/Check \d|Use all/);
});

it('has a button that skips the later of two rows with one file', async () => {
  const copied = { ...good, creator: 'demo_anna', media: 'same.mp4' };
  const draft = await openDraft([
    videoRow('a', copied),
    videoRow('b', { ...copied, caption: 'Another' }),
    videoRow('c', good),
  ]);
  const { html } = await draft.checked();
  expect(html).toContain('1 row: the creator posts this file in line 2, too.');
  const [, path = '', query = ''] =
    /(?:formaction|hx-post)="[^"]*\/(leave-out)\?([^"]+)"[^>]*>Skip 1 row/.exec(html) ?? [];
  const { text } = await draft.send(`${path}?${query.replaceAll('&amp;', '&')}`, {});
  expect(text).toContain('Start 2 posts');
});

it('offers no one product, and a menu of one entry as a button, for rows that lack theirs', async () => {
  const { checked, pages, path } = await openDraft(
    [videoRow('a'), videoRow('b')].map((row) => ({ ...row, product_id: '' })),
  );
  const [group = ''] = /rows=[0-9a-f]{12}/.exec((await checked()).html) ?? [];
  const kind = (await pages.get(`${path}?${group}`)).html.split('class="act"')[1]?.split('</li>')[0] ?? '';
  expect(kind).not.toContain('Find a product');
  expect(kind).toContain('Skip 2 rows');
});
