import { expect, it } from 'vitest';
import { videoRow } from '../support/rows.ts';
import { openScene } from '../support/scene.ts';

interface Warning {
  readonly key: string;
  readonly code: string;
  readonly problem: string;
}

it('check points out rows that an earlier campaign has posted', { timeout: 60_000 }, async (test) => {
  const scene = await openScene(test);
  const posted = videoRow('posted', { caption: 'First' });
  expect((await scene.run(['run', scene.manifest([posted], 'first.csv')])).code).toBe(0);

  const second = scene.manifest(
    [{ ...posted, key: 'again' }, videoRow('new', { caption: 'Second' })],
    'second.csv',
  );
  const { code, stdout } = await scene.run(['check', second, '--json']);
  const { warnings } = JSON.parse(stdout) as { warnings: Warning[] };
  expect(code).toBe(0);
  expect(warnings.map(({ key, code }) => [key, code])).toEqual([['again', 'post_repeats']]);
  expect((await scene.run(['check', second])).stdout).toContain(
    '1 warning; these rows are posted all the same:',
  );
});
