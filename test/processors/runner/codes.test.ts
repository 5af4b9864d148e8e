/** Rows whose calls are answered with HTTP 200 and a code: a missing permission of one creator or of everyone, and a post of unknown outcome. */

import { expect, it } from 'vitest';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { openRunner, type TestRunner } from '../../support/in-process.ts';
import { aiVideoRow, videoRow } from '../../support/sheets/rows.ts';

const said = 'creator.showcase.write is not granted';
const [anna, ben, carla, david] = ['demo_anna', 'demo_ben', 'demo_carla', 'demo_david'] as const;

type Operation = 'createCreatorPost' | 'addSocialShowcaseProducts' | 'listAiTasksByScheduleId';

/** Refuses all calls of an operation, or those of one creator, until the faults are removed. */
function forbid({ sandbox }: TestRunner, operation: Operation, creator?: string, code = 403): void {
  const account = sandbox.creators().find(({ username }) => username === creator);
  const ofCreator =
    operation === 'createCreatorPost' ? { creatorId: account?.creatorId } : { id: account?.id };
  const match = account && { match: ofCreator };
  sandbox.faults.add({ operation, kind: 'code', code, message: said, times: 'always', ...match });
}

const outcomes = async ({ rows }: TestRunner, id: string) =>
  (await rows(id)).map(({ state, error }) => (error ? `${state} ${error.code}` : state));

const paused = (runner: TestRunner, id: string) =>
  runner.until(async () => {
    const campaign = await runner.ledger.campaigns.find(id);
    return campaign?.state === 'paused' && campaign.pauseReason;
  }, 'the campaign to pause');

/** Rows of creators, one after the other at each step. */
async function oneByOne(operation: Operation, creators: readonly string[], settings = {}) {
  const runner = await openRunner({
    settings: { concurrency: { post: 1, showcase: 1 }, ...settings },
  });
  const source = operation === 'addSocialShowcaseProducts' ? 'SHOWCASE' : 'SHOP';
  const rows = creators.map((creator, index) => videoRow(`${index}`, { creator, product_source: source }));
  return { runner, rows };
}

it.for(['addSocialShowcaseProducts', 'createCreatorPost'] as const)(
  '%s: a creator who lacks a permission fails alone, in the words of the service',
  async (operation) => {
    const { runner, rows } = await oneByOne(operation, [anna, ben, anna, ben, anna]);
    forbid(runner, operation, anna);
    const id = await runner.importOrUpdate(rows);
    await runner.start();
    await runner.ended(id);
    expect(await outcomes(runner, id)).toEqual([
      'failed 403',
      'posted',
      'failed 403',
      'posted',
      'failed 403',
    ]);
    const [row] = await runner.rows(id);
    expect(row?.error?.message).toBe(`${operation} was refused with code 403: ${said}.`);
  },
);

it('only products whose own call was refused fail their rows', async () => {
  const { runner } = await oneByOne('addSocialShowcaseProducts', []);
  const match = { productIds: ['p-b'] };
  const fault = { operation: 'addSocialShowcaseProducts', kind: 'code', code: 403 } as const;
  runner.sandbox.faults.add({ ...fault, times: 'always', match });
  const id = await runner.importOrUpdate(['a', 'b', 'c'].map((key) => videoRow(key)));
  await runner.start();
  await runner.ended(id);
  expect(await outcomes(runner, id)).toEqual(['posted', 'failed 403', 'posted']);
});

it.for(['addSocialShowcaseProducts', 'createCreatorPost'] as const)(
  '%s: refused for three creators in a row, it pauses the campaign',
  async (operation) => {
    const { runner, rows } = await oneByOne(operation, [anna, ben, carla, david]);
    forbid(runner, operation);
    const id = await runner.importOrUpdate(rows);
    await runner.start();
    const { code, message, hints } = await paused(runner, id);
    expect(code).toBe('refused_for_everyone');
    expect(message).toContain(`${operation} was refused with code 403: ${said}.`);
    expect(hints).toEqual([hint('retry', { campaign: id, error: '403' })]);
    const states = await outcomes(runner, id);
    expect(states.toSorted()).toEqual(['failed 403', 'failed 403', 'running', 'running']);
  },
);

it('after a resume the rows that did not fail go on', async () => {
  const { runner, rows } = await oneByOne('createCreatorPost', [anna, ben, carla, david]);
  forbid(runner, 'createCreatorPost');
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  await paused(runner, id);
  runner.sandbox.faults.clear();
  await runner.ledger.campaigns.resume(id);
  await runner.ended(id);
  expect((await outcomes(runner, id)).toSorted()).toEqual(['failed 403', 'failed 403', 'posted', 'posted']);
  expect(runner.sandbox.effects().posts).toHaveLength(2);
});

it('polls of three creators that are refused pause the campaign before a row goes to review', async () => {
  const { runner } = await oneByOne('createCreatorPost', []);
  forbid(runner, 'listAiTasksByScheduleId');
  const id = await runner.importOrUpdate(
    [anna, ben, carla].map((creator) => aiVideoRow(creator, { creator, product_source: 'SHOP' })),
  );
  await runner.start();
  expect(await paused(runner, id)).toMatchObject({ code: 'refused_for_everyone' });
  expect(await outcomes(runner, id)).toEqual(['running', 'running', 'running']);
});

it('which codes lack a permission is a setting', async () => {
  const api = { codes: { forbidden: [7001] } };
  const { runner, rows } = await oneByOne('createCreatorPost', [anna, ben, carla], { api });
  forbid(runner, 'createCreatorPost', undefined, 7001);
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  expect(await paused(runner, id)).toMatchObject({ code: 'refused_for_everyone' });
});

it('a code on no list is the refusal of its call, whoever else it strikes', async () => {
  const { runner, rows } = await oneByOne('createCreatorPost', [anna, ben, carla, david]);
  forbid(runner, 'createCreatorPost', undefined, 7001);
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  await runner.ended(id);
  expect(await outcomes(runner, id)).toEqual(Array(4).fill('failed 7001'));
  expect(runner.sandbox.calls('createCreatorPost')).toHaveLength(4);
});

it('a post answered with a code of `retry` goes to review: nobody knows whether it took effect', async () => {
  const { runner, rows } = await oneByOne('createCreatorPost', [anna], { api: { codes: { retry: [7001] } } });
  forbid(runner, 'createCreatorPost', undefined, 7001);
  const id = await runner.importOrUpdate(rows);
  await runner.start();
  await runner.ended(id);
  const [row] = await runner.rows(id);
  expect(row).toMatchObject({
    state: 'review',
    error: { message: expect.stringContaining(`code 7001: ${said}.`) },
  });
  expect(runner.sandbox.calls('createCreatorPost')).toHaveLength(1);
});
