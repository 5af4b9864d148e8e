/**
 * Makes the pictures of `docs/images`: runs the demo in a folder of its own, opens its console in a browser, and takes each page.
 *
 *     npm run screenshots
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page, type PageScreenshotOptions } from 'playwright-core';
import sharp from 'sharp';
import { browserArgs, findBrowser } from './browser.ts';

const root = join(import.meta.dirname, '..');
const images = join(root, 'docs/images');
/** Larger pictures make a clone slow. */
const mostBytes = 150_000;
const width = 1280;
/** Around a part of a page, in pixels. */
const margin = 24;
const mostLooks = 8;

/** What the demo prints of itself. */
interface Demo {
  /** Address of the console. */
  readonly origin: string;
  /** Address of the sandbox: there planners see what was posted. */
  readonly service: string;
}

interface Records {
  readonly data: { readonly list: readonly { readonly postId: string }[] };
}

interface Picture {
  readonly name: string;
  /** Default: where the picture before it was taken. */
  readonly path?: string;
  /** The element that is taken; default: the head of the page. */
  readonly part?: string;
  readonly height?: number;
  /** What a person does first. */
  readonly act?: (page: Page, demo: Demo) => Promise<void>;
}

const media = join(root, 'examples/media/videos');
const videos = ['serum', 'mug', 'lamp', 'candle', 'plant', 'notebook'].map((name) =>
  join(media, `${name}.mp4`),
);

/** Does something that leads to another page, or changes this one, and waits for that. */
async function leads(page: Page, act: () => Promise<void>): Promise<void> {
  await page.evaluate("document.querySelector('main').firstElementChild.dataset.leaving = 'yes'");
  await act();
  await page.locator('[data-leaving]').waitFor({ state: 'detached' });
}

async function press(page: Page, name: string | RegExp): Promise<void> {
  await leads(page, () => page.getByRole('button', { name }).first().click());
}

/** Until all posts but the lacking have a picture: the browser makes those of videos while the page is open, and the next look has them. */
async function haveCovers(page: Page, posts = '.covers li', lacking = 0): Promise<void> {
  const bare = page.locator(posts).filter({ hasNot: page.locator('img') });
  for (let look = 0; look < mostLooks; look += 1) {
    await page.reload();
    if ((await bare.count()) === lacking) return;
    await page.waitForTimeout(1000);
  }
}

/** Until the campaign of the page shows this state. */
async function becomes(page: Page, state: string): Promise<void> {
  await page.locator('h1', { hasText: state }).waitFor();
  // Its list does not move while somebody looks at it.
  await page.reload();
}

const pictures: readonly Picture[] = [
  { name: 'campaigns', path: '/campaigns', height: 620 },
  { name: 'campaign', path: '/campaigns/c1', act: (page) => haveCovers(page) },
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
  {
    name: 'calendar',
    path: '/calendar?from=2030-03-04',
    height: 800,
    act: (page) => haveCovers(page, '.slot'),
  },
  { name: 'videos', path: '/videos' },
  { name: 'queues', path: '/queues' },
  // The tutorial, step by step: docs/planner-tutorial.md. The last, because its campaign would be on other pages.
  { name: 'tutorial-upload', path: '/campaigns/new', height: 500 },
  {
    name: 'new',
    height: 900,
    act: async (page) => {
      const sheet = join(root, 'examples/tutorial.csv');
      await page.locator('#files').setInputFiles([sheet, ...videos]);
      await page.locator('#columns').waitFor();
      // One names a file that is not there.
      await haveCovers(page, '.grid tbody .small', 1);
    },
  },
  {
    name: 'tutorial-start',
    part: '#draft-plan',
    act: async (page) => {
      await press(page, 'Use this zone');
      await press(page, 'Use all 2 sure fixes');
      await press(page, /^Potted Monstera Limited/);
      await press(page, /^demo_anna/);
      await press(page, '12 March, 20:00');
      await page.getByRole('heading', { name: 'Nothing to fix' }).waitFor();
      await page.getByLabel('How many').fill('2');
      await press(page, 'Save the options');
      // The plan follows when the edited sheet has been checked again.
      await page.locator('#draft-plan', { hasText: '8 posts' }).waitFor();
      await page.evaluate("document.querySelector('.toast')?.remove()");
      // It would lie over the plan.
      await page.evaluate("document.querySelector('.bars').style.position = 'static'");
    },
  },
  {
    name: 'tutorial-canary',
    height: 620,
    act: async (page) => {
      await press(page, 'Start 8 posts…');
      await press(page, /^Start 8 posts$/);
      await becomes(page, 'Paused');
    },
  },
  {
    name: 'tutorial-failed',
    height: 760,
    act: async (page) => {
      await page.getByRole('button', { name: 'Release 6 rows' }).click();
      await becomes(page, 'Scheduled');
      await haveCovers(page);
    },
  },
  {
    name: 'tutorial-edit',
    height: 420,
    act: async (page) => {
      await leads(page, () => page.getByRole('link', { name: 'spring-7' }).first().click());
      await page.getByLabel('product_id').fill('1729560103');
      await page.getByRole('button', { name: 'Save and retry…' }).click();
      await page.getByRole('heading', { name: 'Save and retry spring-7?' }).waitFor();
    },
  },
  {
    name: 'tutorial-posted',
    height: 620,
    act: async (page) => {
      await page.getByRole('button', { name: 'Save and retry', exact: true }).click();
      await page.locator('h1', { hasText: 'Posted' }).waitFor();
      await page.getByRole('link', { name: 'tutorial', exact: true }).click();
      await page.locator('#campaign-counts').waitFor();
      await haveCovers(page);
    },
  },
  {
    name: 'tutorial-decide',
    path: '/review',
    height: 780,
    act: async (page, { service }) => {
      const caption = encodeURIComponent('Second coffee. The good one.');
      const address = `${service}/v1/creator/post/pageList?pageNumber=1&pageSize=10&title=${caption}`;
      const answer = await fetch(address, { headers: { 'x-api-key': 'sandbox-key' } });
      const { data } = (await answer.json()) as Records;
      await page.getByLabel('Post ID').fill(data.list[0]?.postId ?? 'not posted');
    },
  },
  { name: 'approvals', path: '/campaigns/new', height: 900, act: showApprovals },
];

/** A campaign of its own, whose posts all wait. */
async function showApprovals(page: Page, { origin }: Demo): Promise<void> {
  const captions = ['Glow before breakfast', 'Slow mornings', 'Light for late hours', 'Rain and cedar'];
  const rows = captions.map((caption, index) => {
    return `demo_${['anna', 'ben', 'elena', 'david'][index]},${basename(videos[index] ?? '')},${caption},172956010${index + 1},From the spring box`;
  });
  const sheet = join(folder, 'Spring box.csv');
  await writeFile(sheet, ['creator,media,caption,product_id,product_title', ...rows].join('\n'));
  await page.locator('#files').setInputFiles([sheet, ...videos.slice(0, captions.length)]);
  await page.locator('#draft-plan', { hasText: '4 posts' }).waitFor();
  await page.locator('#approve').selectOption('all');
  await press(page, 'Save the options');
  await press(page, 'Start 4 posts…');
  await press(page, /^Start 4 posts$/);
  await page.getByText('4 posts wait for an approval').waitFor();
  await page.goto(`${origin}/approvals`);
  await page.getByRole('button', { name: 'Approve' }).nth(3).waitFor();
}

/** Languages of the examples. Without a font, the browser draws a box for each letter. */
const languages = ['en', 'zh', 'ja', 'ko', 'de'];

const executablePath = findBrowser();
if (executablePath === undefined) throw new Error('Install Chromium or Chrome first.');
requireFonts();
const folder = await mkdtemp(join(tmpdir(), 'campaigns-pictures-'));
const program = spawn(process.execPath, ['src/cli/main.ts', 'demo', '--keep'], {
  cwd: root,
  env: { ...process.env, DATA_DIR: folder },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => program.once('exit', resolve));
try {
  await takeAll(await readAddresses());
} finally {
  program.kill('SIGINT');
  await ended;
  process.stdout.write(`The data of the demo are left in ${folder}.\n`);
}

/** @throws if no font has the letters of a language, or if there is no fontconfig to ask. */
function requireFonts(): void {
  const lacking = languages.filter((language) => {
    const { status, stdout } = spawnSync('fc-list', [`:lang=${language}`, 'family'], { encoding: 'utf8' });
    return status !== 0 || stdout.trim() === '';
  });
  if (lacking.length === 0) return;
  const why = `No font has the letters of: ${lacking.join(', ')}. The pictures would show boxes.`;
  throw new Error(`${why} Install fonts, such as: apt-get install fontconfig fonts-noto-core fonts-noto-cjk`);
}

/** The demo prints where its console is when its campaign has ended. */
async function readAddresses(): Promise<Demo> {
  for await (const line of createInterface({ input: program.stdout })) {
    const [, origin] = /(http:\/\/127\.0\.0\.1:\d+)\/campaigns\/c1/.exec(line) ?? [];
    if (origin === undefined) continue;
    const shell = await readFile(join(folder, 'demo/env'), 'utf8');
    const [, service = ''] = /CREATOR_API_URL=(\S+)/.exec(shell) ?? [];
    return { origin, service };
  }
  throw new Error('The demo ended without a console.');
}

async function takeAll(demo: Demo): Promise<void> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: [...browserArgs] });
  try {
    const page = await browser.newPage({
      viewport: { width, height: 860 },
      colorScheme: 'light',
      timezoneId: 'Europe/Berlin',
      // No picture of two pages, while one becomes the other.
      reducedMotion: 'reduce',
    });
    for (const picture of pictures) await take(page, demo, picture);
  } finally {
    await browser.close();
  }
}

async function take(page: Page, demo: Demo, { name, path, part, height = 860, act }: Picture): Promise<void> {
  await page.setViewportSize({ width, height });
  if (path !== undefined) await page.goto(`${demo.origin}${path}`);
  await act?.(page, demo);
  // They are loaded in sight; some videos cannot be.
  const isLoaded =
    '[...document.querySelectorAll("video, img")].every((each) => each.getBoundingClientRect().top > innerHeight || each.complete || each.readyState > 1)';
  await page.waitForFunction(isLoaded, undefined, { timeout: 8000 }).catch(() => undefined);
  const file = join(images, `${name}.png`);
  const shot = await page.screenshot(part === undefined ? {} : await around(page, part));
  // A palette takes a third, and looks the same.
  const { size } = await sharp(shot).png({ palette: true, quality: 95 }).toFile(file);
  if (size > mostBytes) throw new Error(`${file} has ${size} bytes, more than ${mostBytes}`);
  process.stdout.write(`${name}.png ${Math.round(size / 1000)} kB\n`);
}

/** An element with some of the page around it. */
async function around(page: Page, part: string): Promise<PageScreenshotOptions> {
  // What was pressed on the page may have scrolled it, and the head of the page would lie over the part.
  await page.evaluate('scrollTo(0, 0)');
  const box = await page.locator(part).boundingBox();
  if (box === null) throw new Error(`${part} is not on the page.`);
  const { x, y, width, height } = box;
  return {
    fullPage: true,
    clip: { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin },
  };
}
