/** A process that hashes and sends one large file, and reports how its memory grew: `node large-upload-program.ts <root> <file> <url>`. */

import { AddressPolicy } from '../../../src/service/media/addresses.ts';
import { Downloader } from '../../../src/service/media/download.ts';
import { openMedia } from '../../../src/service/media/source.ts';
import { openSpool } from '../../../src/service/media/spool.ts';
import { Storage } from '../../../src/service/storage.ts';

const [mediaRoot = '', file = '', uploadUrl = ''] = process.argv.slice(2);
const maxBytes = 4 * 1024 ** 3;
const spool = await openSpool({ directory: `${mediaRoot}/spool`, quotaBytes: 0 });
await using downloader = new Downloader({ spool, addresses: new AddressPolicy([]), maxBytes });

const before = liveBytes();
let highest = before;
const sampling = setInterval(() => {
  highest = Math.max(highest, liveBytes());
}, 300);

await using media = await openMedia(file, { mediaRoot, maxBytes, downloader });
const storage = new Storage({ timeoutMs: 60_000 });
const { contentType, size, hash } = media;
if (!('open' in media)) throw new Error('a large file is not held in memory');
await storage.put({ uploadUrl, contentType, size, body: media.open() });
await storage.close();
clearInterval(sampling);

process.stdout.write(`${JSON.stringify({ size, hash, grownBy: highest - before })}\n`);

/** Memory that is in use. On a busy machine, garbage is collected later, so the size of the process says little. */
function liveBytes(): number {
  globalThis.gc?.({ type: 'major', execution: 'sync' });
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
