/** Memory does not grow with a file. */
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../support/folder.ts';
import { spawnNode } from '../../support/processes/child.ts';
import { mp4 } from '../../support/sheets/media-bytes.ts';

/** Many times what may be held at once. */
const size = 120 * 1024 ** 2 + 12_345;
/** SHA-256 of the hex text of `mp4` and zeros to that size, computed by another program. */
const hash = 'a9ee1b33bb7cafc6b84848a1f209c607877b1cc5abbbdcaa304696a3eaaf881e';

test('a large file is hashed and sent in constant memory', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'clip.mp4'), mp4);
  truncateSync(join(folder, 'clip.mp4'), size);
  const sink = await startSink();
  const program = new URL('../../support/console/large-upload-program.ts', import.meta.url);
  const child = spawnNode(program, [folder, 'clip.mp4', sink.url], {}, { nodeOptions: ['--expose-gc'] });
  const [report = ''] = await child.line(/^\{.*\}$/);
  const result = JSON.parse(report) as { hash: string; grownBy: number };

  expect(sink.received).toEqual([size]);
  expect(result.hash).toBe(hash);
  expect(result.grownBy).toBeLessThan(48 * 1024 ** 2);
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
