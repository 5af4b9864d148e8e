/**
 * Weeks of a planner's own sheet, at random: she inserts, deletes, sorts, retimes and edits, makes keys anew, and updates the campaign while
 * posts go out. Each of her posts has a video of its own, by which the campaign is compared with what she means.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { randomFrom } from '../../../fuzz/random.ts';
import { asIf } from '../../../support/ledger.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../../support/sheets/sheet.ts';
import { openHall } from './sheets-in-turn.ts';

/** What she means by a row, whatever its key is. */
type Post = Readonly<Record<'media' | 'creator' | 'caption' | 'product_id' | 'scheduled_at', string>>;

type State = 'posted' | 'failed' | 'cancelled' | 'waiting';

const keyings: Readonly<Record<string, (post: Post, index: number) => Cells>> = {
  'without keys': () => ({}),
  'with running numbers': (_post, index) => ({ key: String(index + 1) }),
  'with codes made anew': (_post, index) => ({ key: `P${String(index + 1).padStart(2, '0')}` }),
  'with keys of their own': ({ media }) => ({ key: `own-${media}` }),
};
const weeks = 8;
const seeds = Number(process.env['SEEDS'] ?? 3);
const mostPosts = 60;

const cases = Object.keys(keyings).flatMap((keying) =>
  Array.from({ length: seeds }, (_, seed) => [keying, seed + 1] as const),
);

it.for(cases)('rows %s, seed %i: no post goes out twice, none is lost', async ([keying, seed], test) => {
  const random = randomFrom(seed);
  const scene = await openHall(test);
  scene.media(Array.from({ length: mostPosts }, (_, index) => videoRow(`m${index}`)));
  let made = 0;
  const fresh = (): Post => {
    made += 1;
    return {
      media: `m${made}.mp4`,
      creator: random.pick(['demo_anna', 'demo_ben']),
      caption: random.once(3) ? 'Shop now' : `About ${made}`,
      product_id: random.pick(['1729000000000000001', '1729000000000000002']),
      scheduled_at: '',
    };
  };
  const slots = (posts: readonly Post[]) =>
    posts.map((post, index) => ({ ...post, scheduled_at: `2026-05-${10 + index} 10:00Z` }));
  /** By video: the post that had it first. */
  const origin = new Map<string, string>();
  let out = new Map<string, readonly { readonly state: State }[]>();
  const edits: readonly ((posts: readonly Post[]) => readonly Post[])[] = [
    (posts) => posts.toSpliced(random.integer(0, posts.length), 0, fresh()),
    (posts) => slots(posts.toSpliced(random.integer(0, posts.length), 0, fresh())),
    (posts) => posts.toSpliced(random.integer(0, posts.length - 1), 1),
    (posts) => [...posts, fresh(), fresh()],
    (posts) => posts.toSorted((one, other) => one.creator.localeCompare(other.creator)),
    (posts) => posts.toReversed(),
    (posts) => slots(posts),
    (posts) => posts.map((post) => ({ ...post, caption: `${post.caption} #ad` })),
    (posts) => edited(posts, (post) => ({ ...post, caption: `${post.caption}!` })),
    (posts) => edited(posts, (post) => ({ ...post, product_id: '1729000000000000003' })),
    (posts) => edited(posts, (post) => ({ ...post, scheduled_at: '2026-06-01 10:00Z' })),
    (posts) => edited(posts, (post) => (isOut(post) ? post : { ...post, media: another(post) })),
  ];
  const originOf = (media: string) => origin.get(media) ?? media;
  const another = ({ media: before }: Post) => {
    const { media } = fresh();
    origin.set(media, originOf(before));
    return media;
  };
  const isOut = ({ media }: Post) => out.get(media)?.[0]?.state !== 'waiting';
  const edited = (posts: readonly Post[], edit: (post: Post) => Post) => {
    const at = random.integer(0, posts.length - 1);
    return posts.map((post, index) => (index === at ? edit(post) : post));
  };
  const save = (file: string, posts: readonly Post[]) => {
    const path = join(scene.runner.folder, file);
    const cells = posts.map((post, index) => {
      const { key: _key, ...row } = videoRow('m', post);
      return { ...keyings[keying]?.({ ...post, media: originOf(post.media) }, index), ...row };
    });
    writeFileSync(path, sheetText(cells));
    return { file: path, path, name: file, folder: scene.runner.folder };
  };
  /** Rows of the campaign by the videos that they post. */
  const rowsByMedia = async () => {
    const { ledger } = scene.runner;
    const campaign = await ledger.campaigns.find('c1');
    const media = campaign?.header.indexOf('media') ?? -1;
    const found: { media: string; state: State; row: number; cells: readonly string[] }[] = [];
    if (campaign === undefined) return Map.groupBy(found, (each) => each.media);
    const statuses = await ledger.rows.statuses('c1', 0, campaign.rows);
    for await (const part of ledger.store.all(campaign))
      for (const [row, { cells }] of part)
        found.push({ media: cells[media] ?? '', state: statuses[row]?.state as State, row, cells });
    return Map.groupBy(found, (each) => each.media);
  };

  let posts: readonly Post[] = Array.from({ length: 5 }, fresh);
  await startCampaign(scene.runtime, save('plan-0.csv', posts), { problemsFile: null });
  let refusals = 0;
  for (let week = 1; week <= weeks; week += 1) {
    const before = await rowsByMedia();
    const waiting = [...before.values()].flat().filter(({ state }) => state === 'waiting');
    const gone = waiting.filter(() => random.once(3));
    const state = random.pick(['posted', 'posted', 'failed', 'cancelled'] as const);
    await asIf(scene.runner).ended(
      'c1',
      gone.map(({ row }) => ({ row, state })),
    );
    out = await rowsByMedia();
    let next = posts;
    for (let edit = random.integer(1, 2); edit > 0; edit -= 1) next = random.pick(edits)(next);
    const { kind, check } = await updateCampaign(scene.runtime, 'c1', save(`plan-${week}.csv`, next), {
      problemsFile: null,
    });
    const rows = await rowsByMedia();
    const place = `week ${week}: ${kind} ${[...check.problems.byCode.keys()]}`;
    for (const [media, some] of rows) expect(some, `${place}: ${media}`).toHaveLength(1);
    for (const [media, [was]] of out)
      if (was?.state === 'posted' || was?.state === 'cancelled')
        expect(rows.get(media)?.[0]?.state, `${place}: ${media}`).toBe(was.state);
    if (kind === 'problems') {
      refusals += 1;
      continue;
    }
    const meant = new Map(next.map(({ media }) => [originOf(media), media]));
    for (const { state, media } of [...rows.values()].flat())
      if (state === 'waiting') expect([media, undefined], place).toContain(meant.get(originOf(media)));
    posts = next;
    for (const post of posts) {
      const [row] = rows.get(post.media) ?? [];
      expect(row, `${place}: ${post.media}`).toBeDefined();
      if (row?.state !== 'waiting') continue;
      for (const column of ['caption', 'creator', 'product_id', 'scheduled_at'] as const)
        expect(row.cells, `${place}: ${post.media}`).toContain(post[column]);
    }
  }
  expect(refusals).toBeLessThan(weeks / 2);
});
