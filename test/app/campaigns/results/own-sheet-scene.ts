/** A campaign of a planner's own file, and its results in that file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Edits } from '../../../../src/app/campaigns/import/edits.ts';
import { startCampaign } from '../../../../src/app/campaigns/import/start.ts';
import { writeResults } from '../../../../src/app/campaigns/results/write.ts';
import type { Runtime } from '../../../../src/app/runtime/runtime.ts';
import { openManifest } from '../../../../src/importers/open/manifest-file.ts';
import type { SheetOptions } from '../../../../src/sheets/sheet.ts';
import { openPages } from '../../../support/console/console-pages.ts';
import { openRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { writeWorkbook } from '../../../support/sheets/workbook.ts';

export const row = videoRow('N-1', { caption: 'Öl; "Tropfen"' });
const { key, creator, media, caption, product_id, product_title } = row;
export const cells = [key, creator, media, caption, product_id, product_title].map((text) => text ?? '');
export const header = ['key', 'creator', 'media', 'caption', 'product_id', 'product_title'];
export const line = (texts: readonly string[]) =>
  texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(';');

export interface Imported {
  readonly runner: Awaited<ReturnType<typeof openRunner>>;
  readonly runtime: Runtime;
  readonly id: string;
  readonly folder: string;
}

export async function imported(
  test: TestContext,
  file: string,
  sheet: SheetOptions = {},
  edits?: Edits,
  skipInvalid = false,
): Promise<Imported> {
  const runner = await openRunner({}, test);
  const { runtime } = await openPages(runner, test);
  writeMedia(runner.folder, localFiles([row]));
  await using manifest = await openManifest(runtime, file);
  const started = await startCampaign(runtime, manifest, {
    mediaRoot: runner.folder,
    sheet,
    edits,
    skipInvalid,
  });
  if (started.kind !== 'imported') throw new Error(JSON.stringify(started));
  return { runner, runtime, id: started.campaign.id, folder: runner.folder };
}

export async function csvFile(bytes: Buffer): Promise<string> {
  const path = await writeWorkbook({ rows: '' });
  writeFileSync(path, bytes);
  return path;
}

export async function results({ runtime, id, folder }: Imported, name: string): Promise<Buffer> {
  const { path } = await writeResults(runtime, id, { to: join(folder, name) });
  return readFileSync(path ?? '');
}
