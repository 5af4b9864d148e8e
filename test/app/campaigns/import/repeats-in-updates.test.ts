/** Updates by a sheet, and edits of a row, that repeat posts. */
import { describe, expect, it } from 'vitest';
import { updateCampaign } from '../../../../src/app/campaigns/import/update.ts';
import { editRow } from '../../../../src/app/campaigns/rows/edit.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { found, openHall, rows } from './sheets-in-turn.ts';

it('a sheet that goes into a campaign repeats other campaigns, but not its own', async (test) => {
  const { runner, runtime, start, write, media } = await openHall(test);
  media(rows);
  await start([videoRow('a')]);
  await start([videoRow('b')]);
  const sheet = [videoRow('a', { caption: 'New caption' }), videoRow('b'), videoRow('a', { key: 'd' })];
  const options = { problemsFile: null, onPlan: () => undefined };
  const refused = await updateCampaign(runtime, 'c1', write(sheet), options);
  expect(refused.kind).toBe('problems');
  expect(found(refused.check).problems).toEqual([
    'b already_posted: already in c2, row b, which is not posted yet',
  ]);
  const updated = await updateCampaign(runtime, 'c1', write(sheet), { ...options, again: true });
  expect(updated).toMatchObject({ kind: 'updated', campaign: { rows: 3 } });
  // New and changed rows are known from now on, and what they were before is not.
  const { check } = await start([
    videoRow('a', { key: 'x', caption: 'New caption' }),
    videoRow('a', { key: 'y', caption: 'Third' }),
  ]);
  expect(found(check).problems).toEqual(['x already_posted: already in c1, row a, which is not posted yet']);
  expect(await runner.ledger.posts.version()).not.toBe('0');
});

describe('an update by a sheet whose keys were changed', () => {
  const plan = { problemsFile: null, onPlan: () => undefined };

  it('refuses new rows whose posts the campaign has, and names the old keys', async (test) => {
    const { runner, runtime, start, write, media } = await openHall(test, {});
    const before = ['007', 'May-Launch', 'X-08'].map((key) => videoRow('a', { key, caption: `For ${key}` }));
    media([...before, videoRow('new')]);
    await runner.start();
    const { id = '' } = await start(before);
    await runner.queues.wakeAdmission(id);
    await runner.ended(id);
    const after = ['7', 'may_launch', 'x8'].map((key, row) => ({ ...before[row], key }));
    const refused = await updateCampaign(runtime, id, write([...after, videoRow('new')]), plan);
    expect(refused.kind).toBe('problems');
    expect(found(refused.check).problems).toEqual([
      '7 already_posted: already in c1, row 007, posted 3 Mar',
      'may_launch already_posted: already in c1, row May-Launch, posted 3 Mar',
      'x8 already_posted: already in c1, row X-08, posted 3 Mar',
    ]);
    expect(refused.check.problems.kept[0]).toMatchObject({ column: 'key', value: '7', meant: '007' });
    const again = await updateCampaign(runtime, id, write(after), { ...plan, again: true, dryRun: true });
    expect(again).toMatchObject({ kind: 'planned', matches: { new: { count: 3 } } });
  });

  it('gives a post to no other row while the row that has it keeps it, because it has a problem', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    const one = videoRow('a', { scheduled_at: '2026-05-01 10:00Z' });
    const later = { ...one, key: 'c', scheduled_at: '2026-05-02 10:00Z' };
    const two = videoRow('b', { scheduled_at: '2026-05-03 10:00Z' });
    media([one, two]);
    await start([one, later, two]);
    const exchanged = [{ ...one, creator: 'nobody_here' }, later, { ...one, key: 'b' }];
    const { kind, check } = await updateCampaign(runtime, 'c1', write(exchanged), {
      ...plan,
      skipInvalid: true,
    });
    expect(kind).toBe('problems');
    expect(check.blocking).toMatchObject([
      {
        code: 'key_changed',
        value: 'a',
        problem:
          'rows a and b would have the same post in c1, because row a has a problem and cannot be updated',
      },
    ]);
  });

  it('takes nothing of a sheet with a key twice, even if rows with problems are skipped', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const copied = [{ ...rows[0], creator: 'demo_ben' }, ...rows];
    const { kind, check } = await updateCampaign(runtime, 'c1', write(copied), {
      ...plan,
      skipInvalid: true,
    });
    expect([kind, ...check.problems.byCode.keys()]).toEqual(['problems', 'key_changed']);
  });

  it('takes the other rows if only a copy of an unchanged row is skipped', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media([...rows, videoRow('new')]);
    await start(rows);
    const copied = [...rows, { ...rows[0], caption: 'Another' }, videoRow('new')];
    const options = { ...plan, skipInvalid: true };
    const updated = await updateCampaign(runtime, 'c1', write(copied), options);
    expect([...updated.check.problems.byCode.keys()]).toEqual(['duplicate_key']);
    expect(updated).toMatchObject({
      kind: 'updated',
      matches: { new: { count: 1 }, changed: { count: 0 }, unchanged: { count: rows.length } },
    });
  });

  it('names no key that another row of the sheet has', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const twice = rows.map((row) => ({ ...row, key: `${row.key}0` }));
    const { check } = await updateCampaign(runtime, 'c1', write([...rows, ...twice]), plan);
    expect(check.problems.kept).toHaveLength(rows.length);
    for (const problem of check.problems.kept) {
      expect(problem).toMatchObject({ column: null, code: 'already_posted' });
      expect(problem.meant).toBeUndefined();
    }
  });

  it('counts rows that wait', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const renamed = rows.map((row) => ({ ...row, key: row.key?.toUpperCase() ?? '' }));
    const { check } = await updateCampaign(runtime, 'c1', write(renamed), plan);
    expect(found(check).problems).toEqual([
      'A already_posted: already in c1, row a, which is not posted yet',
      'B already_posted: already in c1, row b, which is not posted yet',
    ]);
  });

  it('lets a row take the content of one that the same sheet changes', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media(rows);
    await start(rows);
    const sheet = [videoRow('a', { caption: 'Another' }), videoRow('a', { key: 'c' })];
    const updated = await updateCampaign(runtime, 'c1', write(sheet), plan);
    expect(updated).toMatchObject({ kind: 'updated', campaign: { rows: 3 } });
  });

  it('finds a waiting row that has changed its key with a posted one', async (test) => {
    const { runner, runtime, start, write, media } = await openHall(test, {});
    media(rows);
    await runner.start();
    const { id = '' } = await start(rows, { canary: 1 });
    await runner.queues.wakeAdmission(id);
    await runner.until(
      async () => (await runner.ledger.campaigns.find(id))?.state === 'paused',
      'the canary',
    );
    const [a = {}, b = {}] = rows;
    const moved = await updateCampaign(
      runtime,
      id,
      write([
        { ...b, key: 'a' },
        { ...a, key: 'b' },
      ]),
      plan,
    );
    expect(moved).toMatchObject({
      kind: 'updated',
      matches: { posted: { keys: ['a'] }, unchanged: { keys: ['b'] }, changed: { count: 0 } },
    });
  });

  it('warns of a new row whose key differs from an old one only in zeros, whatever its content', async (test) => {
    const { runtime, start, write, media } = await openHall(test);
    media([videoRow('a')]);
    await start([videoRow('a', { key: 'X-08' })]);
    const changed = videoRow('a', { key: 'x8', caption: 'Better' });
    const { check } = await updateCampaign(runtime, 'c1', write([changed]), { ...plan, dryRun: true });
    expect(found(check)).toMatchObject({ problems: [], warnings: [expect.stringContaining('row X-08')] });
    const both = [changed, videoRow('a', { key: 'X-08' })].reverse();
    const named = await updateCampaign(runtime, 'c1', write(both), { ...plan, dryRun: true });
    expect(named.check.warnings.byCode.has('similar_key')).toBe(false);
  });
});

it('a row that is edited may become a repeat of another row of its campaign', async (test) => {
  const { runtime, start, media } = await openHall(test);
  media(rows);
  await start([videoRow('a'), videoRow('a', { key: 'b', caption: 'Other' })]);
  const cells = new Map([['caption', 'Caption a']] as const);
  const edit = { campaign: 'c1', key: 'b', revision: 0, cells };
  const { plan } = await editRow(runtime, edit, { dryRun: false, by: 'anna' });
  expect(plan).toMatchObject({ kind: 'problems', problems: [{ code: 'already_posted' }] });
  const saved = await editRow(runtime, { ...edit, again: true }, { dryRun: false, by: 'anna' });
  expect(saved.end).toBe('saved');
});

it('a row that is edited may become a repeat', async (test) => {
  const { runtime, start, media } = await openHall(test);
  media(rows);
  await start(rows);
  await start([videoRow('a', { caption: 'Other' })]);
  const edit = {
    campaign: 'c2',
    key: 'a',
    revision: 0,
    cells: new Map([['caption', 'Caption a']] as const),
  };
  const { plan } = await editRow(runtime, edit, { dryRun: false, by: 'anna' });
  expect(plan).toMatchObject({ kind: 'problems', problems: [{ code: 'already_posted' }] });
  const saved = await editRow(runtime, { ...edit, again: true }, { dryRun: false, by: 'anna' });
  expect(saved.end).toBe('saved');
});
