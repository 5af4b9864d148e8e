/** The results tell a decision only of what was posted, or would be. */
import { expect, it } from 'vitest';
import { resultLines } from '../../../../src/app/campaigns/results/sheet.ts';
import { rescue } from '../../../../src/processors/rescue/rescuer.ts';
import { openApprovals } from '../../../support/approvals.ts';
import { day, soon } from '../../../support/client-links.ts';
import { collect } from '../../../support/collect.ts';
import { aiVideoRow, videoRow } from '../../../support/sheets/rows.ts';
import type { Cells } from '../../../support/sheets/sheet.ts';

/** A campaign with one post that waits for an approval, and its cells in the results. */
async function openResults(row: Cells, settings = {}) {
  const opened = await openApprovals([row], { approve: 'all', lead: day }, undefined, settings);
  const { runner, clock, id, waiting, approve, reject } = opened;
  const campaign = async () => (await runner.ledger.campaigns.find(id)) ?? expect.unreachable();
  const cells = async () => {
    const [header = [], line = []] = await collect<readonly string[]>(
      resultLines(runner.ledger, await campaign()),
    );
    return ['approval', 'approved_by'].map((name) => line[header.indexOf(name)]);
  };
  const approved = async () => void (await approve(await waiting(1)));
  const rejected = async () => void (await reject(await waiting(1), 'Wrong product'));
  const posted = async () => {
    clock.now += 9.5 * day;
    await rescue(runner.context);
    expect((await runner.ended()).counts).toMatchObject({ posted: 1 });
  };
  const ready = (where: (counts: { unapproved: number; unpaid: number }) => boolean) =>
    runner.until(async () => {
      const found = await campaign();
      return found.counts.ready === 1 && where(found);
    }, 'the row to be ready again');
  return { ...opened, cells, approved, rejected, posted, ready };
}

it('waiting', async () => {
  const { waiting, cells } = await openResults(videoRow('a', soon));
  await waiting(1);
  expect(await cells()).toEqual(['waiting', '']);
});

it('approved: before its day, and posted', async () => {
  const { cells, approved, posted } = await openResults(videoRow('a', soon));
  await approved();
  expect(await cells()).toEqual(['approved', 'mei']);
  await posted();
  expect(await cells()).toEqual(['approved', 'mei']);
});

it('rejected', async () => {
  const { cells, rejected } = await openResults(videoRow('a', soon));
  await rejected();
  expect(await cells()).toEqual(['rejected', 'mei']);
});

it('nothing: approved, then edited, and not made yet', async () => {
  const settings = { spend: { maxOutputs: 1 } };
  const { cells, approved, edit, ready } = await openResults(aiVideoRow('a', soon), settings);
  await approved();
  await edit('a', 'ai_prompt', 'Another video');
  await ready(({ unpaid }) => unpaid === 1);
  expect(await cells()).toEqual(['', '']);
});

it('nothing: approved, then edited, and posted without an approval', async () => {
  const opened = await openResults(videoRow('a', { ...soon, approve: 'all' }));
  const { cells, approved, posted, edit, ready } = opened;
  await approved();
  await edit('a', 'approve', 'none');
  await ready(({ unapproved }) => unapproved === 0);
  await posted();
  expect(await cells()).toEqual(['', '']);
});

it('nothing: rejected, then edited, and posted without an approval', async () => {
  const opened = await openResults(videoRow('a', { ...soon, approve: 'all' }));
  const { cells, rejected, posted, edit, ready } = opened;
  await rejected();
  await edit('a', 'approve', 'none', 0);
  await ready(({ unapproved }) => unapproved === 0);
  await posted();
  expect(await cells()).toEqual(['', '']);
});
