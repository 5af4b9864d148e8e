import { expect, it } from 'vitest';
import { noPicture } from '../../../src/app/campaigns/rows/pictures.ts';
import { preview, type ShownPicture, thumbnail } from '../../../src/console/parts/picture.ts';

const at = { link: (path: string) => `/base${path}` };
const picture: ShownPicture = {
  ...noPicture,
  kind: 'ready',
  source: 'a.png',
  path: '/picture',
  version: 'f00',
  small: 'root-1/0f',
};

const post = { creator: 'demo_anna', caption: '<b>Soft</b>', product: 'Lip', when: 'Fri 27 Nov, 18:00' };

it('shows a picture in a box of its own size, silent beside its text', () => {
  const text = String(thumbnail(at, picture));
  expect(text).toMatch(/^<span class="pic"><svg class="icon"[^>]* aria-hidden="true">/);
  expect(text).toContain(
    '<img src="/base/media/small/root-1/0f?w=96" alt="" width="28" height="38" decoding="async">',
  );
  expect(String(thumbnail(at, picture, 'week'))).toMatch(/class="pic week".* width="52" height="92"/s);
  expect(String(thumbnail(at, picture, 'month'))).toContain('width="20" height="36"');
  expect(String(thumbnail(at, picture, 'frame'))).toContain('/small/root-1/0f?w=240"');
});

it('has a file of another server fetched for its row, once it is in sight', () => {
  const away: ShownPicture = { ...picture, kind: 'generated', small: undefined, version: '' };
  expect(String(thumbnail(at, away))).toContain(
    '<img src="/base/picture?w=96" alt="" width="28" height="38" loading="lazy" decoding="async">',
  );
});

it('shows a video by the picture beside it', () => {
  const video = { ...picture, isVideo: true, video: '/picture', frameMs: 1200 };
  expect(String(thumbnail(at, video))).toContain('<img src="/base/media/small/root-1/0f?w=96"');
  expect(String(preview(at, { ...post, picture: video }))).toContain(
    '<video data-src="/base/picture?v=f00#t=1.2" preload="metadata" muted playsinline poster="/base/media/small/root-1/0f?w=240"',
  );
});

it.each([
  ['remote', true, 'Remote file: no picture yet', 'i-link'],
  ['generated', true, 'AI video', 'i-ai'],
  ['prompt', false, 'Prompt: no result yet', 'i-ai'],
  ['missing', true, 'File missing', 'i-gone'],
  ['unshown', false, 'Format not shown', 'i-file'],
  ['none', false, 'No picture', 'i-file'],
] as const)('says what a row without a picture is: %s, video %s', (kind, isVideo, said, shape) => {
  const text = String(thumbnail(at, { ...picture, path: undefined, kind, isVideo }));
  expect(text).toContain(`<span class="pic${kind === 'missing' ? ' gone' : ''}">`);
  expect(text).not.toContain('<img');
  expect(text).toContain(`role="img" aria-label="${said}"><use href="#${shape}"/>`);
});

it('shows a post as the app would: picture, product, creator, caption and time', () => {
  const text = String(preview(at, { ...post, picture }));
  expect(text).toContain(
    '<img src="/base/picture?v=f00" alt="Picture of the post" width="248" height="441">',
  );
  expect(text).toContain('<b>demo_anna</b>');
  expect(text).toContain('<p>&lt;b&gt;Soft&lt;/b&gt;</p>');
  expect(text).toContain('<span>Lip</span>');
  expect(text).toContain('<small>Fri 27 Nov, 18:00</small>');
});

it('shows the frame of a video, and plays it when it is asked to', () => {
  const cover = { ...picture, video: '/video' };
  expect(String(preview(at, { ...post, picture: cover }))).toContain(
    '<video data-src="/base/video#t=0.1" preload="metadata" muted playsinline poster="/base/media/small/root-1/0f?w=240"',
  );
  const video = { ...picture, isVideo: true, video: '/picture', frameMs: 1200, small: undefined };
  const text = String(preview(at, { ...post, picture: video }));
  expect(text).toContain(
    '<video data-src="/base/picture?v=f00#t=1.2" preload="metadata" muted playsinline width',
  );
  expect(text).toContain('<a class="play" href="/base/picture" aria-label="Play the video">');
});

it('says in the preview why there is no picture', () => {
  const missing = String(preview(at, { ...post, picture: { ...picture, kind: 'missing' } }));
  expect(missing).toContain('<span>a.png is missing</span>');
  const prompt = String(preview(at, { ...post, picture: { ...picture, kind: 'prompt', isVideo: true } }));
  expect(prompt).toContain('No video yet: it is generated from the prompt');
});

it('shows a video in a list by its frame, loaded by the script', () => {
  const video = { ...picture, isVideo: true, frameMs: 1200, small: undefined };
  const text = String(thumbnail(at, video));
  expect(text).toContain(
    '<video data-src="/base/picture?v=f00#t=1.2" preload="metadata" muted playsinline></video>',
  );
  expect(text).not.toMatch(/ src=/);
});
