import { expect, test } from 'vitest';
import { spawnProgram } from '../support/processes/child.ts';

const source = new URL('../../src/processors/prompt-worker.ts', import.meta.url).href;

test('locks that nobody closes do not keep their process: its Redis may be gone', async () => {
  const code = `
    import { SteadyLocks } from '${source}';
    const worker = { emit: () => true };
    new SteadyLocks(worker, { lockDuration: 60_000, lockRenewTime: 30_000, workerId: 'a' }).start();
  `;
  const program = spawnProgram(process.execPath, ['--input-type=module', '-e', code]);
  expect(await program.end(15_000), program.output.stderr.join('\n')).toEqual({ code: 0, signal: null });
});
