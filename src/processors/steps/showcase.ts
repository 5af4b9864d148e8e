/** Step `showcase`: one call for a group of rows of one creator. A refused product fails only its own rows. */

import type { ShowcaseEntry } from '../../ledger/service/creators.ts';
import type { ShowcaseGroup } from '../../ledger/transitions/admission.ts';
import { type ShowcasePayload, showcasePayload } from '../../queues/campaign-jobs.ts';
import { maxProductsPerCall } from '../../service/contract/creators.ts';
import { ForbiddenError } from '../../service/errors.ts';
import { queueRows } from '../admission/flow-plan.ts';
import { identityOf } from '../runner/job.ts';
import { done, type Outcome, type StepFailure } from '../runner/outcome.ts';
import { GroupRun } from '../runner/runs.ts';
import { type Service, takePermit } from '../runner/service.ts';
import { outcomeOfVerdict, refusedForEveryone, type StepDefinition } from '../runner/step.ts';
import {
  addOperation,
  callShowcase,
  findInShowcase,
  type GroupInput,
  type ProductResults,
  refusedResults,
  ShowcaseAdditions,
} from './showcase-call.ts';

/** Additions under way, by process. */
const additionsOf = new WeakMap<Service, ShowcaseAdditions>();

export const showcaseStep: StepDefinition<ShowcasePayload, GroupRun, ShowcaseGroup> = {
  step: 'showcase',
  parse: (data) => showcasePayload.parse(data),
  async find(context, payload, { job, lock }) {
    const { campaign } = payload;
    const group = await context.ledger.admission.group(campaign, payload.group);
    const view = group && (await context.views.openFor(campaign, group.rows));
    if (!group || !view) return undefined;
    const { sheetId } = view.campaign;
    const run = new GroupRun(context, { job, lock, step: 'showcase', campaign, sheetId }, group);
    return { view, run, read: async () => group };
  },
  act: addToShowcase,
};

async function addToShowcase(input: GroupInput): Promise<Outcome> {
  const started = await startGroup(input);
  if ('outcome' in started) return started.outcome;
  const { service } = input.context;
  const { creatorId } = input.creator;
  const additions = additionsOf.get(service) ?? new ShowcaseAdditions();
  additionsOf.set(service, additions);
  const running = { ...input, target: started.group };
  const { missing, linked, along } = await productsToAdd(running, additions);
  if (missing.length === 0) return finish(running, new Map());

  using underWay = additions.begin(creatorId);
  underWay.add(missing, started.group.link);
  const inShowcase = await findInShowcase(running, linked);
  const toAdd = missing.filter((product) => !inShowcase.has(product));
  // Awaited here and below, because the products stay under way until the ledger knows them.
  if (toAdd.length === 0) return await finish(running, inShowcase);
  const more = along
    .filter((product) => additions.mayTakeAlong(creatorId, product))
    .slice(0, maxProductsPerCall - toAdd.length);
  underWay.add(more);
  const added = await addProducts(running, toAdd, more);
  if ('kind' in added) return added;
  const refused = more.filter((product) => added.get(product) !== 'added');
  additions.refuse(creatorId, refused);
  // A refusal ends only rows that are admitted.
  const results = [...inShowcase, ...added].filter(([product]) => !refused.includes(product));
  return await finish(running, new Map(results));
}

/** Starts the step. @returns the group with the rows that still run, or the outcome of a step that may not begin. */
async function startGroup(
  input: GroupInput,
): Promise<{ readonly group: ShowcaseGroup } | { readonly outcome: Outcome }> {
  const { context, target: group, creator, payload, run } = input;
  const { campaign } = payload;
  const { creatorId } = creator;
  const job = { campaign, sheetId: run.sheetId, jobId: identityOf(run.job) };
  const verdict = await context.ledger.showcase.start({ ...job, creatorId, group });
  if (verdict.kind === 'go')
    return { group: { ...group, rows: group.rows.filter(({ row }) => verdict.rows.has(row)) } };
  if (verdict.kind === 'gone' || verdict.kind === 'again')
    await context.ledger.admission.dropGroup(campaign, payload.group);
  if (verdict.kind === 'again') await context.queues.wakeAdmission(campaign);
  return { outcome: outcomeOfVerdict(context, { campaign, creator: group.creator }, verdict) };
}

/** @returns the results of the call, or the pause of the campaign if it is forbidden for everyone. */
async function addProducts(
  input: GroupInput,
  products: readonly string[],
  more: readonly string[],
): Promise<ProductResults | Outcome> {
  await takePermit(input.context.service, addOperation);
  try {
    return await callShowcase(input, products, more);
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    // Without a pause, rows of products that were added before go on.
    return (await refusedForEveryone(input, error)) ?? refusedResults(products, error);
  }
}

/**
 * Products that neither the ledger knows as added (by the group's link or by id) nor another call of this process is adding.
 * `linked`: those of them whose link was added before. `along`: what the call may take along, because nothing is known of it.
 */
async function productsToAdd(
  { context, target: { rows, link, along = [] }, creator: { creatorId } }: GroupInput,
  additions: ShowcaseAdditions,
): Promise<Readonly<Record<'missing' | 'linked' | 'along', readonly string[]>>> {
  const products = [...new Set(rows.map(({ productId }) => productId))];
  for (;;) {
    const entries = [...products, ...along].map((productId) => ({ creatorId, productId, link }));
    const known = await context.ledger.creators.knownProducts(entries);
    const missing = products.filter((_product, index) => known[index] !== 'added');
    const calls = additions.callsFor(creatorId, missing, link);
    const linked = products.filter((_product, index) => known[index] === 'linked');
    const unknown = along.filter((_product, index) => known[products.length + index] === undefined);
    if (calls.length === 0) return { missing, linked, along: unknown };
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
  const others = group.rows.filter(({ productId }) => !refused.has(productId));
  await queueRows(context, view, others);
  if (refused.size === 0) {
    await admission.dropGroup(payload.campaign, payload.group);
    return done;
  }
  const rows = group.rows.filter(({ productId }) => refused.has(productId));
  const left = { creator: group.creator, link: group.link, rows };
  await admission.narrowGroup(payload.campaign, payload.group, left);
  const names = [...refused].map(([product, failure]) => `${product} (${failure.code}: ${failure.message})`);
  return { kind: 'row-ended', message: `Not added to the showcase of ${group.creator}: ${names.join('; ')}` };
}
