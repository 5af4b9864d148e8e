import { existsSync, readdirSync, statSync } from 'node:fs';
import { request as sendRequest } from 'node:http';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { receiveSheet } from '../../../src/console/http/forms.ts';
import { openPages, type Pages } from '../../support/console/console-pages.ts';
import { sheetOf } from '../../support/console/uploads.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { videoRow } from '../../support/sheets/rows.ts';

let runner: TestRunner;
let pages: Pages;

beforeEach(async (test) => {
  runner = await openRunner({ settings: { manifest: { maxBytes: '8MB' } } }, test);
  pages = await openPages(runner, test);
});

const folder = () => join(runner.folder, 'sheets');
const kept = () => (existsSync(folder()) ? readdirSync(folder()) : []);
const storedBytes = () =>
  kept().reduce((sum, name) => {
    const found = statSync(join(folder(), name, 'manifest'), { throwIfNoEntry: false });
    return sum + (found?.size ?? 0);
  }, 0);

/** Sends a form piece by piece. */
async function openForm(path: string, proof?: string) {
  const [, csrf = ''] = /name="_csrf" value="([^"]*)"/.exec((await pages.get('/queues')).html) ?? [];
  const sent = sendRequest(`${pages.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=x', origin: pages.url },
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  sent.once('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
  sent.write(
    `--x\r\ncontent-disposition: form-data; name="_csrf"\r\n\r\n${proof ?? csrf}\r\n--x\r\ncontent-disposition: form-data; name="sheet"; filename="a.csv"\r\n\r\n`,
  );
  return { sent, status: promise };
}

it('goes to the disk as it comes', async () => {
  const id = await runner.importRows([videoRow('a')]);
  const { sent, status } = await openForm(`/campaigns/${id}/into`);
  sent.write(sheetOf(runner.folder, 'a', 'b'));
  sent.write(Buffer.alloc(4_000_000, '\n'));
  await runner.until(() => Promise.resolve(storedBytes() > 3_000_000), 'most of the sheet');
  sent.end('\r\n--x--\r\n');
  expect(await status).toBe(303);
  // The draft of the update has its bytes.
  expect(kept()).toEqual([]);
});

it('is refused beyond the bound of the settings, and nothing of it is kept', async () => {
  const id = await runner.importRows([videoRow('a')]);
  for (const path of [`/campaigns/${id}/into`, '/videos/import']) {
    const form = new FormData();
    form.set('sheet', new File([Buffer.alloc(9_000_000, '\n')], 'a.csv'));
    const answer = await pages.post(path, form);
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('The sheet is over the limit of 8.4 MB.');
    expect(answer.text).toContain('ask an operator to raise the limit');
  }
  expect(kept()).toEqual([]);
});

it('is not stored without the proof of the page, which comes first', async () => {
  const { sent, status } = await openForm('/campaigns/c1/into', 'other');
  sent.write(Buffer.alloc(1_000_000, '\n'));
  expect(await status).toBe(403);
  expect(kept()).toEqual([]);
  sent.destroy();
});

it('is not read without end after a refusal', async () => {
  const { sent, status } = await openForm('/campaigns/c1/into', 'other');
  expect(await status).toBe(403);
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  sent.once('close', () => resolve('the connection is ended')).on('error', () => undefined);
  const piece = Buffer.alloc(1024 * 1024, '\n');
  const write = (left: number) => {
    if (left === 0) resolve('all was read');
    else sent.write(piece, (error) => (error ? resolve('the connection is ended') : write(left - 1)));
  };
  write(64);
  expect(await ended).toBe('the connection is ended');
  sent.destroy();
});

it('leaves nothing when the connection is lost', async () => {
  const { sent, status } = await openForm('/campaigns/c1/into');
  sent.write(Buffer.alloc(3_000_000, '\n'));
  await runner.until(() => Promise.resolve(storedBytes() > 1_000_000), 'a part of the sheet');
  sent.destroy();
  await expect(status).rejects.toThrow();
  await runner.until(() => Promise.resolve(kept().length === 0), 'its end');
});

it('leaves nothing for a campaign that does not exist', async () => {
  const form = new FormData();
  form.set('sheet', new File(['a'], 'a.csv'));
  expect((await pages.post('/campaigns/none/into', form)).status).toBe(404);
  expect(kept()).toEqual([]);
});

it('is refused when the disk has no room for it', async () => {
  const { environment, settings } = pages.runtime;
  const full = { environment, settings, freeBytes: async () => 1_000_000_500 };
  const bytes = async function* () {
    yield Buffer.alloc(1000);
  };
  await expect(receiveSheet(full, 'a.csv', bytes())).rejects.toThrow(
    /cannot be stored in .*: the disk has room for 0 MB, and 1 MB would be added/,
  );
  expect(kept()).toEqual([]);
});

it('is refused when others fill the disk while it comes', async () => {
  const { environment, settings } = pages.runtime;
  const looks = [100e9];
  const filling = { environment, settings, freeBytes: async () => looks.shift() ?? 0 };
  const bytes = async function* () {
    for (let piece = 0; piece < 5; piece += 1) yield Buffer.alloc(4_000_000);
  };
  const large = { ...settings, manifest: { ...settings.manifest, maxBytes: 1e9 } };
  await expect(receiveSheet({ ...filling, settings: large }, 'a.csv', bytes())).rejects.toThrow(
    'has room for 0 MB',
  );
  expect(kept()).toEqual([]);
});

it('is refused while four of the same person arrive', async () => {
  const id = await runner.importRows([videoRow('a')]);
  const slow = [];
  for (let index = 0; index < 4; index += 1) {
    const form = await openForm(`/campaigns/${id}/into`);
    form.sent.write('key\n');
    form.sent.on('error', () => undefined);
    form.status.catch(() => undefined);
    slow.push(form);
  }
  await runner.until(() => Promise.resolve(kept().length === 4), 'all of them');
  const form = new FormData();
  form.set('sheet', new File(['key'], 'a.csv'));
  const answer = await pages.post(`/campaigns/${id}/into`, form);
  expect([answer.status, answer.text]).toEqual([
    503,
    expect.stringContaining('Try again when they are finished.'),
  ]);
  for (const { sent } of slow) sent.destroy();
  await runner.until(() => Promise.resolve(kept().length === 0), 'their end');
});
