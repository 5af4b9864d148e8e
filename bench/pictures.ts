/**
 * Lists with pictures, in a real browser: a list of 50 rows beside the same list without, and what 50 photographs of 5 MB cost the first
 * browser that sees them, which draws their small versions.
 *
 *     node bench/pictures.ts [rounds]
 *
 * The two lists take turns, each in a browser context of its own, so that nothing is cached. All rows are in sight.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, chromium } from 'playwright-core';
import { browserArgs, findBrowser } from '../scripts/browser.ts';
import { launcherFlags } from './apart.ts';
import { openRunner } from './open-runner.ts';
import { startRedis } from './redis-server.ts';
import { median, printTable } from './table.ts';

const rows = 50;
const [width, height] = [4000, 3000];
const photoBytes = 5_000_000;

interface Image {
  readonly complete: boolean;
  readonly naturalWidth: number;
}

/** A JPEG of noise, as large as a photograph from a camera. */
async function drawPhoto(browser: Browser): Promise<Buffer> {
  const page = await browser.newPage();
  const base64 = await page.evaluate(
    `(async () => {
      const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} });
      const brush = canvas.getContext('2d');
      const pixels = brush.createImageData(${width}, ${height});
      for (let at = 0; at < pixels.data.length; at += 4) {
        const light = (at / 4 / ${width}) % 256;
        for (let color = 0; color < 3; color += 1) pixels.data[at + color] = light + Math.random() * 40;
        pixels.data[at + 3] = 255;
      }
      brush.putImageData(pixels, 0, 0);
      for (let quality = 0.98; ; quality -= 0.04) {
        const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', quality));
        if (blob.size > ${photoBytes} * 1.1) continue;
        const bytes = new Uint8Array(await blob.arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      }
    })()`,
  );
  await page.close();
  return Buffer.from(String(base64), 'base64');
}

async function writeSheet(folder: string, name: string, cells: (row: number) => string): Promise<string> {
  const path = join(folder, name);
  const lines = Array.from(
    { length: rows },
    (_row, row) => `creator_${row % 5},Post number ${row},172943234200000${100 + row},Product,${cells(row)}`,
  );
  const header =
    'creator,caption,product_id,product_title,media,media_type,ai_prompt,ai_model,ai_aspect_ratio';
  await writeFile(path, [header, ...lines, ''].join('\n'));
  return path;
}

/** Until the page has loaded, and `drawn` pictures are shown. Milliseconds. */
async function open(browser: Browser, url: string, drawn: number): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 4000 } });
  const page = await context.newPage();
  const begun = performance.now();
  await page.goto(url);
  const pictures = page.locator('img.pic');
  const countShown = (images: unknown): number =>
    (images as Image[]).filter(({ complete, naturalWidth }) => complete && naturalWidth > 0).length;
  while ((await pictures.evaluateAll(countShown)) < drawn) await sleep(10);
  const took = performance.now() - begun;
  await context.close();
  return took;
}

export async function benchPictures(rounds: number): Promise<void> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error('there is no Chromium on this machine');
  const folder = await mkdtemp(join(tmpdir(), 'bench-pictures-'));
  const data = await mkdtemp(join(tmpdir(), 'bench-redis-'));
  const service = fork(new URL('./stand-in.ts', import.meta.url).pathname);
  const [{ address }] = (await once(service, 'message')) as [{ address: string }];
  const redis = await startRedis(data);
  const browser = await chromium.launch({ executablePath, args: browserArgs });
  const given = { address, socket: redis.socket, folder, manifest: '' };
  const { importSheet, close } = await openRunner(given);
  const photo = await drawPhoto(browser);
  for (let row = 0; row < rows; row += 1) await writeFile(join(folder, `photo-${row}.jpg`), photo);
  const shown = await importSheet(
    await writeSheet(folder, 'shown.csv', (row) => `photo-${row}.jpg,PHOTO,,,`),
    { again: true },
  );
  const plain = await importSheet(
    await writeSheet(folder, 'plain.csv', (row) => `,PHOTO,Prompt ${row},gpt-image-2,9:16`),
    { again: true },
  );
  const server = fork(new URL('./console-server.ts', import.meta.url).pathname, [], {
    env: { ...process.env, BENCH: JSON.stringify(given) },
    execArgv: [...launcherFlags, '--expose-gc'],
  });
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  try {
    await open(browser, `${url}/campaigns/${plain}`, 0);
    const first = await open(browser, `${url}/campaigns/${shown}`, rows);
    const times: { readonly with: number; readonly without: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const without = await open(browser, `${url}/campaigns/${plain}`, 0);
      times.push({ with: await open(browser, `${url}/campaigns/${shown}`, rows), without });
    }
    const size = (photo.length / 1e6).toFixed(1);
    printTable(
      `list of ${rows} rows`,
      ['ms'],
      [
        ['without pictures', [median(times.map((each) => each.without)).toFixed(0)]],
        ['with pictures', [median(times.map((each) => each.with)).toFixed(0)]],
        [`first seen, photographs of ${size} MB`, [first.toFixed(0)]],
      ],
    );
    const ratio = median(times.map((each) => each.with / each.without));
    process.stdout.write(`with pictures: ${ratio.toFixed(2)} of the time without\n\n`);
  } finally {
    await browser.close();
    server.disconnect();
    await once(server, 'exit');
    await close();
    service.disconnect();
    redis.process.kill();
    await once(redis.process, 'exit');
    await rm(data, { recursive: true });
    await rm(folder, { recursive: true });
  }
}

if (import.meta.main) {
  await benchPictures(Number(process.argv[2] ?? 11));
  process.exit(0);
}
