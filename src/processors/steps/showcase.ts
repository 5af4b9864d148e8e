/**
 * Step `showcase`: one call for a group of rows of one creator. Rows whose products were added go on with their flows. A refused
 * product fails only its own rows.
 */
import { maxProductsPerCall } from '../../api/contract/showcase.ts';
import { ForbiddenError } from '../../api/errors.ts';
import type { ShowcaseEntry } from '../../ledger/service/creators.ts';
import type { ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import { type ShowcasePayload, showcasePayload, showcaseQueue } from '../../queues/campaign-jobs.ts';
import { queueRows } from '../admission/rows-to-queue.ts';
import type { Account } from '../frame/accounts.ts';
import { identityOf } from '../frame/job.ts';
import {
  breakerFailure,
  done,
  type Outcome,
  onlyByCommand,
  type StepFailure,
  stillOnHold,
} from '../frame/outcome.ts';
import { pausedMs } from '../frame/report.ts';
import { refusedForEveryone, type StepDefinition } from '../frame/step.ts';
import { takeTurn } from '../frame/turn.ts';
import { GroupRun } from './group-run.ts';
import { ShowcaseAdditions } from './showcase-additions.ts';
import {
  addition,
  callShowcase,
  findShown,
  type GroupInput,
  type ProductResults,
  refusedResults,
} from './showcase-call.ts';

/** Additions under way, by process and account. */
const additionsOf = new WeakMap<Account, ShowcaseAdditions>();

export const showcaseStep: StepDefinition<ShowcasePayload, GroupRun, ShowcaseGroup> = {
  queue: showcaseQueue,
  parse: (data) => showcasePayload.parse(data),
  async find(context, payload, { job, lock }) {
    const { c: campaign } = payload;
    const group = await context.ledger.admission.group(campaign, payload.g);
    const view = group && (await context.views.openFor(campaign, group.rows));
    if (!group || !view) return undefined;
    const { account, sheetId } = view.campaign;
    const run = new GroupRun(context, { job, lock, campaign, sheetId, account, group });
    return { view, run, read: async () => group };
  },
  act: addToShowcase,
};

async function addToShowcase(input: GroupInput): Promise<Outcome> {
  const { context, target: group, creator, payload, run } = input;
  const verdict = await context.ledger.showcase.start({
    campaign: payload.c,
    sheetId: run.sheetId,
    jobId: identityOf(run.job),
    account: run.account,
    creatorId: creator.creatorId,
    group,
  });
  if (verdict.kind === 'gone') {
    await context.ledger.admission.dropGroup(payload.c, payload.g);
    return done;
  }
  if (verdict.kind === 'again') {
    await context.ledger.admission.dropGroup(payload.c, payload.g);
    await context.queues.wakeAdmission(payload.c);
    return done;
  }
  if (verdict.kind === 'outdated') return { kind: 'outdated' };
  if (verdict.kind === 'ended') return onlyByCommand(payload.c);
  if (verdict.kind === 'on-hold') return stillOnHold(payload.c, group.creator);
  if (verdict.kind === 'paused') return { kind: 'again', at: context.now() + pausedMs };
  if (verdict.kind === 'breaker') {
    return { kind: 'refused', failure: breakerFailure(verdict.reason.message, group.creator) };
  }
  const wanted = { ...group, rows: group.rows.filter(({ row }) => verdict.rows.has(row)) };
  const products = [...new Set(wanted.rows.map((row) => row.productId))];
  const additions = additionsOf.get(input.account) ?? new ShowcaseAdditions();
  additionsOf.set(input.account, additions);
  const { creatorId } = creator;
  const { missing, linked } = await productsToAdd(input, additions, products);
  if (missing.length === 0) return finish({ ...input, target: wanted }, new Map());

  using underWay = additions.begin(creatorId);
  underWay.add(missing, group.link);
  const shown = await findShown(input, linked);
  const unseen = missing.filter((product) => !shown.has(product));
  if (unseen.length === 0) return await finish({ ...input, target: wanted }, shown);
  const most = group.link === undefined ? maxProductsPerCall - unseen.length : 0;
  const isWelcome = (product: string) => additions.isWelcome(creatorId, product);
  const ahead = await context.outlook.productsAhead(payload.c, group.creator, { most, isWelcome });
  // Another call may have taken some of them meanwhile.
  const more = ahead.filter(isWelcome);
  underWay.add(more);
  await takeTurn(input.account, addition);
  let results: Map<string, StepFailure | 'added'>;
  try {
    results = new Map([...shown, ...(await callShowcase(input, unseen, more))]);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const pause = await refusedForEveryone(input, error);
    if (pause) return pause;
    // Rows of products that were added before go on.
    results = new Map([...shown, ...refusedResults(unseen, error)]);
  }
  additions.refuse(
    creatorId,
    more.filter((product) => results.get(product) !== 'added'),
  );
  // A refusal ends only rows that are admitted.
  for (const product of more) if (results.get(product) !== 'added') results.delete(product);
  // Awaited here, because the products stay under way until the ledger knows them.
  return await finish({ ...input, target: wanted }, results);
}

/**
 * Products that neither the ledger knows as added (by the group's link or by id) nor another call of this process is adding.
 * `linked`: those of them whose link was added before.
 */
async function productsToAdd(
  { context, run, target: { link }, creator: { creatorId } }: GroupInput,
  additions: ShowcaseAdditions,
  products: readonly string[],
): Promise<{ readonly missing: readonly string[]; readonly linked: readonly string[] }> {
  for (;;) {
    const known = await context.ledger.creators.knownProducts(
      run.account,
      products.map((productId) => ({ creatorId, productId, link })),
    );
    const missing = products.filter((_product, index) => known[index] !== 'added');
    const calls = additions.callsFor(creatorId, missing, link);
    const linked = products.filter((_product, index) => known[index] === 'linked');
    if (calls.length === 0) return { missing, linked };
    await Promise.all(calls);
  }
}

async function finish(
  { context, payload, view, target: group, creator, run }: GroupInput,
  results: ProductResults,
): Promise<Outcome> {
  const { admission } = context.ledger;
  const added: ShowcaseEntry[] = [];
  const refused = new Map<string, StepFailure>();
  for (const [product, result] of results) {
    if (result === 'added')
      added.push({ creatorId: creator.creatorId, productId: product, link: group.link });
    else refused.set(product, result);
  }
  const failed = group.rows.flatMap((row) => {
    const failure = refused.get(row.productId);
    return failure ? [{ row, failure }] : [];
  });
  const ready = group.rows.filter(({ productId }) => results.get(productId) === 'added');
  await run.finish(added, ready, failed);
  await queueRows(
    context,
    view,
    group.rows.filter(({ productId }) => !refused.has(productId)),
  );
  if (refused.size === 0) {
    await admission.dropGroup(payload.c, payload.g);
    return done;
  }
  const left = { ...group, rows: group.rows.filter(({ productId }) => refused.has(productId)) };
  await admission.narrowGroup(payload.c, payload.g, left);
  const names = [...refused].map(([product, failure]) => `${product} (${failure.code}: ${failure.message})`);
  return { kind: 'row-ended', message: `Not added to the showcase of ${group.creator}: ${names.join('; ')}` };
}
