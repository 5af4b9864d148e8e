/** What a check without a page says of names at fault: as the page offers. */
import { expect, it } from 'vitest';
import { checkBeforeImport } from '../../../src/app/campaigns/import/earlier-import.ts';
import { setAlias } from '../../../src/app/drafts/aliases.ts';
import { knownNames } from '../../../src/app/drafts/suggestions/known-names.ts';
import { openManifest } from '../../../src/importers/open/manifest-file.ts';
import { plainFix } from '../../../src/manifest/problems/hint.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../support/sheets/rows.ts';
import { worksheetOf, writeWorkbook } from '../../support/sheets/workbook.ts';

it('a name that was chosen before, and a product of another worksheet, stand first', async (test) => {
  const runner = await openRunner({}, test);
  const { runtime } = await openPages(runner, test);
  const by = 'ann';
  await setAlias(runtime, { kind: 'creator', name: 'Anna B.', means: 'demo_anna', by });
  await setAlias(runtime, { kind: 'product', name: 'Tote', means: '1729384071926530999', by });
  await setAlias(runtime, { kind: 'product', name: 'the old mug', means: '1729431001', by });
  const rows = [
    videoRow('a', { creator: 'anna b.' }),
    videoRow('b', { product_id: 'The old Mug' }),
    videoRow('c', { product_id: '1.72938E+18', product_title: 'Glow Serum' }),
    videoRow('d', { product_id: 'Glow Serum' }),
    videoRow('e', { product_id: 'Twice more' }),
    videoRow('f', { product_id: 'Never heard of' }),
    videoRow('g', { creator: 'Ben Wu' }),
    videoRow('h', { product_id: '', product_title: 'Tote' }),
  ];
  writeMedia(runner.folder, localFiles(rows));
  const products = [
    { Product: 'Tote', 'Product ID': '1729384071926530111' },
    { Product: 'Glow Serum', 'Product ID': '1729384071926530212' },
    { Product: 'Twice more', 'Product ID': '1729384071926530213' },
    { Product: 'Twice more', 'Product ID': '1729384071926530214' },
  ];
  const casting = [{ Name: 'Ben Wu', Account: '@demo_ben' }];
  const path = await writeWorkbook({
    sheets: [worksheetOf('Posts', rows), worksheetOf('Products', products), worksheetOf('Casting', casting)],
  });
  await using manifest = await openManifest(runtime, path);
  const names = await knownNames(runtime, manifest);
  const { check } = await checkBeforeImport(runtime, manifest, { mediaRoot: runner.folder, ...names });
  const inSheet = 'In the worksheet Products, the product Glow Serum has the id 1729384071926530212.';
  const offered = check.problems.kept.map(({ key, fix }) => [
    key,
    /^(?:Write (\S+): )?(.*?\.)/.exec(plainFix(fix))?.slice(1),
  ]);
  expect(Object.fromEntries(offered)).toMatchObject({
    a: ['demo_anna', expect.stringContaining('ann chose demo_anna for Anna B.')],
    b: ['1729431001', 'ann chose 1729431001 for the old mug before.'],
    c: ['1729384071926530212', inSheet],
    d: ['1729384071926530212', inSheet],
    e: [undefined, expect.anything()],
    f: [undefined, expect.anything()],
    // Chosen before, but another one in this workbook.
    h: [undefined, expect.anything()],
    g: ['demo_ben', 'In the worksheet Casting, Ben Wu has the account demo_ben.'],
  });
});
