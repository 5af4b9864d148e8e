import { expect, it } from 'vitest';
import { postCard } from '../../../../src/console/pages/approvals/card.ts';

const post = {
  picture: undefined,
  creator: 'demo_anna',
  product: '',
  when: '',
  isVideo: true,
  media: [],
  details: [],
};

it.each([
  ['as it is', 'One\nTwo', ['<p>One\nTwo</p>'], false],
  [
    'cut on the picture and whole below it if it has many lines',
    'a\nb\nc\nd\ne',
    ['<p>a\nb\nc\nd…</p>', 'a\nb\nc\nd\ne</p>'],
    true,
  ],
  [
    'cut on the picture and whole below it if it is long',
    'x'.repeat(91),
    [`<p>${'x'.repeat(90)}…</p>`, `${'x'.repeat(91)}</p>`],
    true,
  ],
])('shows a caption %s', (_how, caption, texts, isBelow) => {
  const card = postCard({ link: (to) => to }, { ...post, caption }, { head: '', actions: '' })
    .toString()
    .replaceAll(/<.?bdi>/g, '');
  for (const text of texts) expect(card).toContain(text);
  expect(card.includes('class="caption"')).toBe(isBelow);
});
