import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnProgram } from '../support/processes/child.ts';

test('the set-up is silent when nothing is missing', async () => {
  const setup = join(import.meta.dirname, '../../scripts/setup');
  await spawnProgram(setup, []).end();
  const second = spawnProgram(setup, []);
  expect(await second.end()).toEqual({ code: 0, signal: null });
  expect(second.output).toEqual({ stdout: [], stderr: [] });
});
