/**
 * A process that checks and imports manifests, and reads their rows as the console and a worker do. Prints a line of JSON for each:
 * `node import-program.ts <redis socket> <key prefix> <path of a workbook, or name of a text>...`
 */
import { Redis } from 'ioredis';
import { checkSettings } from '../../../config/load.ts';
import { listRows } from '../../../src/app/campaigns/rows/list.ts';
import { checkSheet } from '../../../src/importers/check/check-sheet.ts';
import { Repeats } from '../../../src/importers/repeats/repeats.ts';
import { createLedger } from '../../../src/ledger/ledger.ts';
import { CampaignViews } from '../../../src/processors/runner/campaign-view.ts';
import type { CreatorAccount } from '../../../src/service/contract/creators.ts';
import { fileSource, type ManifestSource } from '../../../src/sheets/sheet.ts';
import { mostMegabytes, peakDuring } from './memory.ts';
import { textAttacks } from './texts.ts';

export interface ImportOutcome {
  readonly name: string;
  readonly rows: number;
  readonly accepted: number;
  /** Number of problems by code. */
  readonly problems: Readonly<Record<string, number>>;
  /** Rows that the worker could read. */
  readonly read: number;
  /** As of `peakDuring`. */
  readonly peak: number;
}

const [socket = '', prefix = '', ...files] = process.argv.slice(2);
const redis = new Redis({ path: socket });
const ledger = createLedger({ redis, prefix, now: Date.now });
const settings = checkSettings({
  api: { confirmUpload: { method: 'POST', path: '/v1/file/confirm', body: { fileId: '{fileId}' } } },
});
const account = (name: string): CreatorAccount => ({ id: 1, creatorId: name, username: name, valid: true });

async function importAll(source: ManifestSource): Promise<Omit<ImportOutcome, 'peak'>> {
  const staged = ledger.newImport();
  const check = await checkSheet(
    source,
    {
      settings,
      now: Date.now(),
      creators: async (names) => new Map(names.map((name) => [name, [account(name)]])),
      media: async () => ({ bytes: 1 }),
      posts: new Repeats(ledger, {
        own: undefined,
        contentAt: async () => undefined,
        deliveryRules: () => ({ now: Date.now(), published: [] }),
      }),
      again: true,
      allowUnknownColumns: true,
    },
    { onAccepted: (rows) => staged.add(rows) },
  );
  const outcome = {
    name: source.name,
    rows: check.rows,
    accepted: check.accepted,
    problems: Object.fromEntries(check.problems.byCode),
  };
  if (check.accepted === 0) return { ...outcome, read: 0 };
  const { id } = await staged.commit({
    name: source.name,
    sha256: check.sha256 ?? source.name,
    header: check.header,
    mediaRoot: '/media',
    timezone: null,
    source: source.name,
    window: 1000,
    leftOut: 0,
    creators: check.creators,
    again: true,
  });
  // As the console shows them.
  await listRows({ ledger, settings, now: Date.now }, id, { filter: { text: 'hi' }, limit: 500 });
  return { ...outcome, read: await readRows(id, check.accepted) };
}

/** Reads all rows, some at once. */
async function readRows(id: string, rows: number): Promise<number> {
  const view = await new CampaignViews(ledger).open(id);
  let read = 0;
  for (let first = 0; first < rows; first += 10) {
    const some = Array.from({ length: Math.min(10, rows - first) }, (_, index) => view?.row(first + index));
    read += (await Promise.all(some)).length;
  }
  return read;
}

for (const file of files) {
  const source = textAttacks.find(({ name }) => name === file) ?? fileSource(file);
  const { result, peak } = await peakDuring(() => importAll(source), mostMegabytes(source.name));
  process.stdout.write(`${JSON.stringify({ ...result, peak } satisfies ImportOutcome)}\n`);
}
redis.disconnect();
