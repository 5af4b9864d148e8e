/** `campaigns approve`: posts that wait are shown, asked about, and approved or rejected; approvals are withdrawn; AI outputs are allowed. */
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandSchemas } from '../../src/cli/documents.ts';
import { openScene, playOnce, type Scene, terminal } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';

const soon = { scheduled_at: new Date(Date.now() + 10 * 86_400_000).toISOString() };
type Owner = Parameters<typeof openScene>[0];

/** A campaign whose posts wait, and what `approve` says of it. */
async function openWaiting(owner: Owner, rows: readonly Cells[], options: readonly string[] = []) {
  const scene = await openScene(owner);
  const ran = await scene.run(['run', scene.manifest(rows), '--approve', 'all', '--lead', '1d', ...options]);
  expect([0, 3], ran.stderr).toContain(ran.code);
  return { ...scene, ...approvingIn(scene) };
}

function approvingIn(scene: Scene) {
  const approve = (...args: readonly string[]) => scene.run(['approve', 'c1', ...args]);
  const document = async (...args: readonly string[]) =>
    commandSchemas.approve.parse(JSON.parse((await approve(...args, '--json')).stdout));
  const campaign = async () => JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
  return { approve, document, campaign };
}

describe('campaigns approve', () => {
  const played = playOnce((owner) =>
    openWaiting(owner, [
      ...[videoRow('a', soon), videoRow('b', soon), videoRow('now')],
      ...Array.from({ length: 25 }, (_, index) => videoRow(`many-${index}`, soon)),
    ]),
  );

  it('shows every post that it asks about, and how many go to the service now', async () => {
    const { code, stdout, stderr } = await played().approve();
    expect(code).toBe(2);
    expect(stdout.match(/^Row /gm)).toHaveLength(28);
    expect(stdout).toContain(
      'Row now: demo_anna, A product, once approved\n  Caption now\n  Product p-now from the showcase',
    );
    expect(stderr).toContain('Approve 28 posts of c1? 1 post goes to the service now.');
    expect(await played().campaign()).toMatchObject({ unapproved: 28 });
  });

  it('a row that waits says for what, and its history names no time', async () => {
    const { stdout } = await played().run(['show', 'c1', 'a']);
    expect(stdout).toMatch(/^Row a is ready: it waits for an approval\.\n/);
    expect(stdout).toMatch(/^.{23} {2,}ready$/m);
  });

  it('--dry-run shows what would be decided, and decides nothing', async () => {
    const { approve, document, campaign } = played();
    const { code, stdout } = await approve('a', 'now', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('Approve 2 posts of c1? 1 post goes to the service now.');
    const outcome = { campaign: 'c1', refused: null };
    expect(await document('a', 'now', '--dry-run')).toEqual({
      dryRun: true,
      posts: [
        { ...outcome, key: 'a', position: 0, state: 'ready' },
        { ...outcome, key: 'now', position: 2, state: 'ready' },
      ],
    });
    expect(await document('a', '--reject', '--reason', 'Wrong', '--dry-run')).toMatchObject({
      posts: [{ state: 'failed' }],
    });
    expect(await campaign()).toMatchObject({ unapproved: 28 });
  });

  it.for([
    [['a', '--spend', '--yes'], '--spend cannot go with rows'],
    [['--spend', '--reason', 'Wrong', '--yes'], '--reason cannot go with --spend'],
    [['--spend', '--reject', '--yes'], '--reject cannot go with --spend'],
    [['--spend', '--withdraw', '--yes'], '--withdraw cannot go with --spend'],
    [['--withdraw', '--reject', '--yes'], '--reject cannot go with --withdraw'],
    [['--withdraw', '--reason', 'Wrong', '--yes'], '--reason cannot go with --withdraw'],
    [['--withdraw', 'nobody', '--yes'], 'no row nobody'],
    [['--reason', 'Wrong', '--yes'], '--reason needs --reject'],
    [['--renew', '--yes'], '--renew needs rows'],
    [['a', '--renew', '--reject', '--yes'], '--reject cannot go with --renew'],
    [['nobody', '--yes'], 'no row nobody'],
    [['--reject', '--yes'], '--reject needs a reason'],
    [['--reject', '--reason', '  ', '--yes'], '--reject needs a reason'],
    [['--reject', '--reason', 'x'.repeat(1001)], 'At most 1000 characters.'],
  ] as const)('refuses %j', async ([args, message]) => {
    const refused = await played().approve(...args);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await played().campaign()).toMatchObject({ unapproved: 28 });
  });
});

describe('campaigns approve of named rows', () => {
  it('approves these, and they are posted', async (test) => {
    const { approve, run, sandbox, campaign } = await openWaiting(test, [videoRow('a'), videoRow('b')]);
    const approved = await approve('b', '--yes');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('1 post approved.') });
    await run(['run']);
    expect(sandbox.effects().posts).toMatchObject([{ title: 'Caption b' }]);
    expect(await campaign()).toMatchObject({ unapproved: 1 });
  });

  it('says of each row that does not wait why it was not decided, and ends with 3', async (test) => {
    const { approve, document, run } = await openWaiting(test, [
      videoRow('done'),
      videoRow('held', soon),
      videoRow('wrong', { product_id: 'unavailable-1' }),
      videoRow('open', soon),
    ]);
    expect((await approve('done', 'held', '--yes')).code).toBe(0);
    await run(['run']);
    const { code, stdout } = await approve('done', 'held', 'wrong', 'open', '--yes');
    expect(code).toBe(3);
    expect(stdout).toContain('1 post approved.');
    expect(stdout).toContain('Row done: It no longer waits: it is posted.');
    expect(stdout).toContain('Row held: It is approved already.');
    expect(stdout).toContain('Row wrong: It no longer waits: it has failed.');
    const none = await approve('done', '--yes');
    expect(none).toMatchObject({ code: 3, stdout: expect.stringContaining('Row done: ') });
    expect(await document('done', 'open', '--yes')).toMatchObject({
      posts: [
        { key: 'done', state: null, refused: expect.stringContaining('it is posted') },
        { key: 'open', state: null, refused: 'It is approved already.' },
      ],
    });
  });

  it('rejects with a reason', async (test) => {
    const { document, run } = await openWaiting(test, [videoRow('a', soon), videoRow('b', soon)]);
    const rejected = await document('a', '--reject', '--reason', 'Wrong product', '--yes');
    expect(rejected).toMatchObject({ posts: [{ key: 'a', state: 'failed', refused: null }] });
    expect((await run(['show', 'c1', 'a'])).stdout).toContain('Wrong product');
  });
});

describe('campaigns approve --withdraw', () => {
  async function openApproved(owner: Owner) {
    const rows = [videoRow('a', soon), videoRow('b', soon), videoRow('open', soon)];
    const opened = await openWaiting(owner, rows);
    await opened.approve('a', 'b', '--yes');
    return opened;
  }

  it('shows the approved posts that wait, asks, and --dry-run changes nothing', async (test) => {
    const { approve, document, campaign } = await openApproved(test);
    const asked = await approve('--withdraw');
    expect(asked.code).toBe(2);
    expect(asked.stdout.match(/^Row /gm)).toHaveLength(2);
    expect(asked.stderr).toContain('Withdraw the approval of 2 posts of c1?');
    const { code, stdout } = await approve('a', '--withdraw', '--dry-run');
    expect(code).toBe(0);
    expect(stdout).toContain('Without --dry-run it asks: Withdraw the approval of 1 post of c1?');
    expect(await document('a', '--withdraw', '--dry-run')).toMatchObject({
      dryRun: true,
      posts: [{ key: 'a', state: 'ready', refused: null }],
    });
    expect(await campaign()).toMatchObject({ unapproved: 1 });
  });

  it('withdraws the approvals of named rows, then of all; says which stay, and ends with 3', async (test) => {
    const { approve, document, campaign } = await openApproved(test);
    const some = await approve('a', 'open', '--withdraw', '--yes');
    expect(some.code).toBe(3);
    expect(some.stdout).toContain('1 approval withdrawn.');
    expect(some.stdout).toContain('Row open: It already waits for approval.');
    expect(await campaign()).toMatchObject({ unapproved: 2 });
    const all = await document('--withdraw', '--yes');
    expect(all).toMatchObject({ posts: [{ key: 'b', state: 'ready', refused: null }] });
    expect(await campaign()).toMatchObject({ unapproved: 3 });
    const none = await approve('--withdraw', '--yes');
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('No approved post of c1 waits.') });
  });
});

it('approves no post whose file has changed, says so, and ends with 3', async (test) => {
  const rows = [videoRow('a', soon), videoRow('b', soon)];
  const { approve, folder, campaign, run } = await openWaiting(test, rows);
  for (const name of ['a.mp4', 'b.mp4']) appendFileSync(join(folder, name), 'changed');
  const { code, stdout } = await approve('--yes');
  expect(code).toBe(3);
  expect(stdout).toContain('Row a: A file has changed since it was uploaded');
  expect(await campaign()).toMatchObject({ unapproved: 2 });
  expect(stdout).toContain('Upload their files again, then approve:\n  campaigns approve --renew -- c1 a b');
  const renewed = await approve('a', 'b', '--renew', '--yes');
  expect(renewed).toMatchObject({ code: 0, stdout: expect.stringContaining('of 2 posts are made again') });
  await run(['run']);
  expect(await approve('--yes')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('2 posts approved.'),
  });
});

it('--renew says what it pays for, and makes nothing again that cannot be', async (test) => {
  const rows = [aiVideoRow('x', soon), aiVideoRow('y', soon), videoRow('done')];
  const { approve, document, run } = await openWaiting(test, rows);
  await approve('done', '--yes');
  await run(['run']);
  const asked = await approve('x', 'y', '--renew');
  expect(asked.stderr).toContain('Make the media of 2 posts of c1 again? This pays for 2 AI outputs again');
  expect(await document('x', 'done', '--renew', '--yes')).toMatchObject({
    posts: [
      { key: 'x', state: 'waiting', refused: null },
      { key: 'done', state: null, refused: expect.stringContaining('neither ready') },
    ],
  });
});

it('--renew says that more AI outputs are beyond the limit', async (test) => {
  const scene = await openScene(test, { settings: { spend: { maxOutputs: 1 } } });
  await scene.run(['run', scene.manifest([aiVideoRow('x', soon)]), '--approve', 'all', '--lead', '1d']);
  const asked = await approvingIn(scene).approve('x', '--renew');
  expect(asked.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'again. This is beyond the limit of AI outputs: rows wait until an operator allows it.',
  );
});

it('of a cancelled campaign nothing waits, which is no error', async (test) => {
  const { approve, run } = await openWaiting(test, [videoRow('a', soon)]);
  await run(['cancel', 'c1', '--yes']);
  expect(await approve('--yes')).toMatchObject({
    code: 0,
    stdout: 'No post of c1 waits for an approval.',
  });
});

it('decides no row that comes to its gate after the question', async (test) => {
  const { approve, start } = await openWaiting(test, [videoRow('a', soon), videoRow('b', soon)]);
  await approve('a', '--yes');
  const asked = start(['approve', 'c1', 'a', 'b', '--withdraw'], terminal, 'pipe');
  await asked.line(/^Row a: /);
  await approve('b', '--yes');
  asked.child.stdin?.end('y\n');
  expect(await asked.end()).toMatchObject({ code: 3 });
  expect(asked.output.stdout.join('\n')).toMatch(/^1 approval withdrawn\.\nRow b: It has changed since/m);
});

it('a check says that the month has no AI outputs left', async (test) => {
  const scene = await openScene(test, { settings: { spend: { perMonth: 2 } } });
  const first = scene.manifest([aiVideoRow('a', { ...soon }), aiVideoRow('b', { ...soon })]);
  await scene.run(['run', first, '--approve', 'all']);
  const { stdout } = await scene.run(['check', scene.manifest([aiVideoRow('c', { ...soon })], 'next.csv')]);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('asks for 1 AI output; the monthly limit leaves 0');
});

it('--spend allows the AI outputs that wait, after a look', async (test) => {
  const scene = await openScene(test, { settings: { spend: { maxOutputs: 1 } } });
  const { approve, document } = approvingIn(scene);
  await scene.run(['run', scene.manifest([aiVideoRow('a'), aiVideoRow('b')])]);
  expect(await document('--spend', '--dry-run')).toMatchObject({ id: 'c1', rows: 1, outputs: 1 });
  const allowed = await approve('--spend', '--yes');
  expect(allowed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('Allowed: 1 AI output of 1 row.'),
  });
  expect(await document('--spend', '--dry-run')).toMatchObject({ rows: 0 });
});
