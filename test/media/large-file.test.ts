/** Memory does not grow with a file. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { spawnNode } from '../support/child.ts';
import { temporaryFolder } from '../support/folder.ts';
import { mp4 } from '../support/media-bytes.ts';

const size = 2 * 1024 ** 3 + 12_345;

test('a file beyond 2 GB is hashed and sent in flat memory', { timeout: 90_000 }, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'clip.mp4'), mp4);
  truncateSync(join(folder, 'clip.mp4'), size);
  const sink = await startSink();
  const child = spawnNode(new URL('../support/large-upload.ts', import.meta.url), [
    folder,
    'clip.mp4',
    sink.url,
  ]);
  const [report = ''] = await child.line(/^\{.*\}$/, 80_000);
  const { hash, grownBy } = JSON.parse(report) as { hash: string; grownBy: number };

  expect(sink.received).toEqual([size]);
  expect(hash).toBe(sparseHash());
  expect(grownBy).toBeLessThan(128 * 1024 ** 2);
});

/** Counts the bytes of every PUT, and throws them away. */
async function startSink() {
  const received: number[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
    });
    request.on('end', () => {
      received.push(bytes);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/clip`, received };
}

/** The hash of the file by the contract, from what is known of its content: a head, and zeros. */
function sparseHash(): string {
  const hash = createHash('sha256').update(mp4.toString('hex'));
  const zeros = Buffer.alloc(16 * 1024 ** 2, '0');
  let left = 2 * (size - mp4.length);
  for (; left > 0; left -= zeros.length) hash.update(zeros.subarray(0, Math.min(left, zeros.length)));
  return hash.digest('hex');
}
