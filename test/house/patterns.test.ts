import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findSlowPatterns } from '../../scripts/patterns.ts';
import { temporaryFolder } from '../support/folder.ts';

/** A project with one source. */
function project(text: string): string {
  const root = temporaryFolder();
  for (const folder of ['src', 'config', 'scripts', 'bench', 'test/fuzz', 'test/faults', 'examples'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'src/x.ts'), text);
  return root;
}

test.each([
  ['a literal', 'const trimmed = text.replace(/ +$/, "");', '/ +$/'],
  ['a constant given to RegExp', "const one: RegExp = new RegExp('^(a|a)*$', 'i');", '/^(a|a)*$/i'],
  ['a template of constants', `const end = String.raw\`\\s+$\`; RegExp(\`b*\${end}\`);`, '/b*\\s+$/'],
])('a slow pattern is reported with its line, and with a text that shows it: %s', (_what, text, pattern) => {
  const [found, ...others] = findSlowPatterns(project(`interface Text {}\n${text}\n`));
  expect(found).toContain(`src/x.ts:2: ${pattern}: `);
  expect(found).toMatch(/(?:polynomial|exponential), by '.*'\.repeat\(\d+\)/);
  expect(others).toEqual([]);
});

test('a verdict does not depend on the speed of the machine', () => {
  // Half a second passes between two looks at the clock.
  let now = 0;
  const clocks = [vi.spyOn(performance, 'now'), vi.spyOn(Date, 'now')];
  for (const clock of clocks) clock.mockImplementation(() => (now += 500));
  onTestFinished(() => clocks.forEach((clock) => void clock.mockRestore()));
  expect(findSlowPatterns(project(`/[,;](?=(?:'')*"{0,3}[=+@])|\\t(?=(?:'')*"{0,3}[=+@])/g;`))).toEqual([]);
});

test('a pattern that cannot be judged is reported', () => {
  expect(findSlowPatterns(project('/[\\p{L}--[a-z]]+/v;'))).toEqual([
    'src/x.ts:1: /[\\p{L}--[a-z]]+/v: cannot be judged (unknown flag)',
  ]);
});

test('patterns that take linear time are allowed, and so are those of strings and comments', () => {
  const text = "/^[a-z]+:\\d{1,5}$/; 'a'.split(/[,;]/); // / +$/\nconst regex = '/ +$/';";
  expect(findSlowPatterns(project(text))).toEqual([]);
});

test('a judgement is kept for the next time', () => {
  const root = project('/^a+$/;');
  const cache = join(root, 'cache/patterns.json');
  expect(findSlowPatterns(root, cache)).toEqual([]);
  writeFileSync(cache, readFileSync(cache, 'utf8').replace('"/^a+$/": ""', '"/^a+$/": "kept"'));
  expect(findSlowPatterns(root, cache)).toEqual(['src/x.ts:1: /^a+$/: kept']);
});
