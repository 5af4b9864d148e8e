/**
 * Step `showcase`: one call for a group of rows of one creator. Rows whose products were added go on with their flows. A refused
 * product fails only its own rows.
 */
import { maxProductsPerCall, type ShowcaseError } from '../../api/contract/showcase.ts';
import { CreatorAuthorizationExpiredError, RefusedError } from '../../api/errors.ts';
import type { ShowcaseGroup } from '../../ledger/admission.ts';
import type { ShowcaseEntry } from '../../ledger/creators.ts';
import { type ShowcasePayload, showcasePayload, showcaseQueue } from '../../queues/showcase.ts';
import { queueRows } from '../admission/rows-to-queue.ts';
import type { ProcessorContext } from '../frame/context.ts';
import { breakerFailure, done, type Outcome, type StepFailure, stillOnHold } from '../frame/outcome.ts';
import { pausedMs } from '../frame/report.ts';
import type { StepDefinition, StepInput } from '../frame/step.ts';
import { takeTurn } from '../frame/turn.ts';
import { GroupRun } from './group-run.ts';

const operation = 'addSocialShowcaseProducts';

/** What the step works on; `target` is the group. */
type GroupInput = StepInput<ShowcasePayload, GroupRun, ShowcaseGroup>;

/** By product: added, or why not. */
type ProductResults = ReadonlyMap<string, StepFailure | 'added'>;

export const showcaseStep: StepDefinition<ShowcasePayload, GroupRun, ShowcaseGroup> = {
  queue: showcaseQueue,
  parse: (data) => showcasePayload.parse(data),
  async find(context, payload, { job, lock }) {
    const { c: campaign } = payload;
    const group = await context.ledger.admission.group(campaign, payload.g);
    const view = group && (await context.views.openFor(campaign, group.rows));
    if (!group || !view) return undefined;
    const { account } = view.campaign;
    const run = new GroupRun(context, { job, lock, campaign, account, group });
    return { view, run, read: async () => group };
  },
  act: addToShowcase,
};

async function addToShowcase(context: ProcessorContext, input: GroupInput): Promise<Outcome> {
  const { target: group, creator, payload, run } = input;
  const verdict = await context.ledger.showcase.start({
    campaign: payload.c,
    jobId: run.job.id ?? '',
    account: run.account,
    creatorId: creator.creatorId,
    group,
  });
  if (verdict.kind === 'gone') {
    await context.ledger.admission.dropGroup(payload.c, payload.g);
    return done;
  }
  if (verdict.kind === 'paused') return { kind: 'again', at: context.now() + pausedMs };
  if (verdict.kind === 'breaker') {
    if (verdict.rows.size === 0) return stillOnHold(payload.c, group.creator);
    return { kind: 'refused', failure: breakerFailure(verdict.reason.message, group.creator) };
  }
  const wanted = { ...group, rows: group.rows.filter(({ row }) => verdict.rows.has(row)) };
  const products = [...new Set(wanted.rows.map((row) => row.productId))];
  const known = await context.ledger.creators.knowsProducts(
    run.account,
    products.map((productId) => ({ creatorId: creator.creatorId, productId })),
  );
  const missing = products.filter((_product, index) => !known[index]);
  const results = new Map<string, StepFailure | 'added'>();
  if (missing.length > 0) {
    await takeTurn(input.account, operation);
    for (const [product, result] of await call(context, input, missing)) results.set(product, result);
  }
  return finish(context, { ...input, target: wanted }, results);
}

/** Makes one call for all products. If the whole call is refused, tries product by product, so that only the bad one fails. */
async function call(
  context: ProcessorContext,
  input: GroupInput,
  products: readonly string[],
): Promise<ProductResults> {
  const { target: group } = input;
  const { id } = input.creator;
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
    // Adding is idempotent: if no turn comes, the products added so far are simply added again.
    await takeTurn(input.account, operation);
    for (const [id, result] of await call(context, input, [product])) results.set(id, result);
  }
  return results;
}

/** @returns undefined when an error names no product and may concern any of several. */
function readResults(
  products: readonly string[],
  errors: readonly ShowcaseError[],
): ProductResults | undefined {
  const results = new Map<string, StepFailure | 'added'>(products.map((product) => [product, 'added']));
  for (const { code, message, detail } of errors) {
    // With only one product in the call, every error concerns it, whatever id the error names.
    const product = products.length === 1 ? products[0] : detail?.productId;
    if (product === undefined || !results.has(product)) return undefined;
    results.set(product, {
      code: String(code ?? 'showcase_refused'),
      message: message || 'The service did not add the product to the showcase.',
      subject: product,
      cure: 'Choose a product that is available for this creator, or ask the shop.',
    });
  }
  return results;
}

async function finish(
  context: ProcessorContext,
  { payload, view, target: group, creator, run }: GroupInput,
  results: ProductResults,
): Promise<Outcome> {
  const { admission } = context.ledger;
  const added: ShowcaseEntry[] = [];
  const refused = new Map<string, StepFailure>();
  for (const [product, result] of results) {
    if (result === 'added') added.push({ creatorId: creator.creatorId, productId: product });
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
