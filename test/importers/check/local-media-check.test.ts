import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkSettings } from '../../../config/load.ts';
import type { Settings } from '../../../config/schema.ts';
import { createMediaCheck } from '../../../src/importers/check/local-media-check.ts';
import { MediaProber } from '../../../src/service/media/probe.ts';
import { patienceMs } from '../../support/events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { png as drawPng, mp4 } from '../../support/sheets/media.ts';
import { bytesOf } from '../../support/sheets/media-bytes.ts';
import { type MovieFacts, movie } from '../../support/sheets/movie.ts';

const png = drawPng('a');

function scene(allowPrivateAddresses: readonly string[] = []) {
  const mediaRoot = temporaryFolder();
  const outside = temporaryFolder();
  writeFileSync(join(outside, 'secret.png'), png);
  writeFileSync(join(mediaRoot, 'a.png'), png);
  writeFileSync(join(mediaRoot, 'lie.mp4'), png);
  writeFileSync(join(mediaRoot, 'empty.png'), '');
  mkdirSync(join(mediaRoot, 'folder.png'));
  symlinkSync(join(outside, 'secret.png'), join(mediaRoot, 'link.png'));
  return { mediaRoot, check: createMediaCheck({ mediaRoot, maxBytes: 10_000, allowPrivateAddresses }) };
}

/** A busy machine takes long to start its thread. */
const prober = new MediaProber({ longestMs: patienceMs });

function lookingScene(changed: Partial<Settings['media']['warnings']> = {}) {
  const { mediaRoot } = scene();
  const { media } = checkSettings({});
  const warnings = { ...media.warnings, ...changed };
  return { mediaRoot, check: createMediaCheck({ ...media, mediaRoot, prober, warnings }) };
}

test('a file of the expected kind is accepted, with its size', async () => {
  const { check, mediaRoot } = scene();
  expect(await check('a.png', 'PHOTO')).toEqual({ bytes: png.length, content: expect.any(String) });
  expect(await check(join(mediaRoot, 'a.png'), 'PHOTO')).toEqual({
    bytes: png.length,
    content: expect.any(String),
  });
});

test('a file that looks cut off is accepted, with a warning', async () => {
  const { check, mediaRoot } = scene();
  writeFileSync(join(mediaRoot, 'cut.png'), png.subarray(0, 100));
  expect(await check('cut.png', 'PHOTO')).toMatchObject({ bytes: 100, warning: { code: 'media_cut_off' } });
});

test.each([
  ['gone.png', 'PHOTO', 'media_missing'],
  ['a.png', 'VIDEO', 'media_kind_mismatch'],
  ['lie.mp4', 'VIDEO', 'media_type_mismatch'],
  ['empty.png', 'PHOTO', 'media_empty'],
  ['folder.png', 'PHOTO', 'media_not_regular'],
  ['link.png', 'PHOTO', 'media_outside_root'],
  ['/etc/hostname', 'PHOTO', 'media_outside_root'],
  ['http://127.0.0.1/a.png', 'PHOTO', 'media_address_refused'],
  ['http://127.1/a.png', 'PHOTO', 'media_address_refused'],
  ['http://0x7f000001/a.png', 'PHOTO', 'media_address_refused'],
  ['http://[::ffff:127.0.0.1]/a.png', 'PHOTO', 'media_address_refused'],
] as const)('%s as %s: %s', async (source, kind, code) => {
  const { check } = scene();
  const finding = await check(source, kind);
  expect(finding).toMatchObject({ fault: { code, problem: expect.stringMatching(/[^.]$/) } });
});

test('the size of a URL is unknown', async () => {
  expect(await scene().check('https://cdn.example/a.png', 'PHOTO')).toEqual({ bytes: null });
  expect(await scene(['127.0.0.0/8']).check('http://127.0.0.1/a.png', 'PHOTO')).toEqual({ bytes: null });
});

test.each([
  ['videos/SERUM.png', 'videos/serum.png'],
  ['serum.png', 'videos/serum.png'],
  ['video/serum.png', 'videos/serum.png'],
  ['videos/seurm.png', 'videos/serum.png'],
  ['./videos/serumm.png', 'videos/serum.png'],
  ['take-7.png', 'take-07.png'],
  ['cafe\u0301s.png', 'caf\u00e9.png'],
])('a missing path names the file that may be meant: %s', async (written, meant) => {
  const { check, mediaRoot } = scene();
  mkdirSync(join(mediaRoot, 'videos'));
  for (const name of ['videos/serum.png', 'caf\u00e9.png', 'take-07.png', 'take-08.png'])
    writeFileSync(join(mediaRoot, name), png);
  expect(await check(written, 'PHOTO')).toMatchObject({
    fault: { code: 'media_missing', problem: expect.stringMatching(`; did you mean ${meant}\\?$`) },
  });
});

test.each([
  ['serum.png', 'serum_v2.png'],
  ['serum_v2_final.png', 'serum_v2.png'],
  ['toner-final.png', 'toner (1).png'],
  ['toner_v3.png', 'toner (1).png'],
])('a missing path names the other version of the file: %s', async (written, meant) => {
  const { check, mediaRoot } = scene();
  for (const name of ['serum_v2.png', 'toner (1).png']) writeFileSync(join(mediaRoot, name), png);
  expect(await check(written, 'PHOTO')).toMatchObject({ fault: { code: 'media_missing', meant } });
});

test.each([
  ['serum.mov', 'serum.mp4'],
  ['seurm.mp4', 'serum.mp4'],
  ['toner.mp4', 'toner_v1.mp4'],
])('a missing video is found beside the picture that has its name: %s', async (written, meant) => {
  const { check, mediaRoot } = scene();
  for (const name of ['serum', 'toner_v1'])
    for (const [ending, bytes] of Object.entries({ jpg: png, mp4: mp4(name) }))
      writeFileSync(join(mediaRoot, `${name}.${ending}`), bytes);
  expect(await check(written, 'VIDEO')).toMatchObject({ fault: { code: 'media_missing', meant } });
});

test.each([
  ['reel_grwm.png', 'reel_grwm_9x16.png'],
  ['reel_unbox.png', undefined],
  ['lamp_unbox.png', undefined],
  ['oil texture.png', 'oil-texture.png'],
  ['foto (3).png', undefined],
])(
  'a missing path never becomes a file with other words, but for a format or separators: %s',
  async (written, meant) => {
    const { check, mediaRoot } = scene();
    for (const name of [
      'reel_grwm_9x16.png',
      'reel_hookb.png',
      'candle_unbox.png',
      'oil-texture.png',
      'foto (1).png',
    ])
      writeFileSync(join(mediaRoot, name), png);
    const { fault } = (await check(written, 'PHOTO')) as { fault: { meant?: string } };
    expect(fault.meant).toBe(meant);
  },
);

test('a range of numbered pictures means all of them, if all are there', async () => {
  const { check, mediaRoot } = scene();
  for (const name of ['sofa_1.PNG', 'sofa_2.png', 'rug_08.png', 'rug_09.png', 'rug_10.png', 'mug_1.png'])
    writeFileSync(join(mediaRoot, name), png);
  const meantBy = async (path: string) =>
    ((await check(path, 'PHOTO')) as { fault: { meant?: string } }).fault.meant;
  expect(await meantBy('sofa_1-2.png')).toBe('sofa_1.PNG|sofa_2.png');
  expect(await meantBy('rug_08-10.png')).toBe('rug_08.png|rug_09.png|rug_10.png');
  expect(await meantBy('rug_08 à 10.png')).toBe('rug_08.png|rug_09.png|rug_10.png');
  expect(await meantBy('mug_1-2.png')).toBeUndefined();
});

test('a name without its accents means the file, but the one with the same letters first', async () => {
  const { check, mediaRoot } = scene();
  for (const name of ['camille_se\u0301rum_02.PNG', 'Camille_Serum_04.png', 'fête.png', 'fete.PNG'])
    writeFileSync(join(mediaRoot, name), png);
  expect(await check('Camille_Serum_02.png', 'PHOTO')).toMatchObject({
    fault: { meant: 'camille_se\u0301rum_02.PNG' },
  });
  expect(await check('Fête.png', 'PHOTO')).toMatchObject({ fault: { meant: 'fête.png' } });
});

test('a name with a typo may mean a file whose own name ends like a range', async () => {
  const { check, mediaRoot } = scene();
  writeFileSync(join(mediaRoot, 'spring_10-12.png'), png);
  expect(await check('sprnig_10-12.png', 'PHOTO')).toMatchObject({ fault: { meant: 'spring_10-12.png' } });
});

test('a range of pictures with letters is never one of them', async () => {
  const { check, mediaRoot } = scene();
  for (const name of ['EF_04a.png', 'EF_04b.png', 'EF_04c.png', 'EF_05a.png', 'ef_06a-b.png', 'EF_06a.png'])
    writeFileSync(join(mediaRoot, name), png);
  const meantBy = async (path: string) =>
    ((await check(path, 'PHOTO')) as { fault: { meant?: string } }).fault.meant;
  expect(await meantBy('EF_04a-c.png')).toBe('EF_04a.png|EF_04b.png|EF_04c.png');
  expect(await meantBy('EF_05a-c.png')).toBeUndefined();
  expect(await meantBy('EF_06a-b.jpg')).toBe('ef_06a-b.png');
});

test.each(['serum_v3.png', 'mask.png', 'mist.png'])('of %s, no version is guessed', async (written) => {
  const { check, mediaRoot } = scene();
  for (const name of ['serum_v2.png', 'mask_v1.png', 'mask_v2.png', 'mist_v1.png', 'mist_v2_for_lena.png'])
    writeFileSync(join(mediaRoot, name), png);
  expect(await check(written, 'PHOTO')).not.toHaveProperty('fault.meant');
});

test('no file is guessed that has another name or number, is of another kind, or is outside the root', async () => {
  const { check, mediaRoot } = scene();
  mkdirSync(join(mediaRoot, 'videos'));
  for (const name of ['clip-11.png', 'film.png', 'videos/serum.png'])
    writeFileSync(join(mediaRoot, name), png);
  for (const [written, kind] of [
    ['clip-12.png', 'PHOTO'],
    ['videos/zero.png', 'PHOTO'],
    ['film.mp4', 'VIDEO'],
    ['lnik.png', 'PHOTO'],
  ] as const) {
    expect(await check(written, kind)).toMatchObject({
      fault: { code: 'media_missing', problem: expect.not.stringContaining('did you mean') },
    });
  }
});

test.each<[string, MovieFacts, readonly string[]]>([
  ['upright, 19 s, H.264', {}, []],
  ['square', { width: 720, height: 720 }, []],
  ['landscape', { width: 1280, height: 720 }, ['media_landscape']],
  ['HEVC', { codec: 'hvc1' }, ['media_format']],
  ['of no length', { ms: 0 }, ['media_no_length']],
  ['too short and small', { ms: 2900, width: 240, height: 426 }, ['media_small', 'media_short']],
  ['too long', { ms: 600_001 }, ['media_long']],
])('a video that is %s: %j', async (_what, facts, codes) => {
  const { check, mediaRoot } = lookingScene();
  writeFileSync(join(mediaRoot, 'video.mp4'), movie(facts));
  const finding = await check('video.mp4', 'VIDEO');
  expect('doubts' in finding && finding.doubts?.map(({ code }) => code)).toEqual(codes);
});

test('a length just beyond its limit is not told as that limit', async () => {
  const { check, mediaRoot } = lookingScene();
  writeFileSync(join(mediaRoot, 'video.mp4'), movie({ ms: 2900 }));
  const doubt = { code: 'media_short', problem: 'the video lasts less than 3 s' };
  expect(await check('video.mp4', 'VIDEO')).toMatchObject({ doubts: [doubt] });
});

test('a HEIC picture is doubted by its type, and a small picture if the settings say so', async () => {
  const { check, mediaRoot } = lookingScene({ pictureSide: 100 });
  writeFileSync(join(mediaRoot, 'phone.heic'), bytesOf('image/heic', 100));
  expect(await check('phone.heic', 'PHOTO')).toMatchObject({ doubts: [{ code: 'media_format' }] });
  const small = { code: 'media_small', problem: 'the picture is small, 16 × 16' };
  expect(await check('a.png', 'PHOTO')).toMatchObject({ doubts: [small] });
});

test('settings turn doubts off', async () => {
  const { check, mediaRoot } = lookingScene({ formats: [], landscape: false, shortest: 0, videoSide: 0 });
  writeFileSync(join(mediaRoot, 'a.mov'), movie({ codec: 'hvc1', width: 128, height: 72, ms: 1 }));
  expect(await check('a.mov', 'VIDEO')).toMatchObject({ doubts: [] });
});
