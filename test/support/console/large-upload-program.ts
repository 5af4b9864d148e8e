/** A process that hashes and sends one large file, and reports how its memory grew: `node large-upload-program.ts <root> <file> <url>`. */
import { Storage } from '../../../src/api/storage.ts';
import { AddressPolicy } from '../../../src/media/addresses.ts';
import { Downloader } from '../../../src/media/download.ts';
import { openMedia } from '../../../src/media/source.ts';
import { openSpool } from '../../../src/media/spool.ts';

const [mediaRoot = '', file = '', uploadUrl = ''] = process.argv.slice(2);
const maxBytes = 4 * 1024 ** 3;
const spool = await openSpool({ directory: `${mediaRoot}/spool`, quotaBytes: 0 });
await using downloader = new Downloader({ spool, addresses: new AddressPolicy([]), maxBytes });

const before = process.memoryUsage.rss();
let highest = before;
const sampling = setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss());
}, 20);

await using media = await openMedia(file, { mediaRoot, maxBytes, downloader });
const storage = new Storage({ timeoutMs: 60_000 });
const { contentType, size, hash } = media;
if (!('open' in media)) throw new Error('a large file is not held in memory');
await storage.put({ uploadUrl, contentType, size, body: media.open() });
await storage.close();
clearInterval(sampling);

process.stdout.write(`${JSON.stringify({ size, hash, grownBy: highest - before })}\n`);
