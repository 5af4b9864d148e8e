import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { expectAgreement } from '../support/agreement.ts';
import { finished, meanwhile, openScene, spedUp } from '../support/processes/scene.ts';
import { type SeededRandom, seededRandom } from '../support/random.ts';
import { aiPhotoRow, aiVideoRow, creators, photoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';

/** For a long run: `STORM_ROWS=5000 npm test -- test/e2e/storm.test.ts`. */
const rowCount = Number(process.env.STORM_ROWS ?? 120);
/** Of all calls. */
const share = 0.1;
const endsWithinMs = 120_000 + rowCount * 300;

const anywhere: readonly FaultInput[] = [
  { kind: 'reset' },
  { kind: 'lost-answer', by: 'reset' },
  { kind: 'lost-answer', by: 'fin' },
  { kind: 'no-answer' },
  { kind: 'slow-body' },
  { kind: 'half-body' },
  { kind: 'wrong-length' },
  { kind: 'malformed-json' },
  { kind: 'html' },
  { kind: 'empty' },
  { kind: 'redirect' },
  { kind: 'throttle' },
  { kind: 'throttle', retryAfterSeconds: 1 },
  { kind: 'status', status: 400 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, when: 'after' },
  { kind: 'status', status: 503, when: 'after' },
  { kind: 'code', code: 50_001 },
  { kind: 'delay', ms: 50 },
];

const particular: readonly FaultInput[] = [
  { operation: 'putFile', kind: 'status', status: 403 },
  { operation: 'putFile', kind: 'status', status: 500 },
  { operation: 'putFile', kind: 'cut-upload', afterBytes: 0 },
  { operation: 'putFile', kind: 'lost-answer' },
  { operation: 'getAsset', kind: 'status', status: 404 },
  { operation: 'getAsset', kind: 'status', status: 503 },
  { operation: 'getAsset', kind: 'half-body' },
  { operation: 'createFileUpload', kind: 'presign-expired' },
  { operation: 'createFileUpload', kind: 'presign-expired', announced: false },
  { operation: 'addSocialShowcaseProducts', kind: 'product-errors' },
  { operation: 'createAiGenerationSchedule', kind: 'generation-outcome', status: 'FAILED' },
  { operation: 'createAiGenerationSchedule', kind: 'generation-outcome', status: 'EXPIRED' },
  { operation: 'listAiTasksByScheduleId', kind: 'task-status', status: 'ODD' },
  { operation: 'listAiTasksByScheduleId', kind: 'empty-list' },
];

function unleash({ faults }: Sandbox, random: SeededRandom): void {
  const seed = () => random.integer(1, 2 ** 30);
  for (const fault of anywhere) faults.add({ ...fault, probability: share / anywhere.length, seed: seed() });
  for (const fault of particular) faults.add({ ...fault, probability: share / 4, seed: seed() });
}

function rows(random: SeededRandom): readonly Cells[] {
  return Array.from({ length: rowCount }, (_, index) => {
    const key = `${index}`;
    const cells = { creator: random.pick([...creators]), product_id: `p-${random.integer(1, 40)}` };
    switch (random.integer(0, 5)) {
      case 0:
        return aiVideoRow(key, cells);
      case 1:
        return aiPhotoRow(key, random.integer(1, 3), cells);
      case 2:
        return photoRow(key, random.integer(1, 3), cells);
      default:
        return videoRow(key, cells);
    }
  });
}

describe('a storm of faults', { timeout: endsWithinMs }, () => {
  it(`leaves ledger and record in agreement, ${rowCount} rows and a kill later`, async (test) => {
    const random = seededRandom(undefined, test);
    process.stderr.write(`storm of ${rowCount} rows: TEST_SEED=${random.seed}\n`);
    const scene = await openScene(test, {
      ...spedUp,
      settings: {
        api: { timeout: '1s' },
        post: { on500: 'review' },
        generation: { on500: 'review' },
        window: 100,
      },
    });
    const file = scene.manifest(rows(random));

    const first = scene.start(['run', file]);
    // Not before: a check whose look-up of creators is refused ends there, as it should.
    await meanwhile(first, scene.sandbox.whenCalled('createFileUpload', 1));
    unleash(scene.sandbox, random);
    const kill = Math.ceil(rowCount * (0.2 + random.next() * 0.4));
    await meanwhile(first, scene.sandbox.whenCalled('createCreatorPost', kill));
    first.kill('SIGKILL');
    await finished(first);
    const second = await finished(scene.start(['run']), endsWithinMs);
    expect(second.code, second.stderr).toBe(3);

    const results = scene.results();
    expect(results.rows).toHaveLength(rowCount);
    expectAgreement(scene.sandbox, results);
    // A storm that strikes nobody, or everybody, would prove nothing.
    const posted = results.rows.filter(({ status }) => status === 'posted').length;
    expect(posted).toBeGreaterThan(rowCount / 4);
    expect(posted).toBeLessThan(rowCount);
    expect(scene.sandbox.faults.list().filter(({ struck }) => struck > 0).length).toBeGreaterThan(15);
    // Only downloads follow a redirect.
    expect(scene.sandbox.calls('decoy').filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
