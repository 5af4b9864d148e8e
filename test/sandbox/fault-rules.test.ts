import { describe, expect, it } from 'vitest';
import { FaultRules } from '../../src/sandbox/faults/rules.ts';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';

const operation = 'createCreatorPost';

function call(body: object = {}, target = '/v1/creator/post/create') {
  return { target, body: JSON.stringify(body), value: () => body };
}

function rulesOf(...faults: FaultInput[]) {
  const rules = new FaultRules();
  for (const fault of faults) rules.add(fault);
  return rules;
}

/** Which of this many calls are struck. */
function struck(rules: FaultRules, calls: number): boolean[] {
  return Array.from({ length: calls }, () => rules.take(operation, call()).length > 0);
}

describe('FaultRules', () => {
  it('skips and counts', () => {
    const rules = rulesOf({ kind: 'empty', skip: 1, times: 2 });
    expect(struck(rules, 5)).toEqual([false, true, true, false, false]);
  });

  it('strikes always when told', () => {
    expect(struck(rulesOf({ kind: 'empty', times: 'always' }), 50).every(Boolean)).toBe(true);
  });

  it('draws the same calls from the same seed, and others from another', () => {
    const draw = (seed: number) => struck(rulesOf({ kind: 'empty', probability: 0.3, seed }), 200);
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw(7).filter(Boolean).length).toBeGreaterThan(30);
    expect(draw(7).filter(Boolean).length).toBeLessThan(90);
  });

  it('concerns only its operation', () => {
    const rules = rulesOf({ kind: 'empty', operation: 'createFileUpload' });
    expect(rules.take('createCreatorPost', call())).toEqual([]);
    expect(rules.take('createFileUpload', call())).toHaveLength(1);
  });

  it('leaves the storage and downloads alone with *', () => {
    const rules = rulesOf({ kind: 'empty', times: 'always' });
    expect(rules.take('putFile', call())).toEqual([]);
    expect(rules.take('getAsset', call())).toEqual([]);
    expect(rules.take('listPosts', call())).toHaveLength(1);
  });

  it.each<[string, FaultInput['match'], boolean]>([
    ['a part of the body', 'summer', true],
    ['a part of the target', '/post/create', true],
    ['another text', 'winter', false],
    ['a field', { title: 'summer sale' }, true],
    ['a nested field', { shop: { id: 5 } }, true],
    ['a number given as text', { shop: { id: '5' } }, true],
    ['one of a list', { files: ['b'] }, true],
    ['another field', { title: 'summer' }, false],
    ['a field that is not there', { other: 1 }, false],
  ])('matches %s', (_, match, expected) => {
    const rules = rulesOf({ kind: 'empty', ...(match !== undefined && { match }) });
    const body = { title: 'summer sale', shop: { id: 5 }, files: ['a', 'b'] };
    expect(rules.take(operation, call(body)).length > 0).toBe(expected);
  });

  it('takes the first that strikes, and delays before it', () => {
    const rules = rulesOf({ kind: 'delay', ms: 1 }, { kind: 'empty' }, { kind: 'html' });
    expect(rules.take(operation, call()).map((fault) => fault.kind)).toEqual(['delay', 'empty']);
    expect(rules.take(operation, call()).map((fault) => fault.kind)).toEqual(['html']);
  });

  it('counts how often each was met and struck, and removes one or all', () => {
    const rules = rulesOf({ kind: 'empty', skip: 1 }, { kind: 'html' });
    struck(rules, 2);
    expect(rules.list()).toMatchObject([
      { id: 1, met: 2, struck: 1 },
      { id: 2, met: 1, struck: 1 },
    ]);
    rules.clear(1);
    expect(rules.list()).toMatchObject([{ id: 2 }]);
    rules.clear();
    expect(rules.list()).toEqual([]);
  });

  it('refuses an unknown fault', () => {
    expect(() => rulesOf({ kind: 'explode' } as unknown as FaultInput)).toThrow(/kind/);
    expect(() => rulesOf({ kind: 'empty', tiems: 2 } as unknown as FaultInput)).toThrow(/tiems/);
  });
});
