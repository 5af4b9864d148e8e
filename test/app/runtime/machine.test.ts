import { expect, test } from 'vitest';
import { regionalDelimiter } from '../../../src/app/runtime/machine.ts';

test.each([
  [{ LANG: 'de_DE.UTF-8' }, ';'],
  [{ LANG: 'en_US.UTF-8' }, ','],
  [{ LANG: 'en_US.UTF-8', LC_NUMERIC: 'fr_FR@euro' }, ';'],
  [{ LANG: 'de_DE', LC_ALL: 'C' }, ','],
  [{ LANG: 'C.UTF-8' }, ','],
  [{ LANG: 'zh_CN.GB18030' }, ','],
  [{ LANG: 'not a locale!' }, ','],
] as const)('%j writes CSV with %s', (env, delimiter) => {
  expect(regionalDelimiter(env)).toBe(delimiter);
});
