import { expect, it } from 'vitest';
import { noPicture } from '../../../src/campaigns/rows/pictures.ts';
import { preview, type ShownPicture, thumbnail } from '../../../src/console/parts/picture.ts';

const person = { name: 'ops-1', role: 'operator', isAnybody: false } as const;
const at = { link: (path: string) => `/base${path}`, person };
const picture: ShownPicture = {
  ...noPicture,
  kind: 'ready',
  source: 'a.png',
  path: '/picture',
  version: 'f00',
};

it('shows a picture in a box of its own size, silent beside its text', () => {
  expect(String(thumbnail(at, picture))).toBe(
    '<img class="pic" src="/base/picture?w=96&amp;v=f00" alt="" width="28" height="38" loading="lazy" decoding="async">',
  );
  expect(String(thumbnail(at, picture, 'week'))).toContain(
    'class="pic week" src="/base/picture?w=96&amp;v=f00" alt="" width="40" height="71"',
  );
  expect(String(thumbnail(at, picture, 'month'))).toContain('width="20" height="36"');
});

it.each([
  ['undrawn', true, 'Video: no preview yet', 'i-film'],
  ['undrawn', false, 'Large picture: no preview yet', 'i-file'],
  ['remote', true, 'Remote file: no picture yet', 'i-link'],
  ['generated', true, 'AI video: no picture yet', 'i-ai'],
  ['prompt', false, 'Prompt: no result yet', 'i-ai'],
  ['missing', true, 'File missing', 'i-gone'],
  ['none', false, 'No picture', 'i-file'],
] as const)('says what a row without a picture is: %s, video %s', (kind, isVideo, said, shape) => {
  const text = String(thumbnail(at, { ...picture, kind, isVideo }));
  expect(text).toContain('<span class="pic no">');
  expect(text).toContain(`role="img" aria-label="${said}"><use href="#${shape}"/>`);
});

const post = { creator: 'demo_anna', caption: '<b>Soft</b>', product: 'Lip', when: 'Fri 27 Nov, 18:00' };

it('shows a post as the app would: picture, product, creator, caption and time', () => {
  const text = String(preview(at, { ...post, picture }));
  expect(text).toContain('<img src="/base/picture" alt="Picture of the post" width="248" height="441">');
  expect(text).toContain('<b>demo_anna</b>');
  expect(text).toContain('<p>&lt;b&gt;Soft&lt;/b&gt;</p>');
  expect(text).toContain('<span>Lip</span>');
  expect(text).toContain('<small>Fri 27 Nov, 18:00</small>');
});

it('plays a video only when it is asked to', () => {
  const text = String(preview(at, { ...post, picture: { ...picture, isVideo: true, video: '/video' } }));
  expect(text).toContain('<video src="/base/video" preload="none" poster="/base/picture?w=96&amp;v=f00"');
  expect(text).toContain('<a class="play" href="/base/video" aria-label="Play the video">');
});

it('says in the preview why there is no picture', () => {
  const missing = String(preview(at, { ...post, picture: { ...picture, kind: 'missing' } }));
  expect(missing).toContain('<span>a.png is missing</span>');
  const prompt = String(preview(at, { ...post, picture: { ...picture, kind: 'prompt', isVideo: true } }));
  expect(prompt).toContain('No video yet: it is generated from the prompt');
});

it('names what the script is to draw, and lets only operators offer it', () => {
  const video = { ...picture, kind: 'undrawn', isVideo: true, wantsSmall: true, frameMs: 1200 } as const;
  expect(String(thumbnail(at, video))).toContain(
    'class="pic no" data-draw="/base/picture" data-type="video" data-at="1.2" data-offer>',
  );
  const viewer = { ...at, person: { ...person, role: 'viewer' } } as const;
  expect(String(thumbnail(viewer, video))).not.toContain('data-offer');
  expect(String(thumbnail(at, { ...video, kind: 'remote', isVideo: false }))).toContain('data-type=""');
});
