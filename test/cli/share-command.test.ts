/** `campaigns share`: makes, lists and revokes client links. */
import { expect, it } from 'vitest';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('makes a link, lists it without its address, and revokes it', async (test) => {
  const scene = await openScene(test);
  const sheet = scene.manifest([videoRow('a')]);
  const imported = await scene.run(['import', sheet]);
  expect(imported.code, imported.stderr).toBe(0);
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await scene.run(['share', ...args]);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const made = JSON.parse(await run('c1', '--approve', '--expires', '3d', '--name', 'Glow', '--json'));
  expect(made).toMatchObject({
    path: expect.stringMatching(/^\/shared\/[\w-]{43}$/),
    link: { mayApprove: true },
  });
  const listed = await run('--list');
  expect(listed).toContain(`${made.link.id}  c1        approve `);
  expect(listed).toContain('Glow');
  expect(listed).not.toContain(made.path);
  await run('--revoke', made.link.id);
  expect(await run('c1', '--list')).toContain('c1 has no client link.');
  expect((await scene.run(['share'])).stderr).toContain('a link needs a campaign');
  const refused = await scene.run(['share', 'c1', '--expires', 'now']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('5m to 366d')]);
});

it.for([
  [['--list', '--name', 'Glow'], '--name'],
  [['--list', '--expires', '7d'], '--expires'],
  [['--revoke', '3f9c2a71', '--name', 'Glow'], '--name'],
  [['--revoke', '3f9c2a71', '--expires', '7d'], '--expires'],
  [['c1', '--revoke', '3f9c2a71'], '--revoke needs no campaign'],
] as const)('refuses %j, which would be ignored', async ([args, part], test) => {
  const scene = await openScene(test);
  const { code, stderr } = await scene.run(['share', ...args]);
  expect([code, stderr]).toEqual([2, expect.stringContaining(part)]);
  expect(stderr).not.toContain('there is no client link');
});
