/** A sheet that is brought for a campaign, as its pages take it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listDrafts } from '../../../../src/app/drafts/drafts.ts';
import { openPages, type Pages } from '../../../support/console/console-pages.ts';
import { openRunner, type TestRunner } from '../../../support/in-process.ts';
import { writeMedia } from '../../../support/sheets/media.ts';
import { localFiles, videoRow } from '../../../support/sheets/rows.ts';
import { type Cells, writeSheet } from '../../../support/sheets/sheet.ts';

export interface Scene {
  readonly runner: TestRunner;
  readonly id: string;
  readonly pages: Pages;
}

/** A campaign with one row that waits, and its pages. */
export async function open(): Promise<Scene> {
  const runner = await openRunner();
  const id = await runner.importRows([videoRow('a')]);
  const pages = await openPages(runner);
  return { runner, id, pages };
}

/** The page of the draft of an update. */
export async function upload(scene: Scene, rows: readonly Cells[], name = 'edited.csv') {
  const { runner, id, pages } = scene;
  writeMedia(runner.folder, localFiles(rows));
  const path = join(runner.folder, 'edited.csv');
  writeSheet(path, rows);
  const form = new FormData();
  form.set('sheet', new File([readFileSync(path)], name));
  await pages.post(`/campaigns/${id}/into`, form);
  const [draft] = (await listDrafts(pages.runtime)).drafts;
  const at = `/campaigns/new/${draft?.id}`;
  /** The page once its sheet is checked. */
  const checked = () =>
    runner.until(async () => {
      const page = await pages.get(at);
      return page.html.includes('name="version"') && page;
    }, 'the check to end');
  /** Sends a form of the page as it is now. */
  const send = async (action: string, fields: Readonly<Record<string, string>> = {}) => {
    const { html } = await checked();
    const own = ['version', 'posts', 'agreed'].map((field) => [
      field,
      new RegExp(`name="${field}" value="(\\w+)"`).exec(html)?.[1] ?? '',
    ]);
    return pages.post(`${at}/${action}`, { ...Object.fromEntries(own), ...fields });
  };
  return { at, page: await checked(), checked, send };
}
