import { expect, test } from 'vitest';
import { check, confirmUpload, manifestOf } from '../manifest-source.ts';

const images = { media: '', ai_prompt: 'x', ai_model: 'gpt-image-2', ai_aspect_ratio: '1:1' };

async function planOf(
  rows: readonly Readonly<Record<string, string>>[],
  settings: Record<string, unknown> = {},
) {
  const bySource = new Map([['a.mp4', 100]]);
  const { plan, found } = await check(manifestOf(rows), {
    settings: {
      ...settings,
      api: { confirmUpload, uploadCover: { method: 'POST', path: '/u', result: { coverUri: '/data/uri' } } },
    },
    media: async (source) => ({ bytes: bySource.get(source) ?? 7 }),
  });
  expect(found).toEqual([]);
  return plan;
}

test('20 products of one creator share a call, each once; each link needs its own', async () => {
  const products = Array.from({ length: 21 }, (_, index) => ({ product_id: `p${index}` }));
  const link = { product_link: 'https://shop.example/p' };
  const shop = { product_source: 'SHOP', product_id: 'other' };
  const plan = await planOf([...products, ...products, link, link, { creator: 'demo_ben' }, shop]);
  expect(plan.calls).toMatchObject({ addSocialShowcaseProducts: 2 + 1 + 1, createCreatorPost: 46 });
});

test('each file is uploaded and counted once', async () => {
  const plan = await planOf([{}, {}, { media: 'b.png|c.png' }, { cover: 'c.png' }, { cover: 'c.png' }]);
  expect(plan).toMatchObject({
    rows: 5,
    videos: 4,
    photos: 1,
    bytes: 100 + 7 + 7,
    calls: { createFileUpload: 3, confirmUpload: 3, uploadCover: 1, createCreatorPost: 5 },
  });
});

test('a generation is a schedule, at least one poll, and an upload for each output and local reference', async () => {
  const plan = await planOf([
    { ...images, ai_count: '4', ai_references: 'r.png|https://cdn.example/r' },
    { ...images, ai_references: 'r.png' },
  ]);
  expect(plan).toMatchObject({
    calls: { createAiGenerationSchedule: 2, listAiTasksByScheduleId: 2, createFileUpload: 6 },
    aiOutputs: { total: 5, byModel: { 'gpt-image-2': 5 } },
  });
});

test('the slowest rate limit decides the shortest time', async () => {
  const rateLimits = {
    default: { rate: 100, per: '1s', burst: 100 },
    createCreatorPost: { rate: 2, per: '1s', burst: 5 },
  };
  const plan = await planOf(
    Array.from({ length: 25 }, () => ({})),
    { rateLimits },
  );
  expect(plan).toMatchObject({ shortestMs: 10_000, decidedBy: 'createCreatorPost' });
});

test('each operation tells for how many items it is called, within which rate limit, and the least time', async () => {
  const rateLimits = {
    default: { rate: 100, per: '1s', burst: 100 },
    createFileUpload: { rate: 30, per: '1m', burst: 1 },
  };
  const products = Array.from({ length: 21 }, (_, index) => ({ product_id: `p${index}` }));
  const made = { ...images, ai_count: '4', product_id: 'p0' };
  const { steps } = await planOf([...products, made], { rateLimits });
  expect(steps).toMatchObject({
    addSocialShowcaseProducts: { items: 21, leastMs: 0, perSecond: 100 },
    createAiGenerationSchedule: { items: 4, leastMs: 0 },
    listAiTasksByScheduleId: { items: 1 },
    createFileUpload: { items: 5, leastMs: 8000, perSecond: 0.5 },
    createCreatorPost: { items: 22 },
  });
  expect(steps).not.toHaveProperty('uploadCover');
});

test('calls within the bursts take no time', async () => {
  expect(await planOf([{}])).toMatchObject({ shortestMs: 0, decidedBy: null });
});
