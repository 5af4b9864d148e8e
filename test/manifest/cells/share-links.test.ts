import { expect, test } from 'vitest';
import { createRowReader } from '../../../src/manifest/reader.ts';
import { problemsOf, rowOf } from '../rows.ts';

const drive = 'https://drive.google.com';

/** The problems of a row with these cells, whole. */
function readProblems(changes: Readonly<Record<string, string>>) {
  const cells = {
    creator: 'demo_anna',
    caption: 'A caption',
    product_id: '1729',
    product_title: 'A title',
    media: 'a.mp4',
    ...changes,
  };
  const read = createRowReader(Object.keys(cells), { timezone: null }).read({
    cells: Object.values(cells),
    number: 1,
  });
  return 'problems' in read ? read.problems : [];
}

test.each([
  [`${drive}/file/d/1Qw-eR_ty/view?usp=drive_link`, `${drive}/uc?export=download&id=1Qw-eR_ty`],
  [`${drive}/file/u/1/d/1Qw-eR_ty/edit`, `${drive}/uc?export=download&id=1Qw-eR_ty`],
  [`${drive}/open?id=1Qw-eR_ty&usp=drive_copy`, `${drive}/uc?export=download&id=1Qw-eR_ty`],
  [
    `${drive}/file/d/1Qw-eR_ty/view?resourcekey=0-Ab_c`,
    `${drive}/uc?export=download&id=1Qw-eR_ty&resourcekey=0-Ab_c`,
  ],
  [`${drive}/uc?id=1Qw-eR_ty&export=view`, `${drive}/uc?export=download&id=1Qw-eR_ty`],
  ['drive.google.com/file/d/1Qw-eR_ty/view', `${drive}/uc?export=download&id=1Qw-eR_ty`],
  ['https://drive.google.com./file/d/1Qw-eR_ty/view', `${drive}/uc?export=download&id=1Qw-eR_ty`],
  [`${drive}/drive/folders/1Qw-eR_ty`, undefined],
  ['https://docs.google.com/presentation/d/1Qw/edit', undefined],
  ['https://www.dropbox.com/s/k3/clip.mp4', 'https://www.dropbox.com/s/k3/clip.mp4?dl=1'],
  [
    'https://www.dropbox.com/scl/fi/k3/clip.mp4?rlkey=a1&st=b2&dl=0#x',
    'https://www.dropbox.com/scl/fi/k3/clip.mp4?rlkey=a1&st=b2&dl=1',
  ],
  ['https://www.dropbox.com/scl/fo/k3/h?rlkey=a1&dl=1', undefined],
  ['https://acme.sharepoint.com/:v:/g/EaBc?e=x1', 'https://acme.sharepoint.com/:v:/g/EaBc?e=x1&download=1'],
  ['https://acme.sharepoint.com/:f:/g/EaBc?e=x1', undefined],
  ['https://onedrive.live.com/?id=AB%21104&cid=AB', undefined],
  ['https://we.tl/t-AbCdEf', undefined],
  ['https://acme.wetransfer.com/downloads/abc', undefined],
  ['https://www.icloud.com/iclouddrive/0ab#clip', undefined],
  ['https://m.youtube.com/watch?v=abc', undefined],
  ['https://www.tiktok.com/@a/video/7301', undefined],
  ['https://acme.app.box.com/s/abc', undefined],
])('%s leads to a page; the direct form is %s', (media, direct) => {
  const [problem, ...more] = readProblems({ media });
  expect(more).toEqual([]);
  expect(problem).toMatchObject({ column: 'media', code: 'share_link' });
  expect(problem?.meant).toBe(direct);
  expect(JSON.stringify(problem?.fix)).toContain('ownload the file and add it');
});

test.each([
  `${drive}/uc?export=download&id=1Qw-eR_ty`,
  'https://docs.google.com/uc?export=download&id=1Qw-eR_ty',
  'https://drive.usercontent.google.com/download?id=1Qw-eR_ty&export=download',
  'https://www.dropbox.com/s/k3/clip.mp4?dl=1',
  'https://www.dropbox.com/s/k3/clip.mp4?raw=1',
  'https://dl.dropboxusercontent.com/s/k3/clip.mp4',
  'https://acme.sharepoint.com/sites/a/Shared/clip.mp4',
  'https://notdropbox.com/s/k3/clip.mp4',
  'https://cdn.example/drive.google.com/file/d/1',
  'https://dropbox.com.example/s/k3',
  'box.com/clip.mp4',
])('%s may lead to a file', (media) => {
  expect(rowOf({ media, media_type: 'VIDEO' }).media).toEqual([media]);
});

test.each([
  [
    { media: `a.png|https://we.tl/t-1|${drive}/file/d/1Qw-eR/view` },
    ['media share_link', 'media share_link'],
  ],
  [{ cover: 'https://we.tl/t-1' }, ['cover share_link']],
  [
    {
      media: '',
      ai_prompt: 'A mug',
      ai_model: 'gpt-image-2',
      ai_aspect_ratio: '9:16',
      ai_references: `https://cdn.example/a.png|${drive}/file/d/1Qw-eR/view`,
    },
    ['ai_references share_link'],
  ],
])('%j: in every column of files', (changes, problems) => {
  expect(problemsOf(changes)).toEqual(problems);
});

test('a cell of a hundred thousand characters is not repeated in its fix', () => {
  const [problem] = readProblems({ media: `https://www.dropbox.com/s/k3/clip.mp4?${'a'.repeat(100_000)}` });
  expect(problem?.code).toBe('share_link');
  expect(JSON.stringify(problem).length).toBeLessThan(1000);
});

test('a product link may lead to a page', () => {
  expect(
    problemsOf({ product_link: 'https://www.tiktok.com/view/product/1729', product_source: 'SHOWCASE' }),
  ).toEqual([]);
});
