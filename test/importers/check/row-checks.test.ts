import { expect, test } from 'vitest';
import type { RefusedRow } from '../../../src/importers/check/checked-row.ts';
import type { CreatorAccount } from '../../../src/service/contract/creators.ts';
import { check, manifestOf } from '../manifest-source.ts';

const anna: CreatorAccount = {
  id: 1001,
  creatorId: '7493',
  username: 'demo_anna',
  authSource: 'SOCIAL_SHOP_CREATOR',
  oauthRegion: 'US',
  valid: true,
  permissions: [],
  registerRegion: undefined,
  selectionRegion: undefined,
  targetMarket: undefined,
  tagNames: undefined,
};

test('a duplicate key is reported with the line of the first', async () => {
  const { problems, accepted } = await check(
    manifestOf([{ key: 'a' }, { key: 'b' }, { key: 'a', caption: '' }]),
  );
  expect(accepted).toBe(2);
  expect(problems.kept).toMatchObject([
    { line: 4, code: 'missing_value' },
    {
      line: 4,
      key: 'a',
      column: 'key',
      code: 'duplicate_key',
      problem: 'the row on line 2 has the same key',
    },
  ]);
});

test('a key equal to the number of a row without a key is a duplicate', async () => {
  expect((await check(manifestOf([{ key: '2' }, { key: '' }]))).found).toEqual(['3 key duplicate_key']);
});

test('a row that cannot be posted takes no key from another by its number', async () => {
  const rows = [{ key: 'a' }, { key: '', caption: '' }, { key: '2' }];
  expect((await check(manifestOf(rows))).found).toEqual(['3 caption missing_value']);
});

test('a past time is a problem', async () => {
  const content = manifestOf([{ scheduled_at: '2026-12-01T10:00Z' }]);
  expect((await check(content, { now: Date.parse('2026-12-01T11:00Z') })).found).toEqual([
    '2 scheduled_at time_past',
  ]);
  expect((await check(content, { now: Date.parse('2026-12-01T09:00Z') })).found).toEqual([]);
});

test('times without a zone use the zone of the settings', async () => {
  const settings = { api: { confirmUpload: { method: 'POST', path: '/c' } }, timezone: 'Asia/Shanghai' };
  const content = manifestOf([{ scheduled_at: '2026-12-01 10:00' }]);
  expect((await check(content, { settings })).found).toEqual([]);
  expect((await check(content)).found).toEqual(['2 scheduled_at zoneless_time']);
});

test('a cover file needs the setting uploadCover', async () => {
  const { found, blocking } = await check(manifestOf([{ cover: 'c.jpg' }, { cover_timestamp_ms: '0' }]));
  expect(found).toEqual(['2 cover upload_cover_not_set']);
  expect(blocking).toEqual([]);
});

test('each creator is looked up once, and passed on by the name as written', async () => {
  const asked: string[][] = [];
  const lookUp = async (names: readonly string[]) => {
    asked.push([...names]);
    return new Map(names.filter((name) => name !== 'nobody').map((name) => [name, [anna]]));
  };
  const content = manifestOf([{}, { creator: '1001' }, { creator: 'nobody' }, {}]);
  const result = await check(content, { creators: lookUp });
  expect(asked).toEqual([['demo_anna', '1001', 'nobody']]);
  expect(result.found).toEqual(['4 creator creator_unknown']);
  const known = { id: 1001, creatorId: '7493', username: 'demo_anna', oauthRegion: 'US' };
  expect([...result.creators]).toEqual([
    ['demo_anna', known],
    ['1001', known],
  ]);
});

test('a row with other problems still has its creator and media checked', async () => {
  const result = await check(manifestOf([{ caption: '', creator: 'nobody', media: 'gone.mp4' }]), {
    creators: async () => new Map(),
    media: async () => ({ fault: { code: 'media_missing', problem: 'no such file', fix: 'Put it there.' } }),
  });
  expect(result.found).toEqual([
    '2 caption missing_value',
    '2 creator creator_unknown',
    '2 media media_missing',
  ]);
});

test('a row of video and pictures, or without a clear type, has each file checked by its own name', async () => {
  const looked: string[] = [];
  const result = await check(
    manifestOf([{ media: 'a.mp4|b.jpg|c' }, { media: 'd.mp4', media_type: 'CLIP' }]),
    {
      media: async (source, kind) => {
        looked.push(`${source} ${kind}`);
        return { fault: { code: 'media_missing', problem: 'no such file', fix: 'Put it there.' } };
      },
    },
  );
  expect(looked).toEqual(['a.mp4 VIDEO', 'b.jpg PHOTO', 'd.mp4 VIDEO']);
  expect(result.found).toContain('2 media media_missing');
});

test('a row with the key of another is compared with other posts all the same', async () => {
  const posts = { find: async (all: readonly unknown[]) => all.map(() => undefined) };
  const { found } = await check(manifestOf([{ key: 'a' }, { key: 'a' }]), { posts });
  expect(found).toEqual(['3 key duplicate_key', '3 - post_repeats']);
});

test('a display name is one problem, with the username that is meant', async () => {
  const suggest = async () => new Map([['Demo Anna', 'demo_anna']]);
  const creators = Object.assign(async () => new Map(), { suggest });
  const { problems } = await check(manifestOf([{ creator: 'Demo Anna' }]), { creators });
  expect(problems.kept).toMatchObject([{ code: 'creator_unknown', meant: 'demo_anna' }]);
  expect((await check(manifestOf([{ creator: 'Demo Anna' }]))).found).toEqual(['2 creator space_in_id']);
});

test.each(['Tara Boone\nUma Patel', '@tara.b\n@uma.p', 'Tara Boone & Uma Patel'])(
  '%j is one problem: a row is one post of one creator',
  async (creator) => {
    const { problems } = await check(manifestOf([{ creator: `"${creator}"` }]), {
      creators: async () => new Map(),
    });
    expect(problems.kept.map(({ code }) => code)).toEqual(['creator_unknown']);
    expect(problems.kept[0]?.problem).toContain('seems to name 2 creators');
  },
);

test('an invisible character in one name stays a problem of its own', async () => {
  const result = await check(manifestOf([{ creator: 'tara\u200bboone' }]), {
    creators: async () => new Map(),
  });
  expect(result.found).toContain('2 creator invisible_characters');
});

test('media with an invalid source is not checked', async () => {
  const looked: string[] = [];
  await check(manifestOf([{ media: '../x.mp4' }, { media: 'a.mp4' }, { media: 'a.mp4' }]), {
    media: async (source) => {
      looked.push(source);
      return { bytes: 10 };
    },
  });
  expect(looked).toEqual(['a.mp4']);
});

test('an error of a look-up ends the check', async () => {
  const failure = new Error('the network is down');
  const checking = check(manifestOf([{}]), { creators: () => Promise.reject(failure) });
  await expect(checking).rejects.toBe(failure);
});

test('a video of a creator without the permission for videos gives a warning', async () => {
  const creators = async () => new Map([['demo_anna', [anna]]]);
  const { warnings, accepted } = await check(manifestOf([{}]), { creators });
  expect(accepted).toBe(1);
  expect([...warnings.byCode.keys()]).toEqual(['creator_video_permission']);
});

test('all columns of media of a row are one list; a problem names the column that has it', async () => {
  const photos = { media: '', 'Image 1': 'a.jpg', 'Image 2': '', 'Image 3': 'b.jpg' };
  const result = await check(
    manifestOf([{ ...photos, media: 'a.mp4', 'Image 1': '', 'Image 3': '' }, photos]),
  );
  expect(result).toMatchObject({ accepted: 2, found: [], blocking: [] });
  expect(result.handedOn[1]?.cells.slice(-3)).toEqual(['a.jpg', '', 'b.jpg']);
  const both = { ...photos, media: 'a.mp4' };
  const wrong = { ...photos, 'Image 3': 'ftp://b/c.jpg' };
  expect((await check(manifestOf([both, wrong]))).found).toEqual([
    '2 media mixed_media',
    '3 Image 3 url_scheme',
  ]);
  const none: string[] = [];
  const onRefused = ({ problems }: RefusedRow) => void none.push(...problems.map(({ problem }) => problem));
  await check(manifestOf([both, { media: '', 'Image 1': '', 'Image 2': '', 'Image 3': '' }]), { onRefused });
  expect(none[1]).toBe('the row has neither media nor Image 1 nor Image 2 nor Image 3 nor ai_prompt');
});

test('a warning names the header of its column, also where that is the name of another column', async () => {
  const sheet = 'creator,media,Text,caption,product_id,product_title\ndemo_anna,a.mp4,Hi,UTC,1,Serum\n';
  const map = new Map([
    ['Text', 'caption'],
    ['caption', 'scheduled_tz'],
  ] as const);
  const { warnings } = await check(sheet, { sheet: { map } });
  expect(warnings.kept.map(({ column, code }) => [column, code])).toEqual([['caption', 'zone_without_time']]);
});

test.each([
  ['a problem', { fault: { code: 'media_missing', problem: 'there is no such file', fix: 'Add it.' } }],
  ['a warning', { bytes: 1, warning: { code: 'media_missing', problem: 'it is cut off', fix: 'Add it.' } }],
])('of several columns of media, %s of a long path names its own', async (_what, finding) => {
  const long = (name: string) => `${'folder/'.repeat(20)}${name}.jpg`;
  const row = { media: '', 'Image 1': long('a'), 'Image 2': `${long('b')}|${long('c')}` };
  const media = async (source: string) => (source.endsWith('c.jpg') ? finding : { bytes: 1 });
  const { problems, warnings } = await check(manifestOf([row]), { media });
  expect([...problems.kept, ...warnings.kept].map(({ column }) => column)).toEqual(['Image 2']);
});

test('of several columns of media, a problem names the one with that file, not one whose path ends like it', async () => {
  const row = { media: '', 'Image 1': 'x/a.jpg', 'Image 2': 'a.jpg' };
  const fault = { code: 'media_missing', problem: 'there is no such file', fix: 'Add it.' };
  const media = async (source: string) => (source === 'a.jpg' ? { fault } : { bytes: 1 });
  expect((await check(manifestOf([row]), { media })).found).toEqual(['2 Image 2 media_missing']);
});
