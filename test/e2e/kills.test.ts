import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { finished, meanwhile, openScene, type Scene, spedUp } from '../support/processes/scene.ts';
import { aiVideoRow, photoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';

/** One call at a time, so that it is one row that the kill strikes. */
const oneByOne = { concurrency: { post: 1, generate: 1, poll: 1, upload: 1 } };

function postsOf(scene: Scene, key: string): number {
  return scene.sandbox.effects().posts.filter(({ title }) => title === `Caption ${key}`).length;
}

/** Kills the first run at a failpoint, and goes on. @returns the outcome of the run that went on. */
async function killAndGoOn(
  test: TestContext,
  rows: readonly Cells[],
  failpoint: string,
): Promise<{ scene: Scene; code: number | null }> {
  const scene = await openScene(test, { ...spedUp, settings: oneByOne });
  const env = { CAMPAIGNS_FAILPOINT: failpoint };
  const killed = await finished(scene.start(['run', scene.manifest(rows)], env));
  expect(killed.signal).toBe('SIGKILL');
  const { code } = await scene.run(['run']);
  expectAgreement(scene.sandbox, scene.results());
  return { scene, code };
}

describe.concurrent('a kill around a post', () => {
  const rows = ['1', '2', '3', '4'].map((key) => videoRow(key));

  it('before `sending` is written: it is sent then', async (test) => {
    const { scene, code } = await killAndGoOn(test, rows, 'before-sending:2');
    expect(code).toBe(0);
    for (const { key } of scene.results().rows) expect(postsOf(scene, key)).toBe(1);
  });

  it('after `sending`, before the first byte: review, without an effect', async (test) => {
    const { scene, code } = await killAndGoOn(test, rows, 'after-journal:2');
    expect(code).toBe(3);
    const inReview = scene.results().rows.filter(({ status }) => status === 'review');
    expect(inReview).toMatchObject([{ error_code: 'outcome_unknown' }]);
    for (const { key } of inReview) expect(postsOf(scene, key)).toBe(0);
  });

  it('after the effect, before the answer: review, with one effect', async (test) => {
    const scene = await openScene(test, { ...spedUp, settings: oneByOne });
    const operation = 'createCreatorPost';
    scene.sandbox.faults.add({ operation, kind: 'hold', skip: 1 });
    const running = scene.start(['run', scene.manifest(rows)]);
    await meanwhile(running, scene.sandbox.whenHeld(operation));
    running.kill('SIGKILL');
    await running.end();
    scene.sandbox.release();

    expect((await scene.run(['run'])).code).toBe(3);
    expectAgreement(scene.sandbox, scene.results());
    const inReview = scene.results().rows.filter(({ status }) => status === 'review');
    expect(inReview).toMatchObject([{ error_code: 'outcome_unknown' }]);
    for (const { key } of inReview) expect(postsOf(scene, key)).toBe(1);
  });

  it('after the answer, before the bookkeeping: review, with one effect', async (test) => {
    const { scene, code } = await killAndGoOn(test, rows, 'after-answer:2');
    expect(code).toBe(3);
    const inReview = scene.results().rows.filter(({ status }) => status === 'review');
    expect(inReview).toMatchObject([{ error_code: 'outcome_unknown' }]);
    for (const { key } of inReview) expect(postsOf(scene, key)).toBe(1);
  });

  it('after the bookkeeping, before the job completes: it is not sent again', async (test) => {
    const { scene, code } = await killAndGoOn(test, rows, 'after-bookkeeping:2');
    expect(code).toBe(0);
    for (const { key } of scene.results().rows) expect(postsOf(scene, key)).toBe(1);
  });
});

describe.concurrent('a kill at the gate of a row', () => {
  const rows = ['1', '2'].map((key) => videoRow(key, { approve: 'all' }));

  /** Two runs with an approval between them, each killed at its failpoint if it has one, and run again. */
  async function approveBetween(test: TestContext, before: string | undefined, after: string | undefined) {
    const scene = await openScene(test, { ...spedUp, settings: oneByOne });
    const run = async (args: readonly string[], failpoint: string | undefined) => {
      if (failpoint === undefined) return scene.run(args);
      const killed = await finished(scene.start(args, { CAMPAIGNS_FAILPOINT: failpoint }));
      expect(killed.signal).toBe('SIGKILL');
      return scene.run(['run']);
    };
    expect((await run(['run', scene.manifest(rows)], before)).code).toBe(0);
    expect(scene.sandbox.effects().posts).toEqual([]);
    expect((await scene.run(['approve', 'c1', '--yes'])).code).toBe(0);
    expect((await run(['run'], after)).code).toBe(0);
    expectAgreement(scene.sandbox, scene.results());
    for (const { key } of rows) expect(postsOf(scene, key ?? '')).toBe(1);
  }

  it('before it is ready: nothing is posted before its approval, then once', async (test) => {
    await approveBetween(test, 'at-gate', undefined);
  });

  it('after its approval has sent it on: it is posted once', async (test) => {
    await approveBetween(test, undefined, 'after-wake');
  });
});

// One row each: what another row was sending at that moment would rightly go to review.
describe.concurrent('a kill elsewhere', () => {
  it.for([
    ['an upload', 'during-upload:2', [photoRow('1', 3)]],
    ['a poll', 'during-poll', [aiVideoRow('1')]],
  ] as const)('at the beginning of %s: it is taken up again', async ([, failpoint, rows], test) => {
    const { code } = await killAndGoOn(test, rows, failpoint);
    expect(code).toBe(0);
  });

  it('of a scrape, after some of its answers were written: each video is counted once, and none is lost', async (test) => {
    const scene = await openScene(test, spedUp);
    const urls = Array.from({ length: 120 }, (_, index) => `https://video.example/@anna/video/${index}`);
    writeFileSync(join(scene.folder, 'videos.csv'), ['video_url', ...urls].join('\n'));
    expect((await scene.run(['videos', 'import', 'videos.csv'])).code).toBe(0);
    const killed = await finished(
      scene.start(['videos', 'scrape'], { CAMPAIGNS_FAILPOINT: 'during-scrape:90' }),
    );
    expect(killed.signal).toBe('SIGKILL');
    const { code, stdout } = await scene.run(['videos', 'scrape', '--json']);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, run: 1, total: 120, done: 120 });
    const { videos } = JSON.parse((await scene.run(['videos', 'list', '--json'])).stdout);
    expect(videos.filter((video: { samples: number }) => video.samples === 1)).toHaveLength(120);
    // Answers that were not written yet were asked for again, the others were not.
    const { fetchPublicVideoData: calls = 0 } = scene.sandbox.counts();
    expect(calls).toBeGreaterThan(120);
    expect(calls).toBeLessThan(120 + 90);
  });
});
