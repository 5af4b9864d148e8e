/**
 * Rechecks the earlier posts of a row before it is sent again. They were not published when a person retried the row, but that may be
 * some time ago.
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

/** The job runs again with a permit of its own, because that of this run may be over. */
const atOnce = ({ now }: ProcessorContext): Outcome => ({ kind: 'again', at: now() });

interface RecheckInput {
  readonly context: ProcessorContext;
  readonly view: CampaignView;
  readonly ref: RowRef;
}

/**
 * Reads the records of the row's earlier posts, and records that. Nothing is sent.
 * @returns the outcome of this run of the job. The next run sends, if none of the posts was published.
 * @throws {ApiError} for a refused key, while the service answers with 429, and while it cannot be reached.
 */
export async function recheck(
  input: RecheckInput,
  { earlier, isUnchecked }: Extract<StartVerdict, { readonly kind: 'recheck' }>,
): Promise<Outcome> {
  const { context, ref } = input;
  const found = await recheckRow(input, earlier);
  if (found.kind === 'posted') return postByRecord(input, found);
  if (found.kind === 'unread' && !isUnchecked) return unread(found.why);
  if (found.kind === 'unread') {
    await context.ledger.failedPosts.recordRechecks(ref.campaign, new Map([[ref.row, earlier]]));
  }
  return atOnce(context);
}

async function postByRecord(
  { context, ref }: RecheckInput,
  { earlier, result }: PublishedSince,
): Promise<Outcome> {
  const reply = await context.ledger.failedPosts.postAgain(ref, earlier, result);
  if (reply === 'stale') return atOnce(context);
  if (reply === 'wake') await context.queues.wakeAdmission(ref.campaign);
  const { postId, postStatus: status } = result;
  const facts = { campaign: ref.campaign, row: rowNumber(ref.row), postId, status };
  context.log.info(facts, 'post no longer failed');
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
const unrelatedErrors = [KeyRefusedError, ThrottledError, NotSentError];

async function recheckRow({ context, view, ref }: RecheckInput, earlier: EarlierPosts): Promise<Recheck> {
  const { service, settings } = context;
  if (settings.api.listPosts === null)
    return { kind: 'unread', why: 'reading the publishing records is not set up' };
  // The job has attempts of its own.
  const once = { ...settings, retry: { ...settings.retry, attempts: 1 } };
  const tools: RecordTools = { ...context, ...service, settings: once };
  try {
    const found = service.client.posts.narrowsBy('postId')
      ? await recheckPosts(tools, view, new Map([[ref.row, earlier]]))
      : await recheckTogether(tools, view, ref.row, earlier);
    return found.get(ref.row) ?? { kind: 'unread', why: 'this version cannot read the row' };
  } catch (error) {
    const isAboutRow = error instanceof ApiError && !unrelatedErrors.some((other) => error instanceof other);
    if (!isAboutRow) throw error;
    const why = `the publishing records could not be read (${error.message.replace(/\.$/, '')})`;
    return { kind: 'unread', why };
  }
}

type Rechecks = ReadonlyMap<number, Recheck>;

const underWay = new WeakMap<CampaignView, Promise<Rechecks>>();

/** If records can be read only as lists, one recheck serves all running rows of the campaign that had posts. */
async function recheckTogether(
  tools: RecordTools,
  view: CampaignView,
  row: RowIndex,
  earlier: EarlierPosts,
): Promise<Rechecks> {
  for (let before = underWay.get(view); before !== undefined; before = underWay.get(view)) {
    const found = await before;
    if (found.has(row)) return found;
  }
  const rechecking = recheckRunning(tools, view, row, earlier).finally(() => underWay.delete(view));
  underWay.set(view, rechecking);
  return rechecking;
}

async function recheckRunning(
  tools: RecordTools,
  view: CampaignView,
  row: RowIndex,
  earlier: EarlierPosts,
): Promise<Rechecks> {
  const { ledger } = tools;
  const { id } = view.campaign;
  const had = await ledger.failedPosts.all(id);
  const statuses = await ledger.rows.statusesOf(id, [...had.keys()]);
  const running = [...had].filter((_post, index) => statuses[index]?.state === 'running');
  return recheckPosts(tools, view, new Map([...running, [row, earlier]]));
}
