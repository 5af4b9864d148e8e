import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { draftFiles } from '../../../src/campaigns/drafts/folder.ts';
import { videoRow } from '../../support/rows.ts';
import { openDesk } from './desk.ts';

const rows = [videoRow('a'), videoRow('b', { creator: 'demo_nobody' }), videoRow('c')];
const toBen = { cells: [{ row: 2, position: 1, text: 'demo_ben' }] };

describe('a start', () => {
  it('imports the mended rows, and sends them', async () => {
    const { desk, id, mend, runner, runtime } = await openDesk(rows);
    const { draft, checked } = await mend(toBen);
    const before = readFileSync(draftFiles(runtime, id).sheet, 'utf8');
    const { campaign } = await desk.start(id, { by: 'ann', version: draft.version, rows: 3 });
    expect(campaign).toMatchObject({ name: 'Spring', rows: 3, sha256: checked?.sha256 });
    await runner.start();
    await runner.ended(campaign.id);
    expect((await runner.rows(campaign.id)).map(({ state }) => state)).toEqual([
      'posted',
      'posted',
      'posted',
    ]);
    expect(readFileSync(draftFiles(runtime, id).sheet, 'utf8')).toBe(before);
  });

  it('without a row that was left out sends the others', async () => {
    const { desk, id, mend } = await openDesk(rows);
    const { draft } = await mend({ leaveOut: [2] });
    const { campaign } = await desk.start(id, { by: 'ann', version: draft.version, rows: 2 });
    expect(campaign).toMatchObject({ rows: 2, leftOut: 1 });
  });

  it('of another number of rows than was shown imports nothing', async () => {
    const { desk, id, mend, runner } = await openDesk(rows);
    const { draft } = await mend(toBen);
    await expect(desk.start(id, { by: 'ann', version: draft.version, rows: 2 })).rejects.toMatchObject({
      code: 'plan_changed',
      message: 'nothing was started: 3 rows can be posted now, not 2',
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('with problems that nobody agreed to leave out imports nothing', async () => {
    const { desk, id, look, runner } = await openDesk(rows);
    const { version } = (await look()).draft;
    const start = desk.start(id, { by: 'ann', version, rows: 2 });
    await expect(start).rejects.toMatchObject({ code: 'plan_changed' });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('after somebody else changed the draft imports nothing', async () => {
    const { desk, id, look, mend, runner } = await openDesk(rows);
    const { version } = (await look()).draft;
    await mend(toBen);
    await expect(desk.start(id, { by: 'bob', version, rows: 3 })).rejects.toMatchObject({
      code: 'draft_changed',
      message: 'ann has changed the draft meanwhile: mended cells',
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });

  it('pressed twice makes one campaign', async () => {
    const { desk, id, mend, runner } = await openDesk(rows);
    const { version } = (await mend(toBen)).draft;
    const agreed = { by: 'ann', version, rows: 3 };
    const started = await Promise.all([desk.start(id, agreed), desk.start(id, agreed)]);
    expect(started.map(({ isNew }) => isNew).sort()).toEqual([false, true]);
    expect(await runner.ledger.campaigns.list()).toHaveLength(1);
  });

  it('of all rows left out is refused', async () => {
    const { desk, id, mend, runner } = await openDesk(rows);
    const { version } = (await mend({ leaveOut: [1, 2, 3] })).draft;
    const start = desk.start(id, { by: 'ann', version, rows: 0 });
    await expect(start).rejects.toMatchObject({
      code: 'plan_changed',
      message: expect.stringContaining('all its rows are left out'),
    });
    expect(await runner.ledger.campaigns.list()).toEqual([]);
  });
});
