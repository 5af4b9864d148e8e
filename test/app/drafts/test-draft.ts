/** A draft with a sheet and its media, and the open drafts that it belongs to, in the test's own process. */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import type { Edit } from '../../../src/app/campaigns/import/edit.ts';
import { changeDraft, createDraft } from '../../../src/app/drafts/drafts.ts';
import { recordFiles } from '../../../src/app/drafts/files/record.ts';
import { draftFiles, draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import { OpenDrafts } from '../../../src/app/drafts/open-drafts.ts';
import type { DraftView } from '../../../src/app/drafts/view.ts';
import type { Runtime } from '../../../src/app/runtime/runtime.ts';
import { openPages, type Pages } from '../../support/console/console-pages.ts';
import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { localFiles } from '../../support/sheets/rows.ts';
import { type Cells, sheetText } from '../../support/sheets/sheet.ts';

export interface TestDraft {
  readonly runner: TestRunner;
  readonly runtime: Runtime;
  /** The console, with open drafts of its own. */
  readonly pages: Pages;
  readonly drafts: OpenDrafts;
  readonly id: string;
  /** The draft once the check that runs has ended. */
  look(): Promise<DraftView>;
  /** As Ann, who has seen the draft as it is. */
  edit(edit: Edit): Promise<DraftView>;
  /** Puts a sheet in the place of the draft's. @param content of the file. */
  drop(content: string | Buffer, name?: string): Promise<void>;
  /** Media that have come. */
  store(...names: readonly string[]): Promise<void>;
}

/** Media as an upload leaves them: in their place, and in the record. */
export async function storeMedia(
  runtime: Runtime,
  draft: string,
  folder: string,
  names: readonly string[],
): Promise<void> {
  writeMedia(folder, names);
  for (const path of names) {
    const bytes = readFileSync(join(folder, path));
    const id = digestOf(path).slice(0, 32);
    const stored = { id, path, bytes: bytes.length, modifiedAt: 1, sha256: digestOf(bytes) };
    await recordFiles(runtime, draft, { at: 1, by: 'ann', stored });
  }
}

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A edit is followed by a check of the whole sheet only when a test asks for one. */
const never = 2 ** 31 - 1;

export async function openTestDraft(
  rows: readonly Cells[],
  options: RunnerOptions & { readonly settleMs?: number } = {},
  test?: Pick<TestContext, 'onTestFinished'>,
): Promise<TestDraft> {
  const runner = await openRunner(options, test);
  const pages = await openPages(runner, test);
  const { runtime } = pages;
  const drafts = new OpenDrafts(runtime, { settleMs: options.settleMs ?? never });
  const { id } = await createDraft(runtime, 'ann');
  const media = draftMediaFolder(runtime, id);
  mkdirSync(media, { recursive: true });
  await storeMedia(runtime, id, media, localFiles(rows));
  const drop = async (content: string | Buffer, name = 'Spring.csv') => {
    writeFileSync(draftFiles(runtime, id).sheet, content);
    const bytes = readFileSync(draftFiles(runtime, id).sheet);
    const sha256 = digestOf(bytes);
    await changeDraft(runtime, id, { by: 'ann', version: undefined, what: 'dropped a sheet' }, () => ({
      sheet: { name, bytes: bytes.length, sha256 },
    }));
  };
  await drop(sheetText(rows));
  const look = () => drafts.look(id, { waitMs: never });
  const edit = async (given: Edit) => {
    const { version } = (await look()).draft;
    return drafts.edit(id, { by: 'ann', version }, given, 'edited cells');
  };
  const storeMore = (...names: readonly string[]) => storeMedia(runtime, id, media, names);
  return { runner, runtime, pages, drafts, id, look, edit, drop, store: storeMore };
}
