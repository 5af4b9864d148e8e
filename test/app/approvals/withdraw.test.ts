/** An approval is withdrawn while its post waits for its day: then it waits for another approval. */
import { expect, it } from 'vitest';
import { cancelCampaign } from '../../../src/app/campaigns/steer.ts';
import { rescue } from '../../../src/processors/rescue/rescuer.ts';
import { openApprovals } from '../../support/approvals.ts';
import { videoRow } from '../../support/sheets/rows.ts';

const day = 86_400_000;
const planned = new Date(Date.now() + 10 * day).toISOString();
const soon = { scheduled_at: planned };
const later = { approve: 'all', lead: day } as const;

it('a post is not sent on its day without its approval; then once, with another one', async () => {
  const { runner, id, clock, posts, waiting, approve, withdraw } = await openApprovals(
    [videoRow('a', soon), videoRow('b', soon)],
    later,
  );
  const seen = await waiting(2);
  await approve(seen);
  expect(await withdraw(seen.slice(0, 1))).toMatchObject({
    posts: [{ key: 'a', state: 'ready', refused: null }],
  });
  clock.now += 9.5 * day;
  await rescue(runner.context);
  await runner.until(() => posts().length === 1, 'the other post');
  const [again] = await waiting(1);
  expect(again).toMatchObject({ key: 'a', revision: 1, scheduledAt: new Date(planned).toISOString() });
  await approve(again ? [again] : []);
  await runner.ended();
  expect(posts().map(({ body }) => (body as { title?: string }).title)).toEqual(['Caption b', 'Caption a']);
  expect(await runner.ledger.approvals.of(id, [0])).toMatchObject([{ is: 'approved' }]);
});

it('what was shown before cannot be approved after it', async () => {
  const { waiting, approve, withdraw } = await openApprovals([videoRow('a', soon)], later);
  const seen = await waiting(1);
  await approve(seen);
  await withdraw(seen);
  expect(await approve(seen)).toMatchObject({
    posts: [{ state: null, refused: 'It has changed since it was shown. Look at it again.' }],
  });
});

it('says of each post whose approval stays why', async () => {
  const { runner, id, waiting, approve, reject, withdraw } = await openApprovals(
    [
      videoRow('open', soon),
      videoRow('free', { ...soon, approve: 'none' }),
      videoRow('rejected', soon),
      videoRow('posted'),
      videoRow('held', soon),
      videoRow('other', soon),
    ],
    later,
  );
  const shown = await waiting(5);
  const of = (...keys: string[]) => shown.filter(({ key }) => keys.includes(key));
  await reject(of('rejected'), 'Wrong');
  await approve(of('posted', 'held', 'other'));
  await runner.until(async () => {
    const campaign = await runner.ledger.campaigns.find(id);
    return campaign?.counts.posted === 1 && campaign.counts.ready === 4;
  }, 'the post, and the rows that wait');
  const rows = [0, 1, 2, 3, 4, 5].map((position) => ({ position, revision: position === 5 ? 7 : 0 }));
  const { posts } = await withdraw([...rows, { position: 6, revision: 0 }]);
  expect(posts.map(({ key, refused }) => [key, refused])).toEqual([
    ['open', 'It already waits for approval.'],
    ['free', 'It has no approval.'],
    ['rejected', 'It no longer waits: it has failed.'],
    ['posted', 'It no longer waits: it is posted.'],
    ['held', null],
    ['other', 'It has changed since it was shown. Look at it again.'],
  ]);
  expect(await runner.ledger.approvals.approved(id)).toEqual([5]);
});

it('stays in a post that has been taken up', async () => {
  const { runner, id, clock, waiting, approve, withdraw, posts } = await openApprovals(
    [videoRow('a', soon)],
    later,
  );
  const seen = await waiting(1);
  await approve(seen);
  clock.now += 9.5 * day;
  await runner.ledger.admission.wakeReady(id, 1);
  const [refused] = (await withdraw(seen)).posts;
  expect(refused).toMatchObject({ state: null, refused: 'It is already being sent: its approval stays.' });
  await runner.ended();
  expect(posts()).toHaveLength(1);
});

it('is refused in a cancelled campaign', async () => {
  const { runner, id, waiting, approve, withdraw } = await openApprovals([videoRow('a', soon)], later);
  const seen = await waiting(1);
  await approve(seen);
  await cancelCampaign(runner.context, id);
  await expect(withdraw(seen)).rejects.toMatchObject({ code: 'approval_refused' });
});
