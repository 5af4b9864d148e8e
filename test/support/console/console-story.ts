/** A console with something on every page: rows in each state, videos, limits, users. Texts of people and of the service are hostile. */
import { onTestFinished, type TestContext } from 'vitest';
import { roles } from '../../../src/app/access/roles.ts';
import { setQueuePaused } from '../../../src/app/campaigns/queues.ts';
import { openRunner, type TestRunner } from '../in-process.ts';
import { videoRow } from '../sheets/rows.ts';
import { addPlayed } from '../watched.ts';
import { quickUser } from './access.ts';
import { openPages, type Pages } from './console-pages.ts';

/** Script, right-to-left override, formula. */
export const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>\u202eevil =HYPERLINK("x")';
const short = '<img src=x>\u202e=1+1';

export interface Story {
  readonly runner: TestRunner;
  readonly pages: Pages;
  /** Pages that a viewer may see. */
  readonly paths: readonly string[];
  /** Pages that a viewer may not see. */
  readonly otherPaths: readonly string[];
}

/** A time that many minutes from now. */
const soon = (minutes: number) => ({ scheduled_at: new Date(Date.now() + minutes * 60_000).toISOString() });

/** @param users whether there are any: then everybody must sign in, as a user with the name of a role. */
export async function openStory(
  { users = false } = {},
  test: Pick<TestContext, 'onTestFinished'> = { onTestFinished },
): Promise<Story> {
  const runner = await openRunner({}, test);
  const { faults } = runner.sandbox;
  // Keys have no invisible characters: a check refuses them.
  const failing = 'failed/<img src=x>&=1+1?';
  const refused = { code: 16001001, message: hostile };
  const match = { title: `refused ${hostile}` };
  faults.add({ operation: 'createCreatorPost', kind: 'status', status: 400, body: refused, match });
  faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', match: { title: `lost ${hostile}` } });
  faults.add({
    operation: 'createCreatorPost',
    kind: 'code',
    code: 40101,
    message: hostile,
    match: 'p-expired',
  });
  const texts = { product_title: short, _note: hostile };
  const id = await runner.importOrUpdate([
    videoRow(failing, {
      ...texts,
      product_id: 'p-failed',
      media: 'failed.mp4',
      caption: `refused ${hostile}`,
    }),
    videoRow('lost', { ...texts, caption: `lost ${hostile}` }),
    videoRow('expired', { ...texts, creator: 'demo_ben', caption: '上嘴那一刻就知道了' }),
    videoRow('late', { ...texts, ...soon(30), caption: hostile }),
    videoRow('later', { ...texts, ...soon(40) }),
  ]);
  await runner.start();
  await runner.ended(id);
  const held = await runner.importOrUpdate([videoRow('d', texts), videoRow('e', texts)], { canary: 1 });
  await runner.until(
    async () => (await runner.ledger.campaigns.find(held))?.state === 'paused',
    'the canary to end',
  );
  const campaign = runner.ledger.keys.campaign(id);
  await runner.redis.hset(campaign, { name: hostile, source: `/tmp/${hostile}.csv` });
  const day = 86_400;
  const now = Math.floor(Date.now() / 1000);
  const facts = { creator: short, product: short, label: hostile, campaign: id, key: 'late' };
  const samples = [10, 5, 1].map((days) => [now - days * day, 10_000 - days * 10, hostile] as const);
  const video = await addPlayed(runner, 'a', { facts, meta: { author: hostile }, samples });
  const pages = await openPages(runner, test);
  await setQueuePaused(pages.runtime, 'upload', true, { by: 'anna', why: hostile });
  if (users) {
    for (const role of roles) await quickUser(runner, role, role);
  }
  const row = (key: string) => `/campaigns/${id}/rows/${encodeURIComponent(key)}`;
  const typed = new URLSearchParams({ text: hostile, creator: hostile, code: hostile });
  return {
    runner,
    pages,
    paths: [
      ...['/campaigns', `/campaigns?${new URLSearchParams({ q: hostile })}`],
      ...[`/campaigns/${id}`, `/campaigns/${id}?${typed}`, `/campaigns/${held}`],
      ...[row(failing), row('lost'), row('late'), `/campaigns/${held}/rows/d`],
      ...['/review', `/review?${typed}`, '/calendar', `/calendar?${typed}`],
      ...[
        '/videos',
        `/videos?${typed}`,
        '/videos/report',
        `/videos/${video}`,
        '/queues',
        '/campaigns/new',
        '/campaigns/aliases',
      ],
    ],
    otherPaths: [
      ...[`/campaigns/${id}/retry`, `/campaigns/${id}/into`, `/campaigns/${held}/cancel`],
      ...[`/campaigns/${id}/creators/demo_ben/resume`, `${row(failing)}/retry`],
      ...[
        '/queues/post/pause',
        '/videos/read',
        '/videos/import',
        `/videos/${video}/remove`,
        '/users',
        '/audit',
      ],
    ],
  };
}
