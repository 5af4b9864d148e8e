import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openScene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

it('check finds rows that an earlier campaign has posted, but not in its own sheet', async (test) => {
  const scene = await openScene(test);
  const posted = videoRow('posted', { caption: 'First' });
  expect((await scene.run(['run', scene.manifest([posted], 'first.csv')])).code).toBe(0);

  const same = await scene.run(['check', 'first.csv']);
  expect(same.code).toBe(0);
  expect(same.stdout).toContain('no problems, but this sheet was imported before, as campaign c1.');
  expect(same.stdout).toContain('This sheet is already campaign c1 (ended)');
  const document = await scene.run(['check', 'first.csv', '--json']);
  expect(JSON.parse(document.stdout)).toMatchObject({ earlier: { campaign: 'c1', state: 'ended' } });

  const second = scene.manifest(
    [{ ...posted, key: 'again' }, videoRow('new', { caption: 'Second' })],
    'second.csv',
  );
  const { code, stdout } = await scene.run(['check', second, '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    problems: [
      {
        key: 'again',
        column: null,
        code: 'already_posted',
        problem: expect.stringMatching(/^already in c1, row posted, posted \d+ \w+$/),
        fix: 'Remove the row. Or skip it with --skip-invalid. To post it again, add --again.',
      },
    ],
    plan: { rows: 1 },
  });
  const refused = await scene.run(['run', second]);
  expect(refused.code).toBe(1);
  const left = await scene.run(['run', second, '--skip-invalid', '--json']);
  expect(left.code).toBe(3);
  expect(JSON.parse(left.stdout)).toMatchObject({ rows: 1, counts: { posted: 1 } });
});

it('of the sheet of a paused campaign, check and run name the command that resumes it', async (test) => {
  const scene = await openScene(test);
  const file = scene.manifest([videoRow('a'), videoRow('b')]);
  expect((await scene.run(['run', file, '--canary', '1'])).code).toBe(4);
  const checked = await scene.run(['check', file]);
  expect(checked.stdout).toContain('campaign c1 (paused). Resume it:\n  campaigns resume c1');
  const { code, stderr } = await scene.run(['run', file]);
  expect(code).toBe(4);
  expect(stderr).toContain('is paused. Resume it:\n  campaigns resume c1');
  expect(stderr).not.toContain('Resuming campaign');
});

it('check shows repeated problems once, and one --map line that works', async (test) => {
  const scene = await openScene(test);
  const rows = Array.from({ length: 30 }, (_, index) => {
    const { caption = '', ...row } = videoRow(`${index}`, { creator: 'demo_nobody' });
    return { ...row, Captoin: caption, Remark: 'x' };
  });
  const file = scene.manifest(rows);
  const { stdout } = await scene.run(['check', file]);
  expect(stdout.split('\n').slice(1, 5)).toEqual([
    expect.stringMatching(/^1 +Captoin, Remark /),
    expect.stringMatching(/^ {6}There are no such columns/),
    expect.stringMatching(/^1 +caption/),
    expect.stringMatching(/^ {6}The header has no column caption/),
  ]);
  expect(stdout).toContain('\n  --map Captoin=caption --map Remark=_\n');
  const mapped = ['--map', 'Captoin=caption', '--map', 'Remark=_'];
  const after = await scene.run(['check', file, ...mapped]);
  expect(after.stdout).toMatch(
    /\n2-31 +0, 1, 2, \.\.\. +creator +demo_nobody\n {6}30 rows: the service has no account/,
  );
  const { problems } = JSON.parse((await scene.run(['check', file, ...mapped, '--json'])).stdout);
  expect(problems).toHaveLength(30);
});

it('check plans with the current rate limits', async (test) => {
  const scene = await openScene(test);
  await scene.run(['rate-limits', 'createCreatorPost', '60/min', '--burst', '1']);
  const rows = Array.from({ length: 5 }, (_, index) => videoRow(`row-${index}`));
  const { stdout } = await scene.run(['check', scene.manifest(rows), '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ plan: { shortestMs: 4000, decidedBy: 'createCreatorPost' } });
});

it('check never writes the problems over the manifest', async (test) => {
  const scene = await openScene(test);
  const file = scene.manifest([videoRow('bad', { caption: '' }), videoRow('good')]);
  const before = readFileSync(join(scene.folder, file), 'utf8');
  const { code, stderr } = await scene.run(['check', file, '--problems', `./${file}`]);
  expect(code).toBe(2);
  expect(stderr).toContain('--problems would overwrite your sheet');
  expect(readFileSync(join(scene.folder, file), 'utf8')).toBe(before);
});

it('with --json, wrong usage is a JSON document', async (test) => {
  const scene = await openScene(test);
  const { code, stdout } = await scene.run(['report', 'c1', '--json']);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    error: { message: expect.stringContaining('--out'), exitCode: 2 },
  });
});

it('a warning of many rows is told once, whichever command takes the sheet', async (test) => {
  const scene = await openScene(test);
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, { caption: `Really??? ${key}` }));
  const file = scene.manifest(rows);
  const warned = async (...args: string[]) => {
    const { stdout } = await scene.run([...args, file]);
    return stdout.match(/^.*\n.*three or more \?.*$/gm);
  };
  const two = [expect.stringMatching(/^2-4 +a, b, c +caption .*\n {6}3 rows: /)];
  expect(await warned('check')).toEqual(two);
  expect(await warned('import')).toEqual(two);
  expect(await warned('import', '--into', 'c1', '--dry-run')).toBeNull();
  scene.manifest(rows.map((row) => ({ ...row, caption: `${row.caption}!` })));
  expect(await warned('import', '--into', 'c1', '--dry-run')).toEqual(two);
});

it('check says with --lead and --approve how many posts are sent now, later and after an approval', async (test) => {
  const scene = await openScene(test);
  const at = (days: number) => ({ scheduled_at: new Date(Date.now() + days * 86_400_000).toISOString() });
  const file = scene.manifest([videoRow('a'), videoRow('b', at(1)), videoRow('c', at(9))]);
  const { stdout } = await scene.run(['check', file, '--lead', '2d', '--approve', 'all']);
  expect(stdout).toMatch(/sent to the service: 2 now, 1 later, from .+ on \(lead\)/);
  expect(stdout).toContain('3 posts wait for an approval');
  expect((await scene.run(['check', file])).stdout).not.toContain('later');
  expect((await scene.run(['check', file, '--lead', 'now'])).stdout).not.toContain('later');
});
