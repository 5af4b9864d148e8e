import { expect, it } from 'vitest';
import type { Look } from '../../../src/ledger/videos/next-sample.ts';
import { videoIdOf } from '../../../src/manifest/cells/video-url.ts';
import { LookWriter } from '../../../src/processors/scrape/look-writer.ts';
import { testLedger } from '../../support/ledger.ts';

it('makes a sample anew of a history that has changed since it was read, and writes the others beside it', async () => {
  const { ledger } = testLedger();
  const { list, history, scrapes } = ledger.videos;
  const urls = ['https://video.example/1', 'https://video.example/2'];
  const ids = urls.map(videoIdOf);
  await list.add(urls.map((url, index) => ({ id: ids[index] ?? '', facts: { url, account: 'default' } })));
  const found = async () => (await list.read(ids)).filter((video) => video !== undefined);
  const read = (await found()).map((video) => ({ video, chunks: new Map<number, Buffer>() }));
  const lookAt = (at: number, views: number): Look => ({ at, counts: [views, 1, 1, 1, 1], meta: {} });
  const write = async (run: number, some: typeof read, look: Look) => {
    const writer = new LookWriter({ ledger }, run);
    for (const each of some) writer.add(each, look);
    await writer.finish();
    return scrapes.find(run);
  };

  const { run: first } = await scrapes.start('manual');
  expect(await write(first, read.slice(0, 1), lookAt(1000, 5))).toMatchObject({ done: 1 });
  await scrapes.stop(first, { code: 'test', message: '' });
  const { run: second } = await scrapes.start('manual');
  expect(await write(second, read, lookAt(90_000, 9))).toMatchObject({ done: 2 });

  const views = (await history.samples(await found())).map((samples) =>
    Array.from(samples, ({ counts }) => counts[0]),
  );
  expect(views).toEqual([[5, 9], [9]]);
});
