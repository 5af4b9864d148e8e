import { expect, it } from 'vitest';
import { openOperator } from '../support/processes/operator.ts';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('a queue that is paused, as on the board, is told by every command that looks', async (test) => {
  const scene = await openScene(test);
  expect((await scene.run(['import', scene.manifest([videoRow('1')])])).code).toBe(0);
  const { queues } = await openOperator(test, scene);
  await (await queues.queue('post')).pause();
  const documentOf = async (...args: readonly string[]) =>
    JSON.parse((await scene.run([...args, '--json'])).stdout);
  expect(await documentOf('list')).toMatchObject({ pausedQueues: ['post'] });
  expect(await documentOf('show', 'c1')).toMatchObject({ pausedQueues: ['post'] });
  expect(await documentOf('watch', 'c1', '--once')).toMatchObject({ progress: { pausedQueues: ['post'] } });
  const { findings } = await documentOf('doctor');
  expect(findings).toContainEqual(expect.objectContaining({ check: 'queues', verdict: 'warning' }));
  expect((await scene.run(['show', 'c1'])).stdout).toContain('queue post is paused for all campaigns');
});
