/** Sends a medium of a draft from where it stopped, and prints what became of it. */
import { readFileSync } from 'node:fs';
import { checkSettings } from '../../config/load.ts';
import { offerFiles } from '../../src/drafts/files/offer.ts';
import { receivePart } from '../../src/drafts/files/upload.ts';
import type { DraftRuntime } from '../../src/drafts/folder.ts';
import type { UseCaseError } from '../../src/runtime/use-case-error.ts';

const [dataDir = '', draft = '', path = ''] = process.argv.slice(2);
const runtime: DraftRuntime = {
  environment: { dataDir } as DraftRuntime['environment'],
  settings: checkSettings({}),
  now: () => 1,
};
const film = readFileSync(path);
const [offered] = await offerFiles(
  runtime,
  draft,
  [{ path: 'a.mp4', bytes: film.length, modifiedAt: 1 }],
  'anna',
);
if (offered?.kind !== 'upload') throw new Error('it was not wanted');
const { id, arrived } = offered;
async function* rest() {
  yield film.subarray(arrived);
}
try {
  await receivePart(runtime, { draft, id, offset: arrived, by: 'anna' }, rest());
  process.stdout.write(`${arrived} stored`);
} catch (error) {
  process.stdout.write(`${arrived} ${(error as UseCaseError).code}`);
}
