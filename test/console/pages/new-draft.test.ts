import { expect, it } from 'vitest';
import { openDesk } from '../../campaigns/drafts/desk.ts';
import { videoRow } from '../../support/rows.ts';

const product = '1729384071926530212';
const cherry = { product_title: 'Velvet Cherry', product_id: product };

it('shows problems as bands, with what the sheet suggests', async () => {
  const { pages, id } = await openDesk([
    videoRow('a', cherry),
    videoRow('b', { ...cherry, product_id: '1.72938E+18' }),
    videoRow('c', { ...cherry, product_id: '1.72938E+18' }),
  ]);
  const { text, status, html } = await pages.get(`/campaigns/new/${id}`);
  expect(status).toBe(200);
  expect(text).toContain('2 rows to mend, 1 kind of problem');
  expect(text).toContain(`In 1 other row the product title Velvet Cherry has the id ${product}.`);
  expect(text).toContain(`Use ${product} in 2 rows`);
  expect(html).toContain('Start 1 post<');
});
