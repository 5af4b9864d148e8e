/** Sends a medium of a draft from where it stopped, and prints what became of it. */
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { checkSettings } from '../../../config/load.ts';
import { listBegun, openIncoming } from '../../../src/app/drafts/files/incoming.ts';
import { UploadStore } from '../../../src/app/drafts/files/store.ts';
import type { DraftRuntime } from '../../../src/app/drafts/folder.ts';
import type { UseCaseError } from '../../../src/manifest/problems/use-case-error.ts';

const [dataDir = '', draft = '', path = ''] = process.argv.slice(2);
const runtime: DraftRuntime = {
  environment: { dataDir } as DraftRuntime['environment'],
  settings: checkSettings({}),
  now: () => 1,
};
const [begun] = await listBegun(runtime, draft);
if (begun === undefined) throw new Error('no upload has begun');
const { id, arrived } = begun;
await using folder = await openIncoming(runtime, draft, id);
const store = new UploadStore(runtime, { draft, folder, by: 'anna', audit: async () => undefined });
try {
  await store.write(Readable.from([readFileSync(path).subarray(arrived)]), id, arrived);
  process.stdout.write(`${arrived} stored`);
} catch (error) {
  process.stdout.write(`${arrived} ${(error as UseCaseError).code}`);
}
