/** Memory does not grow with a file. */
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { spawnNode } from '../support/processes/child.ts';
import { mp4 } from '../support/sheets/media-bytes.ts';

/** Many times what may be held at once. */
const size = 300 * 1024 ** 2 + 12_345;
/** SHA-256 of the hex text of `mp4` and zeros to that size, computed by another program. */
const hash = '6f23a7f5ed349b304bd4583d37cb900f7dd60bf8236936ad1aabca349d9c45b6';

test('a large file is hashed and sent in constant memory', { timeout: 180_000 }, async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'clip.mp4'), mp4);
  truncateSync(join(folder, 'clip.mp4'), size);
  const sink = await startSink();
  const child = spawnNode(new URL('../support/console/large-upload-program.ts', import.meta.url), [
    folder,
    'clip.mp4',
    sink.url,
  ]);
  const [report = ''] = await child.line(/^\{.*\}$/, 170_000);
  const result = JSON.parse(report) as { hash: string; grownBy: number };

  expect(sink.received).toEqual([size]);
  expect(result.hash).toBe(hash);
  // 65 MB on an idle machine; on a busy one, garbage is collected later.
  expect(result.grownBy).toBeLessThan(128 * 1024 ** 2);
});

/** Counts and discards the bytes of every PUT. */
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
