/** Several people, several drafts, and a second console on the same data directory. */

import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../src/app/drafts/draft.ts';
import { changeDraft, createDraft, findDraft } from '../../../src/app/drafts/drafts.ts';
import { draftFiles, draftFolder, draftMediaFolder } from '../../../src/app/drafts/folder.ts';
import { OpenDrafts } from '../../../src/app/drafts/open-drafts.ts';
import { withFileLock } from '../../../src/platform/files/file-lock.ts';
import { writeMedia } from '../../support/sheets/media.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { openTestDraft, type TestDraft } from './test-draft.ts';

const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' })];
const benn = { row: 2, position: 1, text: 'demo_ben' };
const never = 2 ** 31 - 1;

/** As a second console would have it. */
const secondOpenDrafts = ({ runtime }: TestDraft) => new OpenDrafts(runtime, { settleMs: never });

function changeBehind({ runtime, id }: TestDraft, change: (draft: Draft) => Partial<Draft>): void {
  const { draft } = draftFiles(runtime, id);
  const before = JSON.parse(readFileSync(draft, 'utf8')) as Draft;
  writeFileSync(draft, JSON.stringify({ ...before, ...change(before) }));
}

describe('a change by another console', () => {
  it('is shown: the edits of the version that is shown', async () => {
    const open = await openTestDraft(rows);
    const { draft } = await open.look();
    const other = secondOpenDrafts(open);
    await other.look(open.id, { waitMs: never });
    await other.edit(open.id, { by: 'ben', version: draft.version }, { cells: [benn] }, 'a creator');
    const view = await open.look();
    expect(view).toMatchObject({ draft: { version: draft.version + 1 }, edits: { rows: 1 } });
    expect(view.checked).toMatchObject({ accepted: 2, refused: 0 });
  });

  it('can be taken back', async () => {
    const open = await openTestDraft(rows);
    const other = secondOpenDrafts(open);
    const { version } = (await other.look(open.id, { waitMs: never })).draft;
    await open.edit({ leaveOut: [1] });
    await other.edit(open.id, { by: 'ben', version: version + 1 }, { cells: [benn] }, 'a creator');
    const change = { by: 'ann', version: version + 2 };
    expect((await open.drafts.undo(open.id, change)).edits).toMatchObject({ rows: 0, leftOut: 1 });
  });

  it('is not written over by one that read before it', async () => {
    const open = await openTestDraft(rows);
    const { version } = (await open.look()).draft;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: held, resolve: hold } = Promise.withResolvers<void>();
    const theirs = withFileLock(join(draftFolder(open.runtime, open.id), 'lock'), 1000, async () => {
      hold();
      await released;
      changeBehind(open, () => ({ version: version + 1, changedBy: 'ben', changed: 'the zone' }));
    });
    await held;
    const ours = open.drafts.edit(open.id, { by: 'ann', version }, { cells: [benn] }, 'a creator');
    ours.catch(() => undefined);
    // Time enough for a change that does not wait.
    for (let look = 0; look < 20; look += 1) await findDraft(open.runtime, open.id);
    release();
    await theirs;
    await expect(ours).rejects.toMatchObject({ code: 'draft_changed' });
    expect((await open.look()).edits).toMatchObject({ rows: 0, last: undefined });
  });

  it('in its media is seen, and the sheet checked again', async () => {
    const open = await openTestDraft([videoRow('a')]);
    const folder = draftMediaFolder(open.runtime, open.id);
    unlinkSync(join(folder, 'a.mp4'));
    expect((await open.look()).checked).toMatchObject({ accepted: 0, refused: 1 });
    writeMedia(folder, ['a.mp4']);
    const stored = { id: 'b'.repeat(32), path: 'a.mp4', bytes: 3, modifiedAt: 1, sha256: 'x' };
    const { media } = draftFiles(open.runtime, open.id);
    appendFileSync(media, `${JSON.stringify({ at: 1, by: 'ben', stored })}\n`);
    expect((await open.look()).checked).toMatchObject({ accepted: 1, refused: 0 });
  });
});

describe('another sheet where the one of the draft was', () => {
  const other = sheetText([videoRow('a'), videoRow('b', { caption: 'Other' })]);

  it('is not checked as if it were that', async () => {
    const open = await openTestDraft(rows);
    writeFileSync(draftFiles(open.runtime, open.id).sheet, other);
    const { state, failure } = await open.look();
    expect({ state, failure }).toMatchObject({
      state: 'failed',
      failure: { message: 'the sheet has changed since it was uploaded', fix: 'Drop it again.' },
    });
  });

  it('is not started', async () => {
    const open = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { version } = (await open.look()).draft;
    writeFileSync(draftFiles(open.runtime, open.id).sheet, other);
    const agreed = { by: 'ann', version, rows: 2 };
    await expect(open.drafts.start(open.id, agreed)).rejects.toMatchObject({ code: 'draft_refused' });
    expect(await open.runner.ledger.campaigns.list()).toEqual([]);
  });
});

describe('more drafts than are kept open', () => {
  it('are all checked to the end', async () => {
    const open = await openTestDraft([]);
    const drafts = new OpenDrafts(open.runtime, { settleMs: never, mostOpen: 1 });
    const second = await createDraft(open.runtime, 'ben');
    const text = sheetText(Array.from({ length: 200 }, (_, row) => videoRow(`c${row}`)));
    await open.drop(text);
    writeFileSync(draftFiles(open.runtime, second.id).sheet, text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const sheet = { name: 'Other.csv', bytes: text.length, sha256 };
    await changeDraft(open.runtime, second.id, { by: 'ben', version: 1, what: 'the sheet' }, () => ({
      sheet,
    }));
    await drafts.look(open.id, { waitMs: 0 });
    // Each is opened while the other one is.
    const ids = [second.id, open.id, second.id];
    const views = await Promise.all(ids.map((id) => drafts.look(id, { waitMs: never })));
    expect(views.map(({ state }) => state)).toEqual(['checked', 'checked', 'checked']);
  });
});

it('a draft that is discarded while it is checked leaves nothing behind', async () => {
  const open = await openTestDraft(rows);
  const looks = [open.drafts.look(open.id, { waitMs: 0 }), open.drafts.look(open.id, { waitMs: 0 })];
  await Promise.all(looks);
  const discarded = open.drafts.discard(open.id);
  const late = open.drafts.look(open.id, { waitMs: 0 });
  const [gone, shown] = await Promise.allSettled([discarded, late]);
  expect(gone).toMatchObject({ status: 'fulfilled' });
  expect(shown).toMatchObject({ status: 'rejected', reason: { code: 'draft_not_found' } });
  expect(statSync(draftFolder(open.runtime, open.id), { throwIfNoEntry: false })).toBeUndefined();
  await expect(findDraft(open.runtime, open.id)).rejects.toMatchObject({ code: 'draft_not_found' });
});
