/**
 * All benchmarks: medians of several rounds, each beside its baseline.
 *
 *     npm run bench                       all, in about ten minutes
 *     npm run bench -- import peers       only these: import, peers, pipeline, console, gates
 */

import { benchConsole } from './console.ts';
import { benchGates } from './gates.ts';
import { compare as benchImport } from './import.ts';
import { benchPeers, peersWorks } from './peers.ts';
import { benchPipeline } from './pipeline.ts';

const benches: Readonly<Record<string, () => void | Promise<void>>> = {
  import: () => benchImport(300_000, 5),
  peers: () => benchPeers(3, peersWorks),
  pipeline: () => benchPipeline(10_000, 5),
  console: () => benchConsole(100_000, 10_000, 200),
  gates: () => benchGates(100_000, 10_000),
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
