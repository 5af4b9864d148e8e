import { expect, test } from 'vitest';
import { suggestMap } from '../../../src/cli/print/problems.ts';

test('unknown headers get the nearest column that is free, else they are notes', () => {
  const header = ['creator', 'Captoin', 'Captions', 'Rate limit', 'product_idd', 'product_id'];
  expect(suggestMap(['Captoin', 'Captions', 'Rate limit', 'product_idd'], header)).toBe(
    "--map Captoin=caption --map Captions=_ --map 'Rate limit=_' --map product_idd=_",
  );
});

test('what a shell would split or replace is in quotes', () => {
  expect(suggestMap(['Cost $', 'a "b"', "it's $"], [])).toBe(
    `--map 'Cost $=_' --map 'a "b"=_' --map 'it'\\''s $=_'`,
  );
});
