/**
 * Step `showcase`: one call for a group of rows of one creator. Rows whose products are in go on with their flows; a product
 * that was refused fails only its own rows.
 */
import type { Processor } from 'bullmq';
import { maxProductsPerCall, type ShowcaseError } from '../../api/contract/showcase.ts';
import { CreatorAuthorizationExpiredError, RefusedError } from '../../api/errors.ts';
import type { ShowcaseGroup } from '../../ledger/admission.ts';
import type { CreatorRef } from '../../ledger/campaigns.ts';
import { type ShowcasePayload, showcasePayload } from '../../queues/showcase.ts';
import { queueRows } from '../admission/rows-to-queue.ts';
import { type Account, waitForAccount } from '../frame/accounts.ts';
import { BudgetSpent } from '../frame/budget-spent.ts';
import type { CampaignView } from '../frame/campaign-view.ts';
import { idempotent, outcomeOf, outcomeOfDefect } from '../frame/classify.ts';
import { longestWaitMs, type ProcessorContext } from '../frame/context.ts';
import { breakerFailure, done, type Outcome, type StepFailure } from '../frame/outcome.ts';
import { report } from '../frame/report.ts';
import { pausedMs } from '../frame/step.ts';
import { GroupRun } from './group-run.ts';

const operation = 'addSocialShowcaseProducts';

/** A group at work. */
interface GroupInput {
  readonly payload: ShowcasePayload;
  readonly view: CampaignView;
  readonly account: Account;
  readonly creator: CreatorRef;
  readonly group: ShowcaseGroup;
  readonly run: GroupRun;
}

/** What became of each product: added, or why not. */
type ProductResults = ReadonlyMap<string, StepFailure | 'added'>;

export function showcaseProcessor(context: ProcessorContext): Processor {
  return async (job, lock) => {
    const payload = showcasePayload.parse(job.data);
    const group = await context.ledger.admission.group(payload.c, payload.g);
    const view = group && (await context.views.openFor(payload.c, group.rows));
    if (!group || !view) return;
    const creator = view.creator(group.creator);
    const run = new GroupRun(context, { job, lock: lock ?? '', payload, view, creator, group });
    const account = context.accounts.find(run.account);
    const outcome = account
      ? await attempt(context, { payload, view, account, creator, group, run })
      : waitForAccount(context.now());
    await report(context, run, outcome);
  };
}

async function attempt(context: ProcessorContext, input: GroupInput): Promise<Outcome> {
  try {
    return await addToShowcase(context, input);
  } catch (error) {
    const outcome = outcomeOf(error, idempotent, input.group.creator) ?? outcomeOfDefect(error, idempotent);
    if (outcome === undefined) throw error;
    return outcome;
  }
}

async function addToShowcase(context: ProcessorContext, input: GroupInput): Promise<Outcome> {
  const { view, group, creator, payload, run } = input;
  const verdict = await context.ledger.showcase.start({
    campaign: payload.c,
    jobId: run.job.id ?? '',
    account: view.campaign.account,
    creatorId: creator.creatorId,
    group,
  });
  if (verdict.kind === 'gone') {
    await context.ledger.admission.dropGroup(payload.c, payload.g);
    return done;
  }
  if (verdict.kind === 'paused') return { kind: 'again', at: context.now() + pausedMs };
  if (verdict.kind === 'breaker') {
    return {
      kind: 'refused',
      failure: { ...breakerFailure(verdict.reason.message), subject: group.creator },
    };
  }
  const wanted = { ...group, rows: group.rows.filter(({ row }) => verdict.rows.has(row)) };
  const products = [...new Set(wanted.rows.map((row) => row.productId))];
  const known = await context.ledger.creators.knowsProducts(
    view.campaign.account,
    products.map((productId) => ({ creatorId: creator.creatorId, productId })),
  );
  const missing = products.filter((_product, index) => !known[index]);
  const results = new Map<string, StepFailure | 'added'>();
  if (missing.length > 0) {
    const turn = await input.account.budgets.take(operation, longestWaitMs);
    if (!turn.granted) return { kind: 'park', ms: turn.waitMs };
    for (const [product, result] of await call(context, input, missing)) results.set(product, result);
  }
  return finish(context, { ...input, group: wanted }, results);
}

/** Calls for all products at once; where the whole call is refused, product by product, so that one bad id fails alone. */
async function call(
  context: ProcessorContext,
  input: GroupInput,
  products: readonly string[],
): Promise<ProductResults> {
  const { creator, group } = input;
  const id = creator.id;
  try {
    const answer = await input.account.client.showcase.add(
      group.link === undefined
        ? { id, addType: 'PRODUCT_ID', productIds: products.slice(0, maxProductsPerCall) }
        : { id, addType: 'PRODUCT_LINK', productLink: group.link },
    );
    return readResults(products, answer.errors ?? []) ?? (await oneByOne(context, input, products));
  } catch (error) {
    if (!(error instanceof RefusedError) || error instanceof CreatorAuthorizationExpiredError) throw error;
    if (products.length > 1) return oneByOne(context, input, products);
    const { code, message, cure } = error;
    return new Map(products.map((product) => [product, { code, message, subject: product, cure }]));
  }
}

async function oneByOne(
  context: ProcessorContext,
  input: GroupInput,
  products: readonly string[],
): Promise<ProductResults> {
  const results = new Map<string, StepFailure | 'added'>();
  for (const product of products) {
    const turn = await input.account.budgets.take(operation, longestWaitMs);
    // Adding is idempotent: what was added so far is asked for again then.
    if (!turn.granted) throw new BudgetSpent(turn.waitMs);
    for (const [id, result] of await call(context, input, [product])) results.set(id, result);
  }
  return results;
}

/** @returns undefined when an error names no product, and there are several it may mean. */
function readResults(
  products: readonly string[],
  errors: readonly ShowcaseError[],
): ProductResults | undefined {
  const results = new Map<string, StepFailure | 'added'>(products.map((product) => [product, 'added']));
  for (const { code, message, detail } of errors) {
    // With one product in the call every error is that product's, however the service spells it.
    const product = products.length === 1 ? products[0] : detail?.productId;
    if (product === undefined || !results.has(product)) return undefined;
    results.set(product, {
      code: String(code ?? 'showcase_refused'),
      message: message || 'The service did not add the product to the showcase.',
      subject: product,
      cure: 'Take a product that is available for this creator, or ask the shop.',
    });
  }
  return results;
}

async function finish(
  context: ProcessorContext,
  { payload, view, group, run }: GroupInput,
  results: ProductResults,
): Promise<Outcome> {
  const { admission } = context.ledger;
  const added: string[] = [];
  const refused = new Map<string, StepFailure>();
  for (const [product, result] of results) {
    if (result === 'added') added.push(product);
    else refused.set(product, result);
  }
  const failed = group.rows.flatMap((row) => {
    const failure = refused.get(row.productId);
    return failure ? [{ row, failure }] : [];
  });
  await run.finish(added, failed);
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
