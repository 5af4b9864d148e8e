import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formats, fuzz, makeInput } from '../../fuzz/fuzz.ts';
import { Supervisor, usualLimits } from '../../fuzz/supervisor.ts';
import { temporaryFolder } from '../support/folder.ts';

const faulty = new URL('./faulty-program.ts', import.meta.url);
const nothing = Buffer.alloc(0);

function supervisorOf(...options: ConstructorParameters<typeof Supervisor>): Supervisor {
  const supervisor = new Supervisor(...options);
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  return supervisor;
}

test.each([
  ['error', 'TypeError: x is not iterable'],
  ['crash', 'nobody catches this'],
  ['slow', 'it took 5.0 s'],
  ['large', 'it took 1000 MB'],
])('the fuzzer finds an input that ends in: %s', async (kind, failure) => {
  const supervisor = supervisorOf(usualLimits, faulty);
  expect(await supervisor.try({ kind, bytes: nothing })).toContain(failure);
  expect(await supervisor.try({ kind: 'good', bytes: nothing })).toBeUndefined();
});

test('the fuzzer ends an input that hangs', async () => {
  const supervisor = supervisorOf({ ...usualLimits, wallMs: 500 }, faulty);
  expect(await supervisor.try({ kind: 'hang', bytes: nothing })).toBe('it did not end within 0.5 s');
});

test('the fuzzer blames no input for the memory of those before it', async () => {
  const supervisor = supervisorOf(usualLimits, faulty);
  await supervisor.try({ kind: 'good', bytes: nothing });
  expect(await supervisor.try({ kind: 'garbage', bytes: nothing })).toBeUndefined();
});

test('the fuzzer keeps an input with a finding, and says what is wrong with it', async () => {
  const folder = temporaryFolder();
  const findings: string[] = [];
  const supervisor = supervisorOf({ ...usualLimits, cpuMs: -1 }, faulty);
  const goesOn = (inputs: number) => inputs < 9;
  const onFinding = ({ failure }: { readonly failure: string }) => void findings.push(failure);
  expect(await fuzz(supervisor, 'csv', { seed: 3, goesOn, folder, onFinding })).toBe(9);
  // Those that are alike are kept three times.
  expect(findings).toEqual(['it took 0.0 s', 'it took 0.0 s', 'it took 0.0 s']);
  expect(readdirSync(folder)).toContain('csv-3-0.bin');
  expect(readdirSync(folder)).toContain('csv-3-0.txt');
});

test.each(formats)('the same seed gives the same inputs: %s', async (format) => {
  const some = () => Promise.all([0, 1, 2, 3, 4, 5].map((number) => makeInput(format, 7, number)));
  expect(await some()).toEqual(await some());
});

test('some inputs of each format, with nothing to find', { timeout: 60_000 }, async () => {
  // Busy machines are slow: the fuzzer itself looks at the time.
  const supervisor = supervisorOf({ ...usualLimits, cpuMs: 20_000 });
  const findings: string[] = [];
  for (const format of formats) {
    await fuzz(supervisor, format, {
      seed: 1,
      goesOn: (inputs) => inputs < 25,
      folder: join(temporaryFolder(), 'findings'),
      onFinding: ({ file, failure }) => void findings.push(`${file}: ${failure}`),
    });
  }
  expect(findings).toEqual([]);
});
