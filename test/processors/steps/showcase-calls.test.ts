/** How many calls the showcase additions of a campaign take. */
import { expect, it } from 'vitest';
import type { FaultInput } from '../../../src/sandbox/faults/schema.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { aiVideoRow, photoRow, videoRow } from '../../support/sheets/rows.ts';
import type { Cells } from '../../support/sheets/sheet.ts';
import type { HandInOptions } from '../../support/wiring.ts';

const operation = 'addSocialShowcaseProducts';

/** 29 creators like those that every sandbox has. */
function manyCreators({ sandbox }: TestRunner): readonly string[] {
  const anna = sandbox.creators().find(({ username }) => username === 'demo_anna');
  if (!anna) throw new Error('no demo_anna');
  const more = Array.from({ length: 29 }, (_, index) => {
    const creatorId = `${7_000_000_000 + index}`;
    return { ...anna, id: 9000 + index, creatorId, username: `many_${index}` };
  });
  sandbox.putCreators(more);
  return more.map(({ username }) => username);
}

/** Videos that share clips, pictures, generated videos, and a few product links. */
function mixedRows(creators: readonly string[], count: number): readonly Cells[] {
  return Array.from({ length: count }, (_, index) => {
    // Some creators have twice as many rows as others.
    const creator = creators[((index * 7) % 43) % creators.length] ?? '';
    const cells = { creator, product_id: `p-${(index * 11) % 240}` };
    if (index % 60 === 59) return videoRow(`${index}`, { ...cells, product_link: linkTo(cells.product_id) });
    if (index % 5 === 3) return aiVideoRow(`${index}`, cells);
    if (index % 5 === 4)
      return photoRow(`${index}`, 2, { ...cells, media: `${index % 25}-1.png|${index % 25}-2.png` });
    return videoRow(`${index}`, { ...cells, media: `clip-${index % 70}.mp4` });
  });
}

function fewestCalls(rows: readonly Cells[]): number {
  const links = rows.filter((row) => row.product_link !== undefined).length;
  const byCreator = Map.groupBy(
    rows.filter((row) => row.product_link === undefined),
    ({ creator }) => creator,
  );
  const packed = [...byCreator.values()].map((own) =>
    Math.ceil(new Set(own.map((row) => row.product_id)).size / 20),
  );
  return links + packed.reduce((sum, calls) => sum + calls, 0);
}

it('300 mixed rows of 29 creators take hardly more calls than needed', async () => {
  const runner = await openRunner();
  const rows = mixedRows(manyCreators(runner), 300);
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 300 } });
  // On a busy machine some rows come too late to be taken along.
  expect(runner.sandbox.calls(operation).length).toBeLessThanOrEqual(1.25 * fewestCalls(rows));
});

/** What each call adds: products by id, or a link. Links of the sandbox lead to the product that ends them. */
const additions = ({ sandbox }: TestRunner) =>
  sandbox.calls(operation).map(({ body }) => Object(body).productLink ?? Object(body).productIds);
const linkTo = (product: string) => `https://shop.example/p/${product}`;

/** Posts rows of one creator, a campaign for each. */
async function postInTurn(runner: TestRunner, sheets: readonly (readonly Cells[])[]): Promise<void> {
  for (const rows of sheets) {
    const id = await runner.importOrUpdate(rows);
    expect(await runner.ended(id)).toMatchObject({ counts: { posted: rows.length } });
  }
}

it('a product is added by its link and by its id, whichever was first', async () => {
  const runner = await openRunner({ sandbox: { strict: false } });
  await runner.start();
  const byLink = { product_id: '111', product_link: linkTo('other') };
  await postInTurn(runner, [
    [videoRow('a', byLink), videoRow('b', { product_id: '111' })],
    [videoRow('c', { product_id: '222' })],
    [videoRow('d', { product_id: '222', product_link: linkTo('222') })],
    [videoRow('e', byLink), videoRow('f', { product_id: '222' })],
  ]);
  const made = additions(runner);
  expect(made).toHaveLength(4);
  expect(made).toEqual(expect.arrayContaining([linkTo('other'), ['111'], ['222'], linkTo('222')]));
});

it('an id that the showcase has since the addition of its link is not added again', async () => {
  const runner = await openRunner();
  await runner.start();
  const a = videoRow('a', { product_id: '111', product_link: linkTo('111') });
  await postInTurn(runner, [
    [a],
    [videoRow('b', { product_id: '111' })],
    [videoRow('c', { product_id: '111' })],
  ]);
  expect(additions(runner)).toEqual([linkTo('111')]);
  expect(runner.sandbox.counts().listSocialShowcaseProducts).toBe(1);
});

it('an id whose showcase cannot be looked at is added', async () => {
  const runner = await openRunner();
  const operations = 'listSocialShowcaseProducts';
  runner.sandbox.faults.add({ operation: operations, kind: 'status', status: 403, times: 'always' });
  await runner.start();
  const a = videoRow('a', { product_id: '111', product_link: linkTo('111') });
  await postInTurn(runner, [[a], [videoRow('b', { product_id: '111' })]]);
  expect(additions(runner)).toEqual([linkTo('111'), ['111']]);
});

it('a link that rows share is added once', async () => {
  const runner = await openRunner();
  await runner.start();
  const shared = { product_id: 'shared', product_link: linkTo('shared') };
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, shared));
  await postInTurn(runner, [rows, [videoRow('d', shared)]]);
  expect(additions(runner)).toEqual([linkTo('shared')]);
});

it('a call takes along no product that is being added by link', async () => {
  const runner = await openRunner({ queues: ['showcase'], settings: { concurrency: { showcase: 1 } } });
  const a = videoRow('a', { product_id: '111', product_link: linkTo('111') });
  const id = await runner.importRows([a, videoRow('b'), videoRow('c', { product_id: '111' })], { window: 2 });
  await runner.admit(id);
  await runner.start();
  for (const group of [1, 2]) await runner.jobFinished(({ job }) => job.endsWith(`showcase-${group}`));
  expect(additions(runner)).toEqual([linkTo('111'), ['p-b']]);
});

/** A campaign of three rows, of which only the first is admitted. */
async function withOneAdmitted(options: HandInOptions, fault?: FaultInput) {
  const runner = await openRunner({ queues: ['showcase'] });
  if (fault) runner.sandbox.faults.add(fault);
  const ofBen = videoRow('b', { creator: 'demo_ben' });
  const id = await runner.importRows([videoRow('a'), ofBen, videoRow('c')], { window: 1, ...options });
  await runner.admit(id);
  await runner.start();
  await runner.jobFinished(({ outcome }) => outcome === 'done');
  const states = (await runner.rows(id)).map(({ state }) => state);
  return { states, products: runner.sandbox.calls(operation).map(({ body }) => Object(body).productIds) };
}

const onlyFirst = ['running', 'waiting', 'waiting'];

it('a call takes along what waiting rows of the creator will want', async () => {
  expect(await withOneAdmitted({})).toEqual({ states: onlyFirst, products: [['p-a', 'p-c']] });
});

it('a call takes nothing along that the canary may leave out', async () => {
  expect(await withOneAdmitted({ canary: 1 })).toEqual({ states: onlyFirst, products: [['p-a']] });
});

it('a product that was taken along and refused ends no waiting row', async () => {
  const fault: FaultInput = { operation, kind: 'product-errors', productIds: ['p-c'] };
  expect(await withOneAdmitted({}, fault)).toEqual({ states: onlyFirst, products: [['p-a', 'p-c']] });
});

it('a call that is refused as a whole is repeated with the products of its own rows', async () => {
  const fault: FaultInput = { operation, kind: 'status', status: 400, match: { productIds: ['p-c'] } };
  expect(await withOneAdmitted({}, fault)).toEqual({
    states: onlyFirst,
    products: [['p-a', 'p-c'], ['p-a']],
  });
});

it('a product that was refused is sent again for its own row only', async () => {
  const runner = await openRunner();
  runner.sandbox.faults.add({ operation, kind: 'product-errors', productIds: ['p-c'], times: 'always' });
  const id = await runner.importOrUpdate([videoRow('a'), videoRow('b'), videoRow('c')], { window: 1 });
  await runner.start();
  expect(await runner.ended(id)).toMatchObject({ counts: { posted: 2, failed: 1 } });
  const products = runner.sandbox.calls(operation).map(({ body }) => Object(body).productIds);
  expect(products).toEqual([['p-a', 'p-b', 'p-c'], ['p-c']]);
});
