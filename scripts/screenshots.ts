/**
 * Makes the pictures of `docs/images`: runs the demo in a folder of its own, opens its console in a browser, and takes each page.
 *
 *     npm run screenshots
 */
import { spawn } from 'node:child_process';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page, type PageScreenshotOptions } from 'playwright-core';
import { browserArgs, findBrowser } from './browser.ts';

const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
/** Larger pictures make a clone slow. */
const mostBytes = 150_000;
/** Around a part of a page, in pixels. */
const margin = 24;

interface Picture {
  readonly name: string;
  readonly path: string;
  /** The element that is taken; default: the head of the page. */
  readonly part?: string;
  readonly height?: number;
  /** What a person does first. */
  readonly act?: (page: Page) => Promise<void>;
}

/** The mistakes that planners make most. */
const sheet = `creator,media,caption,product_id,product_title,scheduled_at
demo_anna,https://example.com/serum.mp4,"Two drops, thirty seconds, done.",1729560101,Daily Glow Serum 30 ml,2031-03-12T18:00Z
demo_ben,https://example.com/mug.mp4,The mug that made me slow down.,1729560102,Stoneware Mug 350 ml,2031-03-13T09:00Z
demo_ben,https://example.com/shelf.mp4,Where it lives.,1.7296E+09,Stoneware Mug 350 ml,2031-03-14T09:00Z
demo_carla,https://example.com/lamp.mp4,"Light, but make it soft.",1729560103,Paper Lamp,12/03/2031 20:00
demo_ana,https://example.com/candle.mp4,Smells like Sunday.,1729560104,Soy Candle,2031-03-15T20:00Z
demo_dana,https://example.com/plant.mp4,It survived me.,1729560105,Potted Monstera Limited Edition Green,2031-03-16T20:00Z
`;

const pictures: readonly Picture[] = [
  { name: 'campaigns', path: '/campaigns', height: 620 },
  { name: 'campaign', path: '/campaigns/c1' },
  { name: 'causes', path: '/campaigns/c1', part: '#campaign-causes' },
  {
    name: 'retry',
    path: '/campaigns/c1',
    height: 620,
    act: async (page) => {
      await page
        .getByRole('link', { name: /^Retry \d+ rows?…$/ })
        .first()
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Retry/ })
        .waitFor();
    },
  },
  { name: 'row', path: '/campaigns/c1/rows/generation' },
  { name: 'review', path: '/review', height: 780 },
  { name: 'calendar', path: '/calendar?from=2030-03-04', height: 760 },
  { name: 'videos', path: '/videos' },
  { name: 'queues', path: '/queues' },
  // The last, because its draft would be on the page of all campaigns.
  {
    name: 'new',
    path: '/campaigns/new',
    height: 820,
    act: async (page) => {
      const file = { name: 'spring.csv', mimeType: 'text/csv', buffer: Buffer.from(sheet) };
      await page.locator('input[name=sheet]').setInputFiles(file);
      await page.getByRole('button', { name: 'Upload and check' }).click();
      await page.locator('#columns').waitFor();
    },
  },
];

const executablePath = findBrowser();
if (executablePath === undefined) throw new Error('Install Chromium or Chrome first.');
const folder = await mkdtemp(join(tmpdir(), 'campaigns-pictures-'));
const demo = spawn(process.execPath, ['src/cli/main.ts', 'demo', '--keep'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => demo.once('exit', resolve));
try {
  await takeAll(await addressOfConsole());
} finally {
  demo.kill('SIGINT');
  await ended;
  process.stdout.write(`The data of the demo are left in ${folder}.\n`);
}

/** The demo prints it when its campaign has ended. */
async function addressOfConsole(): Promise<string> {
  for await (const line of createInterface({ input: demo.stdout })) {
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/campaigns\/c1/.exec(line) ?? [];
    if (origin !== undefined) return origin;
  }
  throw new Error('The demo ended without a console.');
}

async function takeAll(origin: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...browserArgs] });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme: 'light' });
    for (const picture of pictures) await take(page, origin, picture);
  } finally {
    await browser.close();
  }
}

async function take(
  page: Page,
  origin: string,
  { name, path, part, height = 860, act }: Picture,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height });
  await page.goto(`${origin}${path}`);
  await act?.(page);
  const file = join(images, `${name}.png`);
  await page.screenshot({ path: file, ...(part !== undefined && (await around(page, part))) });
  const { size } = await stat(file);
  if (size > mostBytes) throw new Error(`${file} has ${size} bytes, more than ${mostBytes}`);
  process.stdout.write(`${name}.png ${Math.round(size / 1000)} kB\n`);
}

/** An element with some of the page around it. */
async function around(page: Page, part: string): Promise<PageScreenshotOptions> {
  const box = await page.locator(part).boundingBox();
  if (box === null) throw new Error(`${part} is not on the page.`);
  const { x, y, width, height } = box;
  return {
    fullPage: true,
    clip: { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin },
  };
}
