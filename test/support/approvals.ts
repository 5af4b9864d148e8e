/** Posts that wait for an approval. */
import { decidePosts } from '../../src/app/approvals/approve.ts';
import { listWaitingPosts, type WaitingPost } from '../../src/app/approvals/waiting-posts.ts';
import { editRow } from '../../src/app/campaigns/rows/edit.ts';
import type { ColumnName } from '../../src/manifest/columns.ts';
import { openPages } from './console/console-pages.ts';
import { openRunner } from './in-process.ts';
import type { SettingsSections } from './processes/scene.ts';
import type { Cells } from './sheets/sheet.ts';
import type { HandInOptions } from './wiring.ts';

/** A running campaign whose posts wait for an approval, its pages, and what people do. @param prepare the media of the sheet, in their folder. */
export async function openApprovals(
  rows: readonly Cells[],
  options: HandInOptions = { approve: 'all' },
  prepare: (folder: string) => void = () => undefined,
  settings: SettingsSections = {},
) {
  const clock = { now: Math.floor(Date.now() / 60_000) * 60_000 };
  const opened = await openRunner({ now: () => clock.now, settings });
  const id = await opened.importOrUpdate(rows, options);
  prepare(opened.folder);
  await opened.start();
  // An admission that ends at the moment of a change is woken by the rescuer a few seconds later: not while the clock stands still.
  const until: typeof opened.until = (look, what) =>
    opened.until(async () => {
      await opened.queues.wakeAdmission(id);
      return look();
    }, what);
  const ended = () =>
    until(async () => {
      const campaign = await opened.ledger.campaigns.find(id);
      return campaign?.state === 'ended' && campaign;
    }, 'the end of the campaign');
  const runner = { ...opened, until, ended };
  const pages = await openPages(runner);
  const { runtime } = pages;
  const posts = () => runner.sandbox.calls('createCreatorPost');
  /** @returns them once there are so many, and all of them can be approved. */
  const waiting = (many: number) =>
    runner.until(async () => {
      const { items: posts } = await listWaitingPosts(runtime, { limit: many + 1 });
      return posts.length === many && posts.every(({ fault }) => fault === null) && posts;
    }, `${many} posts to wait for an approval`);
  const approve = (seen: readonly WaitingPost[]) =>
    decidePosts(
      runtime,
      id,
      seen.map(({ position, revision, seen: digest }) => ({ position, revision, seen: digest ?? '' })),
      { verdict: { decision: 'approve' }, by: 'mei' },
    );
  const reject = (seen: readonly WaitingPost[], reason: string) =>
    decidePosts(
      runtime,
      id,
      seen.map(({ position, revision }) => ({ position, revision })),
      { verdict: { decision: 'reject', reason }, by: 'mei' },
    );
  const withdraw = (seen: readonly Pick<WaitingPost, 'position' | 'revision'>[]) =>
    decidePosts(runtime, id, seen, { verdict: { decision: 'withdraw' }, by: 'mei' });
  const edit = (key: string, column: ColumnName, text: string, revision = 0) =>
    editRow(
      runtime,
      { campaign: id, key, revision, cells: new Map([[column, text]]) },
      { dryRun: false, by: 'anna' },
    );
  return { runner, pages, runtime, id, clock, posts, waiting, approve, reject, withdraw, edit };
}

/** Values of the posts on the page of approvals, in order. */
export function shownPosts(html: string): readonly string[] {
  const posts = html.matchAll(/class="chosen" id="[^"]*" name="post" value="([^"]*)"/g);
  return [...posts].map(([, value = '']) => value);
}
