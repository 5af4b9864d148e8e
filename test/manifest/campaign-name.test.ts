import { expect, it } from 'vitest';
import { asFileName } from '../../src/manifest/campaign-name.ts';

it.each([
  ['Spring 2027', 'Spring 2027'],
  ['Spring / Summer', 'Spring - Summer'],
  ['../../etc/cron', '-.-..-etc-cron'],
  ['.hidden', '-hidden'],
  ['a\\b\u0000\u202ec', 'a-b--c'],
])('the name %j stays in its folder, as %j', (name, expected) => {
  expect(asFileName(name)).toBe(expected);
});
