/**
 * All benchmarks: medians of several rounds, each beside its baseline.
 *
 *     npm run bench                       all, in about twenty minutes
 *     npm run bench -- hash start-up      only these: peers, pipeline, import, xlsx, hash, scale, show, start-up, rate-limits,
 *                                         drafts, uploads, videos, console, pictures, repeats
 */

import { benchConsole } from './console.ts';
import { benchDrafts } from './drafts.ts';
import { benchHash } from './hash.ts';
import { compare as benchImport } from './import.ts';
import { benchPeers, peersWorks } from './peers.ts';
import { benchPictures } from './pictures.ts';
import { benchPipeline } from './pipeline.ts';
import { benchRateLimits } from './rate-limits.ts';
import { benchRepeats } from './repeats.ts';
import { benchScale } from './scale.ts';
import { benchShow } from './show.ts';
import { benchStartUp } from './start-up.ts';
import { benchUploads } from './uploads.ts';
import { benchVideos } from './videos.ts';
import { benchXlsx } from './xlsx.ts';

const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  hash: () => benchHash(5),
  'start-up': () => benchStartUp(11),
  show: () => benchShow(1_000_000, 100_000, 11),
  'rate-limits': () => benchRateLimits(8000),
  import: () => benchImport(300_000, 5),
  repeats: () => benchRepeats(1_000_000, 1),
  xlsx: () => benchXlsx(100_000, 5),
  peers: () => benchPeers(3, peersWorks),
  pipeline: () => benchPipeline(10_000, 5),
  scale: () => benchScale(50_000, [1, 2]),
  drafts: () => benchDrafts(100_000, 5),
  uploads: () => benchUploads(100, 10_000_000, 3),
  videos: () => benchVideos(100_000, 1_000_000),
  console: () => benchConsole(100_000, 10_000, 200),
  pictures: () => benchPictures(11),
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in benches));
if (unknown !== undefined) {
  process.stderr.write(`there is no benchmark "${unknown}"; there are ${Object.keys(benches).join(', ')}\n`);
  process.exit(2);
}
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length === 0 || wanted.includes(name)) await bench();
}
// Connections that a benchmark leaves open do not hold it.
process.exit(0);
