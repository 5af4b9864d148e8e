import { describe, expect, it } from 'vitest';
import { createLedger } from '../../src/ledger/ledger.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { redisNamespace } from '../support/redis/redis.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';

describe('show ID KEY', () => {
  const scene = playOnce(async (owner) => {
    const opened = await openScene(owner);
    const { faults } = opened.sandbox;
    faults.add({
      operation: 'createFileUpload',
      kind: 'status',
      status: 500,
      match: { fileName: 'slow.mp4' },
    });
    const rows = [videoRow('good'), videoRow('slow'), aiVideoRow('fail', { ai_prompt: '[fail] a video' })];
    expect((await opened.run(['run', opened.manifest(rows)])).code).toBe(3);
    return opened;
  });

  async function storyOf(key: string) {
    const { stdout } = await scene().run(['show', 'c1', key, '--json']);
    const { story, ...row } = JSON.parse(stdout) as { story: { step: string | null; outcome: string }[] };
    return { ...row, story: story.map(({ step, outcome }) => `${step} ${outcome}`) };
  }

  it('tells the times of a row that came through at the first try', async () => {
    expect(await storyOf('good')).toMatchObject({ state: 'posted', story: ['null begun', 'post posted'] });
  });

  it('tells every attempt of a row that did not', async () => {
    expect(await storyOf('slow')).toMatchObject({
      state: 'posted',
      error: null,
      story: ['showcase ok', 'upload retry', 'upload ok', 'post posted'],
    });
    expect(await storyOf('fail')).toMatchObject({
      state: 'failed',
      error: { code: 'generation_failed' },
      story: ['showcase ok', 'generate ok', 'poll failed'],
    });
  });

  it('is a table without --json', async () => {
    const { stdout } = await scene().run(['show', 'c1', 'fail']);
    expect(stdout).toMatch(
      /^Row fail failed\.\n {2}error {2}generation_failed: .+\n {2}to do {2}Change the prompt/,
    );
    expect(stdout).toMatch(/^TIME \(UTC\) +STEP +OUTCOME$/m);
    expect(stdout).toMatch(
      /^\w{3} \d+ \w{3}, \d\d:\d\d:\d\d +AI result +failed\n {6}generation_failed: The generation ended/m,
    );
  });

  it('tells the comments on a row below its history', async () => {
    const { redis, prefix } = scene().namespace ?? redisNamespace();
    const ledger = createLedger({ redis, prefix, now: () => 1 });
    await ledger.comments.add('c1', 1, { by: 'Lin', isGuest: true, text: 'Longer, please' });
    const { stdout } = await scene().run(['show', 'c1', 'slow']);
    expect(stdout).toMatch(/\n\nComments\n {2}Lin \(client link\): Longer, please\n?$/);
  });

  it('refuses a row that does not exist', async () => {
    expect(await scene().run(['show', 'c1', 'nobody'])).toMatchObject({ code: 2 });
  });
});
