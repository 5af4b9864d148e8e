import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

/** A fault, how the row ends, its code, and how many effects are in the record. */
type Case = readonly [name: string, fault: FaultInput, status: string, code: string, effects: number];

const cases: readonly Case[] = [
  ['an answer lost by a reset', { kind: 'lost-answer', by: 'reset' }, 'review', 'outcome_unknown', 1],
  ['an answer lost by a FIN', { kind: 'lost-answer', by: 'fin' }, 'review', 'outcome_unknown', 1],
  ['a reset before the effect', { kind: 'reset' }, 'review', 'outcome_unknown', 0],
  ['headers that never come', { kind: 'no-answer' }, 'review', 'outcome_unknown', 1],
  ['a body that trickles', { kind: 'slow-body' }, 'review', 'malformed_answer', 1],
  ['half a body, reset', { kind: 'half-body', by: 'reset' }, 'review', 'malformed_answer', 1],
  ['half a body, FIN', { kind: 'half-body', by: 'fin' }, 'review', 'malformed_answer', 1],
  ['a length that promises more', { kind: 'wrong-length', by: 5 }, 'review', 'malformed_answer', 1],
  ['an HTML page with 200', { kind: 'html' }, 'review', 'malformed_answer', 1],
  ['an empty 200', { kind: 'empty' }, 'review', 'malformed_answer', 1],
  ['an answer that is no JSON', { kind: 'malformed-json' }, 'review', 'malformed_answer', 1],
  ['an answer without end', { kind: 'oversize', bytes: 30_000_000 }, 'review', 'malformed_answer', 1],
  ['502 after the effect', { kind: 'status', status: 502, when: 'after' }, 'review', 'outcome_unknown', 1],
  ['503 before the effect', { kind: 'status', status: 503 }, 'review', 'outcome_unknown', 0],
  ['408', { kind: 'status', status: 408 }, 'review', 'outcome_unknown', 0],
  ['a redirect', { kind: 'redirect' }, 'review', 'outcome_unknown', 0],
  ['500 after the effect', { kind: 'status', status: 500, when: 'after' }, 'review', 'server_error', 1],
  ['500 before the effect', { kind: 'status', status: 500 }, 'review', 'server_error', 0],
  ['a refusal with 400 and a code', { kind: 'status', status: 400 }, 'failed', '40000', 0],
  ['a refusal with 422 and a text', { kind: 'status', status: 422, body: 'no' }, 'failed', 'http_422', 0],
  ['a business code', { kind: 'code', code: 50_001 }, 'failed', '50001', 0],
  ['429 without Retry-After', { kind: 'throttle' }, 'posted', '', 1],
  ['429 with Retry-After', { kind: 'throttle', retryAfterSeconds: 1 }, 'posted', '', 1],
];

const slug = (name: string) => name.replaceAll(/\W+/g, '-');

describe.for([
  ['a post', 'createCreatorPost'],
  ['a generation', 'createAiGenerationSchedule'],
] as const)('the outcome of %s', ([what, operation]) => {
  const isPost = what === 'a post';
  const row = isPost ? videoRow : aiVideoRow;
  const rowOf = (key: string) => row(key, { creator: 'demo_ben' });

  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner, {
      settings: { api: { timeout: '1500ms' }, post: { on500: 'review' }, generation: { on500: 'review' } },
    });
    for (const [name, fault] of cases) {
      const { caption, ai_prompt: prompt } = rowOf(slug(name));
      const match = isPost ? { title: caption } : { params: { prompt } };
      opened.sandbox.faults.add({ ...fault, operation, match });
    }
    const ended = await opened.run(['run', opened.manifest(cases.map(([name]) => rowOf(slug(name))))]);
    expect(ended.code, ended.stderr).toBe(3);
    return opened;
  });

  it.for(cases)('%s', ([name, , status, code, effects]) => {
    const { sandbox, results } = scene();
    const found = results().rows.find(({ key }) => key === slug(name));
    expect(found).toMatchObject({ status, error_code: code });
    const { posts, generations } = sandbox.effects();
    const made = isPost
      ? posts.filter(({ title }) => title === found?.caption)
      : generations.filter(({ request }) => request.params.prompt === found?.ai_prompt);
    expect(made).toHaveLength(effects);
  });

  it('agrees with the record in every row, and no redirect was followed', () => {
    const { sandbox, results } = scene();
    expectAgreement(sandbox, results());
    expect(sandbox.calls('decoy')).toEqual([]);
  });
});
