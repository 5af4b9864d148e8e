import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findDraft } from '../../../../src/app/drafts/drafts.ts';
import type { CheckedDraft } from '../../../../src/app/drafts/view.ts';
import { apiPath } from '../../../../src/console/app.ts';
import { leftToFix, type Press, takeFurther } from '../../../../src/console/pages/new/draft/saving.ts';
import { captionMark } from '../../../../src/manifest/headers/column-map.ts';
import { encoded } from '../../../importers/manifest-source.ts';
import { openDraft } from '../../../support/console/draft-page.ts';
import { openDrop } from '../../../support/console/uploads.ts';
import { agencyWorkbook } from '../../../support/sheets/agency-sheet.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';
import { sheetText } from '../../../support/sheets/sheet.ts';
import { filteredWorkbook, worksheetOf, writeWorkbook } from '../../../support/sheets/workbook.ts';

it('reports a sheet without rows, and a text file with the extension of a workbook', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Spring.xlsx', Buffer.from(`${Object.keys(videoRow('a')).join(',')}\n`));
  const page = () => pages.get(`/campaigns/new/${drop.draft}`);
  await expect.poll(async () => (await page()).text).toContain('the file has a header but no rows');
  expect((await page()).text).toContain('Spring.xlsx a text file, although its name is that of a workbook');
});

it('shows how a sheet of few Korean words would read, and reads it as somebody says', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Korean.csv', encoded(sheetText([videoRow('a', { caption: '한국어' })]), 'euc-kr'));
  const path = `/campaigns/new/${drop.draft}`;
  const page = () => pages.get(path);
  await expect.poll(async () => (await page()).text).toContain('With gb18030 it reads: "茄惫绢".');
  const { text, html } = await page();
  expect(text).toContain(
    'choose its encoding above, under "Read the file differently", such as euc-kr (a guess). The text then reads: "한국어".',
  );
  expect(text).not.toContain('Start 1 post');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? [];
  await pages.post(`${path}/reading`, { version, encoding: 'euc-kr' });
  await expect.poll(async () => (await page()).text).toContain('read as CSV in EUC-KR');
  expect((await pages.get(`${path}?rows=all`)).html).toContain('한국어');
});

/** Drops a workbook of two rows, the second of which is hidden. */
async function dropFiltered() {
  const { pages } = await openDraft([videoRow('a')]);
  const media = 'https://cdn.example/a.mp4';
  const workbook = await filteredWorkbook([videoRow('a', { media })], [videoRow('b', { media })]);
  const drop = await openDrop(pages);
  await drop.send('Filtered.xlsx', readFileSync(workbook));
  const path = `/campaigns/new/${drop.draft}`;
  const page = () => pages.get(path);
  await expect.poll(async () => (await page()).text).toContain('This row is hidden in the workbook');
  /** Presses the button with this label. */
  const press = async (label: string) => {
    const { html } = await page();
    const [, to = ''] = new RegExp(`formaction="([^"]+)"[^>]*>${label}<`).exec(html) ?? [];
    const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? [];
    await pages.post(to.replaceAll('&amp;', '&'), { version });
  };
  return { page, press };
}

it('says which worksheet has the ids of products, and offers them once the column is added', async () => {
  const { pages } = await openDraft([videoRow('a')]);
  const { product_id: _id, ...plan } = videoRow('a', { media: 'https://cdn.example/a.mp4' });
  const products = [{ Name: plan.product_title ?? '', SKU: '1729430001' }];
  const workbook = await writeWorkbook({
    sheets: [worksheetOf('Plan', [plan]), worksheetOf('Products', products)],
  });
  const drop = await openDrop(pages);
  await drop.send('Plan.xlsx', readFileSync(workbook));
  const path = `/campaigns/new/${drop.draft}`;
  const page = () => pages.get(path);
  await expect.poll(async () => (await page()).text).toContain('Missing: product_id. Say below');
  const { html, text } = await page();
  expect(html).toContain('<a href="#lacked">Add what is missing</a>');
  expect(text).toContain('The product ids are in the worksheet "Products", column SKU. Leave it empty here');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(html) ?? [];
  await pages.post(`${path}/add-columns`, { version, 'add.product_id': '' });
  await expect.poll(async () => (await page()).text).toContain('Use 1729430001 in 1 row');
});

it('says of no row that it is left to fix while the whole sheet is checked', () => {
  const checked = { refused: 2 } as unknown as CheckedDraft;
  expect(leftToFix({ checked, rowsRead: 0 })).toBe('The sheet is being checked.');
  expect(leftToFix({ checked, rowsRead: undefined })).toBe('2 rows left to fix.');
});

it('says that the column for the ids of another worksheet is not added while the check takes long', async () => {
  const drafts = { look: async () => ({ draft: { reading: {} }, checked: undefined }) };
  const press = { request: { drafts }, id: '0', by: { by: 'ann', version: 1 } } as unknown as Press;
  expect(await takeFurther(press, true)).toMatchObject({
    state: 'warning',
    text: 'The columns are saved, but product_id is not added: the check is still running.',
  });
  expect(await takeFurther(press, false)).toBe('The columns are saved.');
});

it('adds the column for the ids of another worksheet with all proposals, unless one was chosen for them', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const plan = ['a', 'b'].map((key) => {
    const { product_id: _id, product_title: _title, creator = '', ...row } = videoRow(key);
    return {
      ...row,
      media: 'https://cdn.example/a.mp4',
      Wer: `@${creator}`,
      Product: 'Rug Dune',
      Code: 'RD',
    };
  });
  const products = [{ Name: 'Rug Dune', SKU: '1729430001' }];
  const workbook = readFileSync(
    await writeWorkbook({ sheets: [worksheetOf('Plan', plan), worksheetOf('Products', products)] }),
  );
  const press = async (chosen: (html: string) => Record<string, string>, then: string) => {
    const drop = await openDrop(pages);
    await drop.send('Plan.xlsx', workbook);
    const path = `/campaigns/new/${drop.draft}`;
    const show = (what: string) =>
      runner.until(async () => {
        const page = await pages.get(path);
        return page.text.includes(what) && page;
      }, what);
    const { html, text } = await show('Use all 3 column suggestions and add product_id');
    expect(text).toContain('The product ids are in the worksheet "Products", column SKU. Each row then');
    const version = /name="version" value="(\d+)"/.exec(html)?.[1] ?? '';
    await pages.post(`${path}/columns`, { version, take: 'all', ...chosen(html) });
    return show(then);
  };
  await press(() => ({}), '2 product_id is empty. one sure fix');
  const code = (html: string) => /name="(col\.\d+)" aria-label="Code is"/.exec(html)?.[1] ?? '';
  await press((html) => ({ [code(html)]: 'product_id' }), '6 of 6 matched');
});

it('skips hidden rows with one press', async () => {
  const { page, press } = await dropFiltered();
  await press('Skip 1 row');
  await expect.poll(async () => (await page()).text).toContain('1 skipped');
});

it('posts hidden rows with another one', async () => {
  const { page, press } = await dropFiltered();
  await press('Post 1 row anyway');
  await expect.poll(async () => (await page()).text).toContain('Start 2 posts');
});

it('offers worksheets with the same headers, reads them as one, and names the worksheet of each row', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const media = 'https://cdn.example/a.mp4';
  const weeks = [
    [videoRow('a', { media })],
    [videoRow('b', { media, caption: 'Two' }), videoRow('c', { media, caption: '' })],
  ].map((rows, index) =>
    worksheetOf(
      `Week ${index + 1}`,
      rows.map(({ creator = '', ...row }) => ({ ...row, Wer: creator })),
    ),
  );
  const drop = await openDrop(pages);
  await drop.send('Weeks.xlsx', readFileSync(await writeWorkbook({ sheets: weeks })));
  const path = `/campaigns/new/${drop.draft}`;
  const show = (what: string) =>
    runner.until(async () => {
      const page = await pages.get(path);
      return page.text.includes(what) && page;
    }, what);
  const version = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? '';
  const position =
    /name="(col\.\d+)" aria-label="Wer is"/.exec((await show('not clear: Wer')).html)?.[1] ?? '';
  await pages.post(`${path}/columns`, {
    version: version((await pages.get(path)).html),
    [position]: 'creator',
  });
  const { html } = await show('Also read Week 2');
  const [, query = ''] = /\/reading(\?sheet=[^"]+)"[^>]*>Also read Week 2</.exec(html) ?? [];
  await pages.post(`${path}/reading${query.replaceAll('&amp;', '&')}`, { version: version(html) });
  const both = await show('3 rows, sheets Week 1, Week 2');
  expect(both.html).toContain('aria-label="caption, Week 2, line 3"');
  expect(both.text).not.toContain('Also read');
  expect((await pages.get(`${path}/rows/3`)).text).toContain('Week 2, line 3');
  expect((await findDraft(pages.runtime, drop.draft)).reading).toEqual({
    sheet: ['Week 1', 'Week 2'],
    map: { Wer: 'creator' },
  });

  await pages.post(`${path}/reading`, { version: version(both.html), sheet: 'Week 1' });
  expect((await show('Also read Week 2')).text).not.toContain('3 rows');
  expect((await findDraft(pages.runtime, drop.draft)).reading.sheet).toBeUndefined();
});

it('knows chosen worksheets of which another import made a campaign, whose rows are no repeats', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const weeks = ['b', 'c'].map((key, index) => worksheetOf(`Week ${index + 1}`, [aiVideoRow(key)]));
  const body = readFileSync(await writeWorkbook({ sheets: weeks }));
  const imported = await fetch(`${pages.url}${apiPath}/campaigns?sheet=Week%201&sheet=Week%202`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
  });
  expect(imported.status).toBe(201);
  const drop = await openDrop(pages);
  await drop.send('Weeks.xlsx', body);
  const show = async (what: string) => {
    const page = await pages.get(`/campaigns/new/${drop.draft}`);
    return page.text.includes(what) && page;
  };
  const first = await runner.until(() => show('1 row to fix'), 'a repeat');
  const [, version = ''] = /name="version" value="(\d+)"/.exec(first.html) ?? [];
  await pages.post(`/campaigns/new/${drop.draft}/reading?sheet=Week+1&sheet=Week+2`, { version });
  await runner.until(() => show('2 of 2 rows ready'), 'no repeat');
});

it('reads the workbook of an agency: headers below a title, columns proposed and taken at once', async () => {
  const { pages, runner } = await openDraft([videoRow('a')]);
  const drop = await openDrop(pages);
  await drop.send('Glow.xlsx', readFileSync(await agencyWorkbook()));
  const path = `/campaigns/new/${drop.draft}`;
  const show = (what: string) =>
    runner.until(async () => {
      const page = await pages.get(path);
      return page.text.includes(what) && page;
    }, what);
  const { text, html } = await show('9 of 12 matched, 1 note, 2 not known');
  expect(text).toContain('read as an Excel workbook (headers in line 2)');
  expect(text).toContain('2 columns are not clear: Produkt, Bemerkung; missing: product_title.');
  expect(text).toContain('Use product_title its 40 cells have 5 names, not ids');
  expect(html).toContain('<optgroup label="Product"><option value="product_id">product_id: number</option>');
  const version = (page: string) => /name="version" value="(\d+)"/.exec(page)?.[1] ?? '';
  const [, remark = ''] = /name="(col\.\d+)" aria-label="Bemerkung is"/.exec(html) ?? [];
  // What a person chose meanwhile stays.
  await pages.post(`${path}/columns`, { version: version(html), take: 'all', [remark]: captionMark });
  const taken = await show('11 of 12 matched, 1 note');
  expect(taken.text).toContain('rows to fix');
  await pages.post(`${path}/reading`, { version: version(taken.html), headerLine: '1' });
  expect((await show('not clear: Glow Cosmetics')).html).toContain('name="headerLine" min="1" value="1"');
});
