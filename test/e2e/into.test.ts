import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stopPrivateRedis } from '../../src/platform/redis/private/server.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { editing, importOrUpdate, refused } from './edited-sheet.ts';

describe('campaigns run --into', () => {
  it('with --dry-run says what would be done, and changes nothing', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('1'), videoRow('2', { product_id: refused })];
    await scene.run(['run', scene.manifest(rows)]);
    const file = scene.manifest(editing('2', { product_id: 'p-2' })(scene.results().rows), 'edited.csv');
    const dry = await scene.run(['run', file, '--into', 'c1', '--dry-run']);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain(
      'Changes to c1: 1 changed; 1 already posted or scheduled, unchanged\n  changed: 2\n',
    );
    const shown = await scene.run(['show', 'c1', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({ state: 'ended', counts: { posted: 1, failed: 1 } });
  });

  it('sends nothing while the sheet has problems, whatever is wrong in rows that are left alone', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('1'), videoRow('2', { product_id: refused })];
    await scene.run(['run', scene.manifest(rows)]);
    const edited = await importOrUpdate(scene, (sheet) =>
      sheet.map((row) => ({ ...row, creator: 'nobody-of-this-name' })),
    );
    expect(edited.code).toBe(1);
    expect(edited.document.problems).toMatchObject([{ line: 3, key: '2', code: 'creator_unknown' }]);
  });

  it('goes on where an import into the campaign was interrupted, with rows in any order', async (test) => {
    const scene = await openScene(test);
    const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { product_id: refused }));
    await scene.run(['run', scene.manifest(rows)]);
    const first = await importOrUpdate(scene, (sheet) =>
      editing('b', { product_id: 'p-b' })(sheet.slice(1, 2)),
    );
    expect(first.document).toMatchObject({ matches: { changed: 1 }, counts: { posted: 1, failed: 2 } });
    const rest = await importOrUpdate(scene, (sheet) =>
      sheet.toReversed().map((row) => ({ ...row, product_id: `p-${row.key}` })),
    );
    expect(rest.document).toMatchObject({
      matches: { changed: 2, posted: 1 },
      counts: { posted: 3, failed: 0 },
    });
    expect(rest.code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('takes columns that the campaign did not have, and keeps notes', async (test) => {
    const scene = await openScene(test);
    await scene.run(['run', scene.manifest([videoRow('1', { product_id: refused, _note: 'ask Anna' })])]);
    const edited = await importOrUpdate(scene, (sheet) =>
      sheet.map(({ _note, ...row }) => ({ ...row, product_id: 'p-1', music_id: 'music_7001', _by: 'me' })),
    );
    expect(edited.code).toBe(0);
    const [row] = scene.results().rows;
    expect(row).toMatchObject({ _note: 'ask Anna', _by: 'me', music_id: 'music_7001', status: 'posted' });
    const [post] = scene.sandbox.effects().posts;
    expect(JSON.stringify(post?.request)).toContain('music_7001');
  });

  it('finds the rows of a sheet without keys by what they post, wherever they stand', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('1'), videoRow('2')].map(({ key: _key, ...row }) => row);
    await scene.run(['run', scene.manifest(rows)]);
    const { key: _key, ...added } = videoRow('3');
    const grown = scene.manifest([...rows, added], 'grown.csv');
    const ended = await scene.run(['run', grown, '--into', 'c1', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ matches: { new: 1, posted: 2 }, counts: { posted: 3 } });
    const { key: _fourth, ...first } = videoRow('4');
    const moved = scene.manifest([first, added, ...rows], 'moved.csv');
    const again = await scene.run(['run', moved, '--into', 'c1', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ matches: { new: 1, posted: 3 }, counts: { posted: 4 } });
    expect(scene.sandbox.effects().posts).toHaveLength(4);
  });

  it('says first which edits of posts it ignores, with both texts', async (test) => {
    const scene = await openScene(test);
    await scene.run(['run', scene.manifest([videoRow('a')])]);
    const sheet = scene.manifest([videoRow('a', { caption: 'Edited' }), videoRow('b')], 'next.csv');
    const { stdout } = await scene.run(['run', sheet, '--into', 'c1', '--dry-run']);
    expect(stdout).toMatch(
      /Changes to c1: .*\n {2}changed in the sheet, but not in the campaign: a\n {4}line 2, a, caption: stays “Caption a”; the sheet has “Edited”\n {2}new: b\n/,
    );
  });

  it('refuses a sheet without keys where the rows of the campaign have keys of their own', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('a'), videoRow('b')];
    await scene.run(['run', scene.manifest(rows)]);
    const bare = rows.map(({ key: _key, ...row }) => row);
    const ended = await scene.run(['run', scene.manifest(bare, 'bare.csv'), '--into', 'c1', '--json']);
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout).problems).toMatchObject([{ code: 'key_missing' }]);
    expect(scene.sandbox.effects().posts).toHaveLength(2);
  });

  it('refuses keys that were moved apart from their rows', async (test) => {
    const scene = await openScene(test);
    await scene.run(['run', scene.manifest([videoRow('a', { product_id: refused }), videoRow('b')])]);
    const keys: Readonly<Record<string, string>> = { a: 'b', b: 'a' };
    const edited = await importOrUpdate(scene, (sheet) =>
      sheet.map((row) => ({ ...row, key: keys[row.key ?? ''] ?? '' })),
    );
    expect(edited.code).toBe(1);
    expect(edited.document.problems).toMatchObject([{ line: 3, key: 'a', code: 'key_changed' }]);
    expect(scene.sandbox.effects().posts).toHaveLength(1);
  });

  it('takes no row whose media is missing, and counts none as taken', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('a', { product_id: refused }), videoRow('b', { product_id: refused })];
    await scene.run(['run', scene.manifest(rows)]);
    const file = scene.manifest(editing('a', { product_id: 'p-a' })(scene.results().rows), 'edited.csv');
    rmSync(join(scene.folder, 'b.mp4'));
    const ended = await scene.run(['run', file, '--into', 'c1', '--skip-invalid', '--json']);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      matches: { changed: 1, redone: 0 },
      counts: { posted: 1, failed: 1 },
    });
  });

  it('counts rows that it leaves out, until they come in after all', async (test) => {
    const scene = await openScene(test);
    const wrong = (key: string) => videoRow(key, { creator: 'nobody-of-this-name' });
    await scene.run(['run', scene.manifest([videoRow('1'), wrong('2')]), '--skip-invalid']);
    const more = scene.manifest([wrong('3'), videoRow('4')], 'more.csv');
    const left = await scene.run(['run', more, '--into', 'c1', '--skip-invalid', '--json']);
    expect(left.code).toBe(3);
    expect(JSON.parse(left.stdout)).toMatchObject({ leftOut: 2, counts: { posted: 2 } });
    const edited = scene.manifest([videoRow('2'), videoRow('3')], 'edited.csv');
    const all = await scene.run(['run', edited, '--into', 'c1', '--json']);
    expect(all.code).toBe(0);
    expect(JSON.parse(all.stdout)).toMatchObject({ leftOut: 0, counts: { posted: 4 } });
  });

  it.for([['a row of another campaign', { campaign: 'c9' }, 'other_campaign']] as const)(
    'refuses %s',
    async ([, cells, code], test) => {
      const scene = await openScene(test);
      await scene.run(['run', scene.manifest([videoRow('1')])]);
      const edited = await importOrUpdate(scene, editing('1', cells));
      expect(edited.code).toBe(1);
      expect(edited.document.problems).toMatchObject([{ code }]);
      expect(scene.sandbox.effects().posts).toHaveLength(1);
    },
  );

  it('refuses a campaign that is not there, and flags that mean nothing with it', async (test) => {
    const scene = await openScene(test);
    const file = scene.manifest([videoRow('1')]);
    expect((await scene.run(['run', file, '--into', 'c7'])).stderr).toContain('there is no campaign c7');
    expect(await scene.run(['run', file, '--into', 'c7', '--again'])).toMatchObject({ code: 2 });
    expect(await scene.run(['run', file, '--dry-run'])).toMatchObject({ code: 2 });
  });
});

describe('campaigns import', () => {
  it('hands a manifest, and a edited sheet, to a worker that runs elsewhere', async (test) => {
    const scene = await openScene(test);
    const worker = scene.start(['worker']);
    const file = scene.manifest([videoRow('1'), videoRow('2', { product_id: refused })]);
    const imported = await scene.run(['import', file, '--json']);
    expect(imported.code).toBe(0);
    expect(JSON.parse(imported.stdout)).toMatchObject({ id: 'c1', rows: 2, state: 'running' });
    await expect
      .poll(async () => JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout))
      .toMatchObject({ state: 'ended', counts: { posted: 1, failed: 1 } });
    await scene.run(['report', 'c1', '--out', 'posts.results.csv']);
    const edited = scene.manifest(editing('2', { product_id: 'p-2' })(scene.results().rows), 'edited.csv');
    expect((await scene.run(['import', edited, '--into', 'c1'])).code).toBe(0);
    await expect
      .poll(async () => JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout))
      .toMatchObject({ state: 'ended', counts: { posted: 2 } });
    worker.kill('SIGTERM');
    expect((await worker.end()).code).toBe(0);
  });
});

describe('a results sheet of another ledger', () => {
  it('is refused by --into, although a campaign has the same id; one without the column is taken', async (test) => {
    const scene = await openScene(test);
    const rows = [videoRow('1'), videoRow('2', { product_id: refused })];
    const file = scene.manifest(rows);
    expect((await scene.run(['run', file])).code).toBe(3);
    const there = { DATA_DIR: join(scene.folder, 'other') };
    test.onTestFinished(() => stopPrivateRedis(there.DATA_DIR).then(() => undefined));
    expect((await scene.run(['run', file, '--out', 'other.csv'], there)).code).toBe(3);

    const own = scene.results();
    const other = scene.results('other.csv');
    expect(own.columns.slice(-13, -11)).toEqual(['ledger', 'campaign']);
    expect(new Set([...own.rows, ...other.rows].map(({ campaign }) => campaign))).toEqual(new Set(['c1']));
    const posts = scene.sandbox.effects().posts.length;
    const into = await scene.run(['run', 'other.csv', '--into', 'c1', '--json']);
    expect(into.code).toBe(1);
    expect(JSON.parse(into.stdout).problems).toMatchObject([
      { column: 'ledger', code: 'other_ledger', fix: expect.stringContaining('DATA_DIR') },
      { column: 'ledger', code: 'other_ledger' },
    ]);
    expect(scene.sandbox.effects().posts).toHaveLength(posts);

    const withoutIt = other.rows.map(({ ledger: _ledger, ...row }) => row);
    const older = await scene.run([
      'run',
      scene.manifest(withoutIt, 'older.csv'),
      '--into',
      'c1',
      '--dry-run',
    ]);
    expect(older.stderr + older.stdout).not.toContain('other_ledger');
  });
});
