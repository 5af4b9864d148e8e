/** Reads a manifest as `campaigns check` does, without Redis and the service. */
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../config/load.ts';
import { checkSheet } from '../../src/importers/check/check-sheet.ts';
import { fileSource, type ManifestSource } from '../../src/sheets/sheet.ts';

const settings = loadSettings(new URL('../../config/sandbox.json', import.meta.url).pathname);
const folder = mkdtempSync(join(tmpdir(), 'campaigns-fuzz-'));
process.once('exit', () => {
  rmSync(join(folder, 'plan.xlsx'), { force: true });
  rmdirSync(folder);
});

/** @throws {Error} if the manifest gives neither rows nor problems. */
export async function readSheet(kind: string, bytes: Buffer): Promise<void> {
  let refused = 0;
  const onRefused = () => {
    refused += 1;
  };
  const result = await checkSheet(
    kind === 'xlsx' ? inFile(bytes) : inPieces(bytes),
    { settings, now: 0, creators: null, media: null, posts: null },
    { onRefused },
  );
  const { accepted, rows, problems, sha256 } = result;
  if (accepted + refused !== rows) throw new Error(`${rows} rows: ${accepted} accepted, ${refused} refused`);
  if (sha256 === null && problems.total === 0)
    throw new Error('it was not read to its end, without a problem');
}

/** Only a file can be read as a workbook. */
function inFile(bytes: Buffer): ManifestSource {
  const path = join(folder, 'plan.xlsx');
  writeFileSync(path, bytes);
  return fileSource(path);
}

/** Pieces of an odd length, so that characters and rows are cut anywhere. Those of files are 64 KB. */
function inPieces(bytes: Buffer): ManifestSource {
  const length = bytes.length < 10_000 ? 1 + (bytes.length % 61) : 1024 + (bytes.length % 4099);
  return {
    name: 'plan',
    async *bytes() {
      for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
    },
  };
}
