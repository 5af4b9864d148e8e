import { describe, expect, it } from 'vitest';
import { listVideos } from '../../../src/app/videos/watch-list.ts';
import { followPosts } from '../../../src/processors/publishing-records/follow-posts.ts';
import { collect } from '../../support/collect.ts';
import { openRunner } from '../../support/in-process.ts';
import { listPostsSetting } from '../../support/processes/scene.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const shipped = listPostsSetting() as { readonly result: Readonly<Record<string, string>> };
const { publicUrl: _publicUrl, ...withoutUrl } = shipped.result;

/** A campaign of two posted rows, and its records. */
async function posted(listPosts: object = shipped) {
  let ahead = 0;
  const runner = await openRunner({
    settings: { api: { listPosts }, records: { every: '1h' } },
    queues: ['showcase', 'upload', 'post'],
    now: () => Date.now() + ahead,
  });
  const id = await runner.importRows([videoRow('a'), videoRow('b', { creator: '@demo_ben' })]);
  await runner.admit(id);
  await runner.start();
  await runner.ended(id);
  return {
    ...runner,
    id,
    wait(ms: number) {
      ahead += ms;
      runner.sandbox.clock.advance(ms);
    },
    async follow() {
      const { context, client, rateLimits, ledger } = runner;
      const campaign = await ledger.campaigns.find(id);
      if (!campaign) throw new Error('no campaign');
      await collect(followPosts({ ...context, client, rateLimits }, campaign, { all: false }));
      return (await collect(listVideos(runner, { campaign: id }))).flat().map(({ facts }) => facts);
    },
  };
}

describe('published posts', () => {
  it('come onto the watch list by themselves, with their row', async () => {
    const { follow, wait, id, sandbox } = await posted();
    wait(60_000);
    const facts = await follow();
    expect(facts.toSorted((one, other) => (`${one.key}` < `${other.key}` ? -1 : 1))).toMatchObject([
      { campaign: id, creator: 'demo_anna', key: 'a', url: expect.stringMatching(/\/@demo_anna\/video\//) },
      { campaign: id, creator: 'demo_ben', key: 'b', product: 'p-b' },
    ]);
    const asked = sandbox.counts().listPosts;
    await follow();
    expect(sandbox.counts().listPosts).toBe(asked);
  });

  it('are asked for again until the record has the URL', async () => {
    const { follow, wait, ledger, id } = await posted({
      ...shipped,
      // A place where no URL ever comes.
      result: { ...shipped.result, publicUrl: '/later/url' },
    });
    wait(60_000);
    expect(await follow()).toEqual([]);
    expect((await ledger.publishing.followState(id))?.next).toBeDefined();
    wait(8 * 86_400_000);
    await follow();
    expect((await ledger.publishing.followState(id))?.next).toBeUndefined();
  });

  it('that were removed from the list do not come back', async () => {
    const { follow, wait, ledger } = await posted();
    wait(60_000);
    await follow();
    const [[video] = []] = await collect(ledger.videos.list.all());
    await ledger.videos.list.remove(video?.id ?? '');
    expect(await follow()).toHaveLength(1);
  });

  it('stay off the list when the setting does not name the URL', async () => {
    const { follow, wait } = await posted({ ...shipped, result: withoutUrl });
    wait(60_000);
    expect(await follow()).toEqual([]);
  });
});
