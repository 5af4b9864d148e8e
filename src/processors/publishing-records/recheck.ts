/**
 * The last look before a row with earlier posts is sent again: they were not published when a person retried the row, but that may
 * be some time ago.
 */

import type { EarlierPosts } from '../../ledger/transitions/publishing.ts';
import type { StartVerdict } from '../../ledger/transitions/step-outcomes.ts';
import { type RowIndex, type RowRef, rowNumber } from '../../manifest/row.ts';
import { ApiError, KeyRefusedError, NotSentError, ThrottledError } from '../../service/errors.ts';
import type { CampaignView } from '../runner/campaign-view.ts';
import type { ProcessorContext } from '../runner/context.ts';
import { done, type Outcome, type StepFailure } from '../runner/outcome.ts';
import { type PublishedSince, type Recheck, recheckPosts } from './failed-posts.ts';
import type { RecordTools } from './source.ts';

/** The job runs again with a permit of its own: that of this run may have gone by. */
const atOnce = ({ now }: ProcessorContext): Outcome => ({ kind: 'again', at: now() });

interface RowAtWork {
  readonly context: ProcessorContext;
  readonly view: CampaignView;
  readonly ref: RowRef;
}

/**
 * Reads the records of the row's earlier posts, and notes the look. Nothing is sent.
 * @returns the outcome of this run of the job. The next run sends, if none of the posts was published.
 * @throws {ApiError} for a refused key, while the service answers with 429, and while it cannot be reached.
 */
export async function recheck(
  at: RowAtWork,
  { earlier, isUnchecked }: Extract<StartVerdict, { readonly kind: 'look' }>,
): Promise<Outcome> {
  const { context, ref } = at;
  const found = await look(at, earlier);
  if (found.kind === 'posted') return postByRecord(at, found);
  if (found.kind === 'unread' && !isUnchecked) return unread(found.why);
  if (found.kind === 'unread') {
    await context.ledger.failedPosts.noteLooks(ref.campaign, new Map([[ref.row, earlier]]));
  }
  return atOnce(context);
}

async function postByRecord(
  { context, ref }: RowAtWork,
  { earlier, result }: PublishedSince,
): Promise<Outcome> {
  const reply = await context.ledger.failedPosts.postAgain(ref, earlier, result);
  if (reply === 'stale') return atOnce(context);
  if (reply === 'wake') await context.queues.wakeAdmission(ref.campaign);
  const { postId, postStatus: status } = result;
  context.log.info(
    { campaign: ref.campaign, row: rowNumber(ref.row), postId, status },
    'post no longer failed',
  );
  return done;
}

function unread(why: string): Outcome {
  const failure: StepFailure = {
    code: 'post_unread',
    message: `An earlier post of the row was not published, and must be looked up before another one is sent, but ${why}.`,
    fix: 'Nothing was sent. Retry the row once the publishing records can be read.',
  };
  return { kind: 'retry', failure, exhausted: 'failed' };
}

/** Errors that say nothing about the row. */
const others = [KeyRefusedError, ThrottledError, NotSentError];

async function look({ context, view, ref }: RowAtWork, earlier: EarlierPosts): Promise<Recheck> {
  const { service, settings } = context;
  if (settings.api.listPosts === null)
    return { kind: 'unread', why: 'reading the publishing records is not set up' };
  // The job has attempts of its own.
  const once = { ...settings, retry: { ...settings.retry, attempts: 1 } };
  const tools: RecordTools = { ...context, ...service, settings: once };
  try {
    const found = service.client.posts.narrowsBy('postId')
      ? await recheckPosts(tools, view, new Map([[ref.row, earlier]]))
      : await lookTogether(tools, view, ref.row, earlier);
    return found.get(ref.row) ?? { kind: 'unread', why: 'this version cannot read the row' };
  } catch (error) {
    const isAboutRow = error instanceof ApiError && !others.some((other) => error instanceof other);
    if (!isAboutRow) throw error;
    const why = `the publishing records could not be read (${error.message.replace(/\.$/, '')})`;
    return { kind: 'unread', why };
  }
}

type Looked = ReadonlyMap<number, Recheck>;

const underWay = new WeakMap<CampaignView, Promise<Looked>>();

/** If records can be read only as lists, one look serves all running rows of the campaign that had posts. */
async function lookTogether(
  tools: RecordTools,
  view: CampaignView,
  row: RowIndex,
  earlier: EarlierPosts,
): Promise<Looked> {
  for (let before = underWay.get(view); before !== undefined; before = underWay.get(view)) {
    const found = await before;
    if (found.has(row)) return found;
  }
  const looking = lookAtRunning(tools, view, row, earlier).finally(() => underWay.delete(view));
  underWay.set(view, looking);
  return looking;
}

async function lookAtRunning(
  tools: RecordTools,
  view: CampaignView,
  row: RowIndex,
  earlier: EarlierPosts,
): Promise<Looked> {
  const { ledger } = tools;
  const { id } = view.campaign;
  const had = await ledger.failedPosts.all(id);
  const statuses = await ledger.rows.statusesOf(id, [...had.keys()]);
  const running = [...had].filter((_post, index) => statuses[index]?.state === 'running');
  return recheckPosts(tools, view, new Map([...running, [row, earlier]]));
}
