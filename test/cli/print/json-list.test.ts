import { expect, test, vi } from 'vitest';
import { writeJson, writeJsonList } from '../../../src/cli/print/terminal.ts';

function printed(work: () => void | Promise<void>): Promise<string> {
  const texts: string[] = [];
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    texts.push(String(text));
    return true;
  });
  return Promise.resolve(work())
    .finally(() => write.mockRestore())
    .then(() => texts.join(''));
}

test.each([
  ['nothing', [[]]],
  ['one', [[{ a: [1n, null], b: 'two\nlines \u202e' }]]],
  ['several parts', [[{ a: 2n ** 60n }, []], [], ['x']]],
])('a long list is written as the whole document would be: %s', async (_name, parts) => {
  async function* read() {
    yield* parts;
  }
  const whole = await printed(() => writeJson({ videos: parts.flat() }));
  expect(await printed(() => writeJsonList('videos', read()))).toBe(whole);
});
