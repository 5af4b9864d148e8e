/** Sheets that are large, wide, deep or full of odd characters, through the page of a new campaign. One console takes them all. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { PageAnswer } from '../support/console/console-pages.ts';
import { openDrop } from '../support/console/uploads.ts';
import { waitUntil } from '../support/events.ts';
import type { TestProcess } from '../support/processes/child.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { partsOf, writeParts } from '../support/sheets/workbook.ts';
import { writeAttack } from './support/workbooks.ts';

/** More than in `sheet-memory.test.ts`: one console takes all sheets one after another, and keeps some of their drafts open. */
const mostMegabytes = 640;
/** Less than V8 would take by itself, so that it does not put off collecting garbage. */
const heapMegabytes = 224;
/** Longest page, in bytes. */
const longestPage = 1_000_000;

const header = ['creator', 'media', 'caption', 'product_id', 'product_title'];
const cells = ['demo_anna', 'a.mp4', 'Hi', '1', 'Serum'];
const csv = (...lines: readonly (readonly string[])[]) => lines.map((line) => `${line.join()}\n`).join('');
const xmlRow = (texts: readonly string[]) =>
  `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => `${name}${index}`);

interface Attack {
  readonly name: string;
  readonly bytes: () => Buffer | Promise<Buffer>;
  /** What the page says about it: where, and what to do. */
  readonly says: RegExp;
}

const attacks: readonly Attack[] = [
  {
    name: 'unpacks.xlsx',
    async bytes() {
      const parts = partsOf({ rows: xmlRow(header) + xmlRow(cells) });
      const [head = '', tail = ''] = String(parts['xl/worksheets/sheet1.xml']).split('</sheetData>');
      const sheet = [Buffer.from(head), Buffer.alloc(100_000_000, ' '), Buffer.from(`</sheetData>${tail}`)];
      return readFileSync(await writeParts({ ...parts, 'xl/worksheets/sheet1.xml': Buffer.concat(sheet) }));
    },
    says: /Line 1: xl\/worksheets\/sheet1\.xml in the workbook unpacks to more than 200 times.* Save the sheet/,
  },
  {
    name: 'merges.xlsx',
    async bytes() {
      const merges = Array.from({ length: 101_000 }, (_, index) => `A${index}:F${index}`);
      return readFileSync(await writeParts(partsOf({ rows: xmlRow(header) + xmlRow(cells), merges })));
    },
    says: /Line 1: .* more than 100000 merged cells\. Save the sheet/,
  },
  {
    name: 'one-line.csv',
    bytes: () => Buffer.concat([Buffer.from(csv(header)), Buffer.alloc(10_000_000, 'x')]),
    says: /Line 2: this row is longer than 1 MB; .* Put a cell in quotes/,
  },
  {
    name: 'a-million-columns.csv',
    bytes: () => Buffer.from(`${'a,'.repeat(1_000_000)}\n${csv(cells)}`),
    says: /Line 1: this row is longer than 1 MB/,
  },
  {
    name: 'a-thousand-columns.csv',
    bytes: () =>
      Buffer.from(
        csv(
          [...header, ...numbered(990, 'x')],
          ...Array<string[]>(60).fill([...cells, ...numbered(990, 'y')]),
        ),
      ),
    says: /990 columns are not clear: x0, x1, .* and 982 more\. Say below what each column is/,
  },
  {
    name: 'sixteen-thousand-columns.xlsx',
    bytes: async () => readFileSync(await writeAttack('sixteen thousand columns')),
    says: /Line 1: the sheet has more than 1000 columns\. Remove the columns/,
  },
  {
    name: 'nested.json',
    bytes: () => Buffer.from(`[{"creator":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`),
    says: /Missing: caption, product_id, product_title, media\. Say below/,
  },
  {
    name: 'creators.csv',
    bytes: () =>
      Buffer.from(csv(header, ...numbered(2100, 'nobody_').map((name) => [name, ...cells.slice(1)]))),
    says: /2,100 rows to fix, 2 kinds of problem/,
  },
  {
    name: 'nul.csv',
    bytes: () => Buffer.from(csv(header, ...Array<string[]>(1000).fill(cells.map((text) => `\0${text}\0`)))),
    says: /1,000 .*control/i,
  },
  {
    name: 'turned.xlsx',
    async bytes() {
      const rows =
        xmlRow([...header, ...numbered(30, 'x')]) +
        `<row>${'<c t="s"><v>0</v></c>'.repeat(9)}</row>`.repeat(100);
      const strings = `<si><t>${'\u202e'.repeat(32_767)}</t></si>`;
      return readFileSync(await writeParts(partsOf({ strings, rows })));
    },
    says: /56 .*\\u202e\\u202e/,
  },
];

const stage = playOnce(async (owner) => {
  const scene = await openScene(owner);
  const served = scene.start(['serve', '--no-work', '--port', '0', '--json'], {
    NODE_OPTIONS: `--max-old-space-size=${heapMegabytes}`,
  });
  const [, url = ''] = await served.line(/"url": "(.*)"/);
  const get = async (path: string): Promise<PageAnswer> => {
    const answer = await fetch(`${url}${path}`);
    const html = await answer.text();
    const text = html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
    return { status: answer.status, html, text };
  };
  return { served, url, get };
});

/** Largest size of a process so far. Linux tells it. */
function peakMegabytes({ pid }: TestProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s*(\d+)/m.exec(status)?.[1]) / 1024;
}

it.each(attacks)('$name is dropped, and the console says what is wrong', async ({ name, bytes, says }) => {
  const { served, get, url } = stage();
  const file = await bytes();
  const drop = await openDrop({ url, get });
  expect((await drop.send(name, file)).status).toBe(204);
  const path = `/campaigns/new/${drop.draft}`;
  const page = await waitUntil(async () => {
    const found = await get(path);
    // On a busy machine the console may not answer in time while it checks.
    return found.status === 200 && !found.text.includes('is being checked') && found;
  }, 'the check to end');
  expect(page.text).toMatch(says);
  const others = [];
  for (const more of ['?rows=all', '?rows=all&page=1', '?rows=warnings', '/files'])
    others.push(await get(`${path}${more}`));
  expect(others.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect([200, 422]).toContain((await get(`${path}/rows/1`)).status);
  expect([page, ...others].filter(({ html }) => html.length > longestPage)).toEqual([]);
  expect((await fetch(`${url}/api/v1/drafts/${drop.draft}/rows?limit=500`)).status).toBe(200);
  if (process.platform === 'linux') expect(peakMegabytes(served)).toBeLessThan(mostMegabytes);
});
