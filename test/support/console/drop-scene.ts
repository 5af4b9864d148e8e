/** A draft in a console, with what tests look at after files were dropped on it. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { openRunner, type TestRunner } from '../in-process.ts';
import { mp4 } from '../sheets/media.ts';
import { openPages, type PageAnswer, type Pages } from './console-pages.ts';
import { type Drop, openDrop } from './uploads.ts';

export interface DropScene {
  readonly runner: TestRunner;
  readonly pages: Pages;
  readonly drop: Drop;
  /** Of the draft. */
  readonly folder: string;
  /** Where a medium of the draft is stored. */
  medium(path: string): string;
  /** What the draft's record says of a medium. */
  stored(path: string): Promise<unknown>;
  filesPage(): Promise<PageAnswer>;
}

export const film = mp4('rosewood', 100_000);

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function openDropScene(test: Pick<TestContext, 'onTestFinished' | 'task'>): Promise<DropScene> {
  const runner = await openRunner({}, test);
  const pages = await openPages(runner, test);
  const drop = await openDrop(pages);
  const folder = join(runner.folder, 'drafts', drop.draft);
  return {
    runner,
    pages,
    drop,
    folder,
    medium: (path) => join(folder, 'media', path),
    stored: async (path) => (await readFiles(pages.runtime, drop.draft)).stored.get(path),
    filesPage: () => pages.get(`/campaigns/new/${drop.draft}/files`),
  };
}
