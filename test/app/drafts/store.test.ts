import { randomBytes } from 'node:crypto';
import { existsSync, statSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { outdateCheck } from '../../../src/app/drafts/check/draft-check.ts';
import type { Draft } from '../../../src/app/drafts/draft.ts';
import { draftFiles, draftFolder } from '../../../src/app/drafts/folder.ts';
import { OpenDrafts } from '../../../src/app/drafts/open-drafts.ts';
import { DraftDatabase } from '../../../src/app/drafts/store/database.ts';
import { addEdit, readEdits } from '../../../src/app/drafts/store/edits.ts';
import { StoredFindings } from '../../../src/app/drafts/store/findings.ts';
import { FindingsWriter } from '../../../src/app/drafts/store/findings-writer.ts';
import { RowsWriter } from '../../../src/app/drafts/store/rows.ts';
import type { CellProblem } from '../../../src/manifest/problems/problem.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' })];
const patient = { waitMs: 2 ** 31 - 1 };

async function openFindings(check: (writer: FindingsWriter) => Promise<void>) {
  const database = await DraftDatabase.open(join(temporaryFolder(), 'draft.sqlite'));
  const writer = new FindingsWriter(database, () => 0);
  await check(writer);
  return { database, findings: new StoredFindings(database) };
}

async function refuse(writer: FindingsWriter, problems: readonly CellProblem[]): Promise<void> {
  for (const [index, problem] of problems.entries()) {
    writer.begin(index + 1, undefined);
    writer.refuse(index + 1, [problem]);
  }
  await writer.flush();
}

async function endOf(writer: FindingsWriter, database: DraftDatabase, count: number): Promise<void> {
  await database.write(() => writer.end(count));
}

describe('problems by group', () => {
  it('have no group for each of very many wrong creators', async () => {
    const wrong = Array.from({ length: 30_000 }, (_, row) => ({
      column: 'creator',
      code: 'creator_ambiguous',
      value: `creator ${row}`,
      problem: 'unknown',
      fix: 'edit',
    }));
    const { findings, database } = await openFindings(async () => undefined);
    const writer = new FindingsWriter(database, () => 0);
    await refuse(writer, wrong);
    await endOf(writer, database, wrong.length);
    const groups = findings.groups('problem');
    expect(groups).toHaveLength(2001);
    expect(groups[0]).toMatchObject({ count: 28_000, isSameValue: false });
    expect(groups[1]).toMatchObject({ count: 1, value: 'creator 0', numbers: [1] });
    expect(findings.count('refused')).toBe(30_000);
    // Kept in detail are those of the first rows.
    expect(findings.problemsOf(20_000, 'problem')).toHaveLength(1);
    expect(findings.problemsOf(20_001, 'problem')).toEqual([]);
  });

  it('tell a missing file from a row without media', async () => {
    const missing = { column: 'media', code: 'media_missing', problem: 'There is no such file', fix: 'add' };
    const { findings } = await openFindings((writer) =>
      refuse(
        writer,
        ['a.mp4', 'b.mp4', ''].map((value) => ({ ...missing, value })),
      ),
    );
    expect(findings.groups('problem').map(({ numbers }) => numbers)).toEqual([[1, 2], [3]]);
  });

  it('are those of the last check', async () => {
    const faulty = { column: 'caption', code: 'too_long', value: 'x', problem: 'too long', fix: 'cut' };
    const { findings, database } = await openFindings((writer) => refuse(writer, [faulty, faulty, faulty]));
    const again = new FindingsWriter(database, () => 0);
    again.begin(1, 'a');
    again.begin(2, 'b');
    again.refuse(2, [{ ...faulty, value: 'y' }]);
    await again.flush();
    await endOf(again, database, 2);
    expect(findings.groups('problem')).toMatchObject([{ count: 1, numbers: [2], value: 'y' }]);
    expect([findings.rows, findings.list('refused', 0, 9)]).toEqual([2, [2]]);
  });
});

describe('the rows of a draft', () => {
  const long = Array.from({ length: 300 }, (_, index) => ({
    line: index + 2,
    cells: [randomBytes(150_000).toString('base64')],
  }));
  const draft = { id: '0'.repeat(16), reading: {}, sheet: { name: 'a.csv', bytes: 1, sha256: 'a' } };

  it.each([
    ['take far more than their file', async () => 99e9, 'manifest_unreadable'],
    ['leave less than a gigabyte free', async () => 1e9, 'draft_not_stored'],
  ])('are not stored if they %s', async (_what, freeBytes, code) => {
    const dataDir = temporaryFolder();
    const database = await DraftDatabase.open(join(dataDir, 'draft.sqlite'));
    const runtime = { environment: { dataDir } as never, freeBytes };
    const writer = await RowsWriter.open(runtime, database, draft as unknown as Draft);
    await expect(writer.add(long)).rejects.toMatchObject({ code });
  });
});

describe('a draft that is opened again', () => {
  it('shows the last check at once', async () => {
    const { runtime, id, look, edit } = await openTestDraft(rows);
    const { checked: before } = await edit({ cells: [{ row: 1, position: 0, text: 'new' }] });
    unlinkSync(draftFiles(runtime, id).sheet);
    const again = new OpenDrafts(runtime);
    const { state, checked } = await again.look(id, { waitMs: 0 });
    expect([state, checked]).toEqual(['checked', before]);
    expect((await again.window(id, 'problems', 0, 9)).rows).toMatchObject([{ number: 2, state: 'refused' }]);
    await look();
  });

  it('is checked again if its check was not the last one, or long ago', async () => {
    const clock = { ahead: 0 };
    const { runtime, id, look, runner } = await openTestDraft(rows, { now: () => Date.now() + clock.ahead });
    await look();
    clock.ahead = 3600_000;
    const again = new OpenDrafts(runtime, { settleMs: 0 });
    expect((await again.look(id, patient)).checked?.isOutdated).toBe(true);
    await runner.until(
      async () => (await again.look(id, patient)).checked?.isOutdated === false,
      'the check to be made again',
    );
  });

  it('is checked again with the settings of a console that was started anew', async () => {
    const { runtime, id, look } = await openTestDraft([videoRow('a', { scheduled_at: '2030-05-01 10:00' })]);
    await look();
    const restarted = { ...runtime, settings: { ...runtime.settings, timezone: 'Asia/Tokyo' } };
    const { checked } = await new OpenDrafts(restarted).look(id, patient);
    expect(checked?.timezone).toBe('Asia/Tokyo');
  });

  it('is checked again after a check of other columns that was killed', async () => {
    const { runtime, id, look } = await openTestDraft(rows);
    const { checked: before } = await look();
    using database = await DraftDatabase.open(draftFiles(runtime, id).database);
    const writer = new FindingsWriter(database, () => 0);
    await database.write(() => outdateCheck(database));
    writer.begin(1, undefined);
    writer.mark(1, 'leftOut');
    await writer.flush();
    const again = await new OpenDrafts(runtime).look(id, patient);
    expect(again.checked).toMatchObject({ leftOut: 0, accepted: before?.accepted });
  });

  it('has all rows after a check that was killed', async () => {
    const { runtime, id } = await openTestDraft(rows);
    const { draft } = await new OpenDrafts(runtime).look(id, { waitMs: 0 });
    {
      using database = await DraftDatabase.open(draftFiles(runtime, id).database);
      const writer = await RowsWriter.open(runtime, database, draft);
      await writer.add(Array.from({ length: 60 }, (_, row) => ({ line: row + 2, cells: ['torn'] })));
    }
    const again = new OpenDrafts(runtime);
    expect((await again.look(id, patient)).checked).toMatchObject({ rows: 2, accepted: 1, refused: 1 });
    expect((await again.window(id, 'all', 0, 9)).rows.map(({ cells }) => cells[0])).toEqual(['a', 'b']);
  });
});

it('a full disk is told, and loses no edit', async () => {
  const { runtime, id, edit, look } = await openTestDraft(rows);
  const { draft } = await edit({ leaveOut: [1] });
  using database = await DraftDatabase.open(draftFiles(runtime, id).database);
  const { page_count: pages = 0 } = database.get<{ page_count: number }>('PRAGMA page_count') ?? {};
  database.get(`PRAGMA max_page_count = ${pages}`);
  const text = 'x'.repeat(1_000_000);
  const entry = { at: 1, by: 'ann', of: '', cells: [{ row: 1, position: 0, text }] };
  await expect(addEdit(database, draft, entry)).rejects.toMatchObject({
    code: 'draft_not_stored',
    message: 'the draft cannot be stored: the disk is full',
  });
  expect(readEdits(database, draft).skips(1)).toBe(true);
  expect((await look()).edits).toMatchObject({ leftOut: 1 });
});

describe('a file that is no database of a draft', () => {
  const refused = (path: string) => ({
    code: 'draft_not_stored',
    message: `${path} is damaged, or was made by another version`,
    fix: expect.stringContaining('Add the sheet again'),
  });

  it.each([
    ['text', (path: string) => writeFileSync(path, 'no database'.repeat(1000))],
    ['a database of another program', (path: string) => new DatabaseSync(path).exec('CREATE TABLE t (a)')],
  ])('is refused and stays: %s', async (_what, write) => {
    const { runtime, id } = await openTestDraft(rows);
    const path = draftFiles(runtime, id).database;
    write(path);
    const { size } = statSync(path);
    await expect(new OpenDrafts(runtime).look(id, patient)).rejects.toMatchObject(refused(path));
    expect(statSync(path).size).toBe(size);
  });

  it('is told when a part of it is lost', async () => {
    const { runtime, id, look, drafts } = await openTestDraft(rows);
    await look();
    await drafts.remove(id, async () => undefined);
    const path = draftFiles(runtime, id).database;
    truncateSync(path, 8192);
    await expect(new OpenDrafts(runtime).look(id, patient)).rejects.toMatchObject(refused(path));
    expect(existsSync(join(draftFolder(runtime, id), 'sheet'))).toBe(true);
  });
});
