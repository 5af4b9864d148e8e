import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { formats, fuzz } from '../fuzz/fuzz.ts';
import { Supervisor, usualLimits } from '../fuzz/supervisor.ts';
import { temporaryFolder } from '../support/folder.ts';

function supervisorOf(...options: ConstructorParameters<typeof Supervisor>): Supervisor {
  const supervisor = new Supervisor(...options);
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  return supervisor;
}

test('some inputs of each format, with nothing to find', async () => {
  // Busy machines are slow: the fuzzer itself looks at the time.
  const supervisor = supervisorOf({ ...usualLimits, cpuMs: 20_000 });
  const findings: string[] = [];
  for (const format of formats) {
    await fuzz(supervisor, format, {
      seed: 1,
      goesOn: (inputs) => inputs < 10,
      folder: join(temporaryFolder(), 'findings'),
      onFinding: ({ file, failure }) => void findings.push(`${file}: ${failure}`),
    });
  }
  expect(findings).toEqual([]);
});
