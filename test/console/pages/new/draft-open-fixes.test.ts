import { expect, it } from 'vitest';
import { axeFindings } from '../../../support/console/axe.ts';
import { openPage } from '../../../support/console/browser.ts';
import { cellsOf, good, lost, openDraft } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

type Opened = Awaited<ReturnType<typeof openDraft>>;

const list = async ({ pages, path, checked }: Opened) => {
  await checked();
  return pages.get(`${path}/suggestions`);
};
const lines = (html: string) =>
  (html.split('<tbody>')[1] ?? '').split('</tr>').map((line) =>
    line
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
const ticked = (html: string) =>
  [...html.matchAll(/name="(fix\.\d+)" value="(\d)" checked/g)].map(([, name]) => name);
const fieldsOf = (html: string) => ({
  version: /name="version" value="(\d+)"/.exec(html)?.[1] ?? '',
  use: /value="(open\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '',
});

it('lists what nobody is sure of, with one reading ticked, and writes what is ticked as one edit', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'demo_bem' }),
    videoRow('b', { creator: 'demo_bem' }),
    videoRow('c', good),
    videoRow('d', { ...lost, creator: 'demo_ana' }),
  ]);
  expect((await draft.checked()).text).toContain('Check 2 suggestions…');
  const { html } = await list(draft);
  expect(lines(html).slice(0, 2)).toEqual([
    expect.stringMatching(/^demo_bem Lines 2 and 3, creator demo_ben The nearest creator/),
    expect.stringMatching(/^demo_ana Line 5, creator demo_anna The nearest creator/),
  ]);
  expect(ticked(html)).toEqual(['fix.0', 'fix.1']);
  const taken = await draft.pages.post(`${draft.path}/take`, { ...fieldsOf(html), 'fix.0': '0' });
  expect(taken.text).toContain('2 rows edited. 1 row left to fix. Lines 2 and 3.');
  expect((await cellsOf(draft, 4))?.[1]).toBe('demo_ana');
  await draft.send('undo');
  expect((await cellsOf(draft, 1))?.[1]).toBe('demo_bem');
  expect((await cellsOf(draft, 2))?.[1]).toBe('demo_bem');
});

it('has a choice of its own for each caption with several versions', async () => {
  const versions = (one: string, two: string) => ({ caption: `V1: ${one}\nV2: ${two}` });
  const draft = await openDraft([
    videoRow('a', versions('Red lamp', 'Blue lamp')),
    videoRow('b', versions('Red bag', 'Blue bag')),
    videoRow('c', versions('Red lamp', 'Blue lamp')),
  ]);
  await draft.checked();
  const { html } = await list(draft);
  expect(lines(html).slice(0, 2)).toEqual([
    expect.stringMatching(/Lines 2 and 6, caption Red lamp .* Blue lamp/),
    expect.stringMatching(/Line 4, caption Red bag .* Blue bag/),
  ]);
  await draft.pages.post(`${draft.path}/take`, { ...fieldsOf(html), 'fix.0': '0', 'fix.1': '1' });
  const captions = await Promise.all([1, 2, 3].map(async (row) => (await cellsOf(draft, row))?.[2]));
  expect(captions).toEqual(['Red lamp', 'Blue bag', 'Red lamp']);
});

it('lists what becomes what by the sure fixes, and writes only what is still ticked', async () => {
  const draft = await openDraft([videoRow('a', lost), videoRow('b', good), videoRow('Clip_v2', good)]);
  await draft.checked();
  const { text } = await draft.send('cells', { 'c.3.5': 'clip.mp4' });
  expect(text).toContain('2 sure fixes in lines 2 and 4: 1 product id, 1 file name.');
  expect(text).toContain('Sure fixes…');
  const { html } = await draft.pages.get(`${draft.path}/suggestions?sure`);
  expect(lines(html).slice(0, 2)).toEqual([
    expect.stringMatching(/^1\.72938E\+18 Line 2, product_id 1729384071926530212/),
    expect.stringMatching(/^clip\.mp4 Line 4, media Clip_v2\.mp4/),
  ]);
  expect(ticked(html)).toEqual(['fix.0', 'fix.1']);
  await draft.pages.post(`${draft.path}/take`, { ...fieldsOf(html), 'fix.0': '0' });
  expect((await cellsOf(draft, 3))?.[5]).toBe('clip.mp4');
  expect((await draft.look()).checked).toMatchObject({ accepted: 2, refused: 1 });
});

it('does not offer to show sure fixes where there are none', async () => {
  const draft = await openDraft([videoRow('a', { creator: 'demo_bem' })]);
  expect((await draft.checked()).text).not.toContain('Sure fixes…');
});

it('says the title beside an id that is empty', async () => {
  const ids = ['1729384071926530212', '1729384071926530977', ''];
  const mugs = ids.map((product_id, at) => videoRow(`${at}`, { product_id, product_title: 'Mug' }));
  const { html } = await list(await openDraft(mugs));
  expect(lines(html)[0]).toMatch(/^Mug Line 4, product_id/);
});

it('asks once which of two readings is meant in all rows, and leaves rows without a choice as they are', async () => {
  const draft = await openDraft([
    videoRow('a', { scheduled_at: '12/03/2031 20:00Z' }),
    videoRow('b', { scheduled_at: '11/04/2031 20:00Z' }),
    videoRow('c', { creator: 'demo_bem' }),
  ]);
  const { html } = await list(draft);
  expect(ticked(html)).toEqual(['fix.1']);
  expect(lines(html)[0]).toMatch(/Lines 2 and 3, .*day first.*month first/);
  expect(html.split('Both are possible')).toHaveLength(2);
  const fields = fieldsOf(html);
  await draft.pages.post(`${draft.path}/take`, { ...fields, 'fix.1': '0' });
  expect((await cellsOf(draft, 3))?.[1]).toBe('demo_ben');
  expect(await cellsOf(draft, 1)).toContain('12/03/2031 20:00Z');
  const again = await list(draft);
  const { text } = await draft.pages.post(`${draft.path}/take`, { ...fieldsOf(again.html), 'fix.0': '1' });
  expect(text).toContain('2 rows edited. No problems left.');
  expect(await cellsOf(draft, 2)).toContain('2031-11-04 20:00Z');
});

it('ticks no time that is lost', async () => {
  const draft = await openDraft([videoRow('a', { scheduled_at: '2001-05-01 10:00Z' }), videoRow('b')]);
  const { html, text } = await list(draft);
  expect(text).toContain('Post now, without a time');
  expect(text).toContain('The post loses its time.');
  expect(ticked(html)).toEqual([]);
});

it('ticks no file that another row uses, or that two rows may mean', async () => {
  const draft = await openDraft([
    videoRow('a', { media: 'felix_kitchen.mp4' }),
    videoRow('b', good),
    videoRow('c', good),
    videoRow('d', good),
  ]);
  await draft.store('kettle 7.mp4', 'serum teaser.mp4');
  const columns = (await draft.look()).checked?.columns ?? [];
  const at = columns.find(({ column }) => column === 'media')?.position;
  const written = { 2: 'felix_kitchan.mp4', 3: 'kettle 42.mp4', 4: 'kettle 06.mp4' };
  await draft.send(
    'cells',
    Object.fromEntries(Object.entries(written).map(([row, text]) => [`c.${row}.${at}`, text])),
  );
  const { html } = await list(draft);
  expect(lines(html).slice(0, -1)).toEqual([
    expect.stringMatching(/^felix_kitchan.mp4 .* felix_kitchen.mp4 .* Used by line 2\.$/),
    expect.stringMatching(/^kettle 42.mp4 .* kettle 7.mp4 .* Another row may mean this file, too\.$/),
    expect.stringMatching(/^kettle 06.mp4 .* kettle 7.mp4 .* Another row may mean this file, too\.$/),
  ]);
  expect(ticked(html)).toEqual([]);
});

it('ticks no direct link in place of a share link', async () => {
  const media = 'https://drive.google.com/file/d/1aBcDeFgHiJkLmNoP/view';
  const draft = await openDraft([videoRow('a', { media }), videoRow('b')]);
  const { html, text } = await list(draft);
  expect(text).toContain('The link has not been opened.');
  expect(ticked(html)).toEqual([]);
});

it('says of each row what its own text becomes, not those of others', async () => {
  const links = ['1aBcDeFgHiJkLmNoP', '1qRsTuVwXyZaBcDeF'];
  const draft = await openDraft(
    links.map((id) => videoRow(id, { media: `https://drive.google.com/file/d/${id}/view` })),
  );
  await draft.checked();
  const { html } = await draft.pages.get(`${draft.path}/suggestions?sure`);
  expect(
    lines(html)
      .slice(0, -1)
      .map((line) => links.filter((id) => line.includes(id))),
  ).toEqual(links.map((id) => [id]));
});

it('never lists which post a row is, a time that is open, or what is sure', async () => {
  const draft = await openDraft([
    videoRow('a', { scheduled_at: 'tbc' }),
    videoRow('b', good),
    videoRow('c', lost),
  ]);
  expect((await draft.checked()).text).not.toContain('Check ');
  const { text } = await list(draft);
  expect(text).toContain('Nothing is suggested any more.');
});

it('writes nothing if the sheet suggests something else meanwhile, or nothing is chosen', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'demo_bem' }),
    videoRow('b', { creator: 'demo_ana' }),
  ]);
  const { html } = await list(draft);
  const none = await draft.pages.post(`${draft.path}/take`, fieldsOf(html));
  expect(none.text).toContain('Nothing was changed: no suggestion is chosen. Choose at least one.');
  await draft.send('cells', { 'c.1.1': 'demo_anna' });
  const { version } = fieldsOf((await draft.checked()).html);
  const late = await draft.pages.post(`${draft.path}/take`, { ...fieldsOf(html), version, 'fix.0': '0' });
  expect(late.text).toContain(
    'Nothing was changed: the rows have changed, so this suggestion no longer fits.',
  );
});

it('is a dialog in a browser, whose choices change the page at once, on a phone, too', async (test) => {
  const draft = await openDraft([
    videoRow('a', { creator: 'demo_bem' }),
    videoRow('b', { scheduled_at: '12/03/2031 20:00Z' }),
  ]);
  await draft.checked();
  const { page, complaints } = await openPage(test);
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${draft.pages.url}${draft.path}`);
  await page.getByRole('link', { name: 'Check 2 suggestions…' }).click();
  await page.getByLabel('12 March, 20:00Z').check();
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
  await page.getByRole('button', { name: 'Use the chosen fixes' }).click();
  await page.getByText('2 rows edited. No problems left.').waitFor();
  expect(await page.locator('dialog[open]').count()).toBe(0);
  expect(complaints).toEqual([]);
});
