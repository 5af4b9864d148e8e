/** Servers that announce large files and send them slowly: they must not keep others from downloading. */
import { expect, onTestFinished, test } from 'vitest';
import { AddressPolicy } from '../../src/service/media/addresses.ts';
import { Downloader, defaultPatience } from '../../src/service/media/download.ts';
import { openSpool } from '../../src/service/media/spool.ts';
import { rejection } from '../support/client.ts';
import { temporaryFolder } from '../support/folder.ts';
import { bytesOf } from '../support/sheets/media-bytes.ts';
import { httpAnswer, wireServer } from '../support/wire-server.ts';

const quotaBytes = 20_000;

async function setUp(patience = defaultPatience) {
  const spool = await openSpool({ directory: temporaryFolder(), quotaBytes });
  const addresses = new AddressPolicy(['127.0.0.1']);
  const downloader = new Downloader({ spool, addresses, maxBytes: quotaBytes, patience });
  onTestFinished(() => downloader[Symbol.asyncDispose]());
  return { spool, downloader };
}

test('five slow downloads that announce the whole spool do not keep a sixth from it', async () => {
  const { downloader, spool } = await setUp();
  const whole = bytesOf('image/png', 15_000);
  const begun = Promise.withResolvers<void>();
  let slow = 0;
  const server = await wireServer(({ target }, socket) => {
    if (target !== '/slow.png') return void socket.write(httpAnswer(200, whole));
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${quotaBytes}\r\n\r\n`);
    socket.write(whole.subarray(0, 100), () => {
      slow += 1;
      if (slow === 5) begun.resolve();
    });
  });
  const giveUp = new AbortController();
  const downloads = Array.from({ length: 5 }, () =>
    rejection(downloader.fetch(`${server.origin}/slow.png`, giveUp.signal)),
  );
  await begun.promise;
  {
    await using fetched = await downloader.fetch(`${server.origin}/quick.png`);
    expect(fetched.size).toBe(15_000);
  }
  giveUp.abort();
  await Promise.all(downloads);

  expect(spool.claimedBytes).toBe(0);
});

test('a file that cannot fit is refused before its bytes come', async () => {
  const { downloader } = await setUp();
  const bytes = bytesOf('image/png', 15_000);
  const server = await wireServer((_, socket) => socket.write(httpAnswer(200, bytes)));
  await using _held = await downloader.fetch(`${server.origin}/a.png`);

  expect(await rejection(downloader.fetch(`${server.origin}/b.png`))).toMatchObject({
    code: 'media_spool_full',
    transient: true,
  });
});

test('a server that sends less than 64 KB a second is given up', async () => {
  const { windowBytes, windowMs } = defaultPatience;
  expect(windowBytes / (windowMs / 1000)).toBe(64 * 1024);

  const { downloader } = await setUp({ totalMs: 60_000, windowMs: 100, windowBytes: 6554 });
  const server = await wireServer((_, socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${quotaBytes}\r\n\r\n`);
    const trickle = setInterval(() => socket.write('x'.repeat(100)), 10);
    socket.on('close', () => clearInterval(trickle));
  });
  expect(await rejection(downloader.fetch(`${server.origin}/a.png`))).toMatchObject({
    code: 'media_download_failed',
    message: expect.stringMatching(/only \d+ (bytes|KB) arrived in 0\.1 s/),
  });
});
