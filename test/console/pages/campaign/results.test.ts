/** The results sheet as pages hand it out. */
import { describe, expect, it } from 'vitest';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

const byteOrderMark = [0xef, 0xbb, 0xbf];

describe('the results sheet of a page', () => {
  it('has only the rows that are chosen', async () => {
    const { pages, path } = await opened();
    const sheet = (await pages.get(`${path}?row=c&row=a&row=none`)).html;
    const lines = sheet.trim().split('\n').slice(1);
    expect(lines.map((line) => line.split(',')[0])).toEqual(['a', 'c']);
  });

  it.each([
    ['', 'test.results.csv'],
    ['?only=failed', 'test.failed.results.csv'],
    ['?row=a', 'test.chosen.results.csv'],
  ])('asked for with %j is named %s', async (query, name) => {
    const { pages, path } = await opened();
    const answer = await fetch(`${pages.url}${path}${query}`);
    expect(answer.headers.get('content-disposition')).toContain(name);
  });

  it('begins with the mark by which spreadsheet programs know UTF-8', async () => {
    const { pages, path } = await opened();
    const answer = await fetch(`${pages.url}${path}`);
    expect([...new Uint8Array(await answer.arrayBuffer())].slice(0, 3)).toEqual(byteOrderMark);
  });
});

async function opened() {
  const runner = await openRunner();
  const id = await runner.importRows(['a', 'b', 'c'].map((key) => videoRow(key)));
  return { pages: await openPages(runner), path: `/campaigns/${id}/results.csv` };
}
