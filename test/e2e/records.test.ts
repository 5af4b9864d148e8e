/** The publishing records: they decide rows in review, and posts are followed to their final status. */
import { describe, expect, it, type TestContext } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { listPostsSetting, openScene, type Scene } from '../support/processes/scene.ts';
import { videoRow } from '../support/sheets/rows.ts';

const withRecords = {
  api: { listPosts: listPostsSetting(), timeout: '1500ms' },
  post: { on500: 'review' },
  records: { settle: '5m' },
};

interface Refreshed {
  readonly rows: readonly { readonly key: string; readonly state: string; readonly note?: string }[];
  readonly posts: readonly {
    readonly before: string;
    readonly after: string;
    readonly posts: number;
    readonly examples: readonly { readonly key: string; readonly failure?: string }[];
  }[];
}

async function refresh(scene: Scene): Promise<Refreshed> {
  const { stdout, stderr } = await scene.run(['refresh', 'c1', '--json']);
  expect(stderr).not.toContain('defect');
  return JSON.parse(stdout) as Refreshed;
}

async function report(scene: Scene) {
  await scene.run(['report', 'c1', '--out', 'again.csv']);
  return scene.results('again.csv');
}

describe('a row whose answer was lost', { timeout: 60_000 }, () => {
  it('is found in the records at the end of the run, and nobody is asked', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    const ended = await scene.run(['run', scene.manifest([videoRow('1')])]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(scene.results().rows).toMatchObject([{ key: '1', status: 'posted', error: '' }]);
    expect(scene.sandbox.counts().createCreatorPost).toBe(1);
    expectAgreement(scene.sandbox, scene.results());
  });

  it('is found by refresh, where the records were not set before', async (test) => {
    const scene = await openScene(test, { settings: { api: { timeout: '1500ms', listPosts: null } } });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    const refused = await scene.run(['refresh', 'c1']);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('api.listPosts');

    scene.configure(withRecords);
    expect(await refresh(scene)).toMatchObject({ rows: [{ key: '1', state: 'posted' }] });
    const sheet = await report(scene);
    expect(sheet.rows).toMatchObject([{ status: 'posted' }]);
    expectAgreement(scene.sandbox, sheet);
  });

  it('stays in review when no record fits, is told so, and is not sent again', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset' });
    expect((await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])])).code).toBe(3);
    const { rows } = scene.results();
    const left = rows.filter(({ status }) => status === 'review');
    expect(left).toHaveLength(1);
    expect(left[0]?.error).toMatch(
      /Not found in the publishing records at 20.*the search is repeated after 20/,
    );
    scene.configure({ ...withRecords, records: { settle: '1ms' } });
    const [row] = (await refresh(scene)).rows;
    expect(row).toMatchObject({ state: 'review' });
    expect(row?.note).toContain('is not resent automatically');
    expect((await scene.run(['run'])).code).toBe(0);
    expect(scene.sandbox.counts().createCreatorPost).toBe(2);
    expectAgreement(scene.sandbox, await report(scene));
  });

  it('shares no record with a row like it', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    const alike = { caption: 'The same', media: 'same.mp4', product_id: 'p-same' };
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 1 });
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    const file = scene.manifest([videoRow('1', alike), videoRow('2', alike)]);
    expect((await scene.run(['run', file])).code).toBe(3);
    const { rows } = scene.results();
    expect(rows.map(({ status }) => status).sort()).toEqual(['posted', 'review']);
    expect(scene.sandbox.effects().posts).toHaveLength(1);
    expect((await refresh(scene)).rows[0]?.note).toContain('belong to other rows');
    expect((await report(scene)).rows.map(({ status }) => status).sort()).toEqual(['posted', 'review']);
  });

  it('does not take the post that another row like it was answered', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    const alike = { caption: 'The same', media: 'same.mp4', product_id: 'p-same' };
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'reset', times: 1 });
    const file = scene.manifest([videoRow('1', alike), videoRow('2', alike)]);
    expect((await scene.run(['run', file])).code).toBe(3);
    expect(await refresh(scene)).toMatchObject({ rows: [{ state: 'review' }] });
    expect((await report(scene)).rows.map(({ status }) => status).sort()).toEqual(['posted', 'review']);
  });

  it('stays in review when several records fit, and they are named', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    const alike = { caption: 'The same', media: 'same.mp4', product_id: 'p-same' };
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer', times: 2 });
    const file = scene.manifest([videoRow('1', alike), videoRow('2', alike)]);
    expect((await scene.run(['run', file])).code).toBe(3);
    const { posts } = scene.sandbox.effects();
    for (const { status, error = '' } of scene.results().rows) {
      expect(status).toBe('review');
      for (const { postId } of posts) expect(error).toContain(postId);
    }
  });
});

describe('workers', { timeout: 60_000 }, () => {
  it('look into the records by themselves', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('1'), videoRow('2')])])).code).toBe(3);
    scene.sandbox.clock.advance(60_000);
    scene.configure({ ...withRecords, records: { every: '1s' } });
    const worker = scene.start(['worker']);
    await worker.errorLine(/found in the publishing records/);
    await worker.errorLine(/"status":"PUBLISHED".*post followed/);
    worker.kill('SIGTERM');
    await worker.end();
    const sheet = await report(scene);
    expect(sheet.rows).toMatchObject([{ status: 'posted' }, { status: 'posted' }]);
    expectAgreement(scene.sandbox, sheet);
  });

  it('go on when the records cannot be had', async (test) => {
    const scene = await openScene(test);
    scene.sandbox.faults.add({ operation: 'createCreatorPost', kind: 'lost-answer' });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(3);
    scene.configure({ ...withRecords, records: { every: '1s' } });
    scene.sandbox.faults.add({ operation: 'listPosts', kind: 'status', status: 403, times: 1 });
    const worker = scene.start(['worker']);
    await worker.errorLine(/"code":"key_refused".*publishing records not read/);
    await worker.errorLine(/found in the publishing records/);
    const { stdout } = await scene.run(['show', 'c1', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ state: 'ended', counts: { posted: 1 } });
  });
});

describe('the state of posts', { timeout: 60_000 }, () => {
  it('is followed to its end, and a row fails whose post was not published', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    const rows = [videoRow('1'), videoRow('2', { caption: 'Two [publish-fail]' })];
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(0);
    scene.sandbox.clock.advance(60_000);
    const { posts } = await refresh(scene);
    expect(posts.map(({ after }) => after).sort()).toEqual(['FAILED', 'PUBLISHED']);
    const sheet = await report(scene);
    expect(sheet.rows).toMatchObject([
      { status: 'posted', post_status: 'PUBLISHED', error_code: '' },
      { status: 'failed', post_status: 'FAILED', error_code: 'publishing_failed' },
    ]);
    const shown = JSON.parse((await scene.run(['show', 'c1', '--json'])).stdout);
    expect(shown).toMatchObject({ state: 'ended', counts: { posted: 1, failed: 1 } });
    expect(sheet.rows[1]?.error).toContain('did not take the media');
    expect(await refresh(scene)).toMatchObject({ rows: [], posts: [] });
  });

  it('is not asked for before the time of a post, nor once it is final', async (test) => {
    const scene = await openScene(test, { settings: withRecords });
    const at = new Date(Date.now() + 3_600_000).toISOString();
    const rows = [videoRow('now'), videoRow('later', { scheduled_at: at })];
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(0);
    scene.sandbox.clock.advance(60_000);
    await refresh(scene);
    const asked = scene.sandbox.counts().listPosts ?? 0;
    await refresh(scene);
    expect(scene.sandbox.counts().listPosts ?? 0).toBe(asked);
    const sheet = await report(scene);
    expect(sheet.rows.map(({ post_status }) => post_status)).toEqual(['PUBLISHED', 'SCHEDULED']);
  });

  it('keeps a state that is on no list, and asks again', async (test) => {
    const settings = { ...withRecords, records: { final: ['DONE'] } };
    const scene = await openScene(test, { settings });
    expect((await scene.run(['run', scene.manifest([videoRow('1')])])).code).toBe(0);
    scene.sandbox.clock.advance(60_000);
    expect((await refresh(scene)).posts).toMatchObject([{ after: 'PUBLISHED', posts: 1 }]);
    const asked = scene.sandbox.counts().listPosts ?? 0;
    expect((await refresh(scene)).posts).toEqual([]);
    expect(scene.sandbox.counts().listPosts).toBeGreaterThan(asked);
  });
});

describe('a row whose post was not published', { timeout: 60_000 }, () => {
  /** A campaign of such a row; its results sheet was written while it was posted. */
  async function failedPost(test: TestContext) {
    const scene = await openScene(test, { settings: withRecords });
    const file = scene.manifest([videoRow('1', { caption: 'One [publish-fail]' }), videoRow('2')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    scene.sandbox.clock.advance(60_000);
    expect((await refresh(scene)).posts).toHaveLength(2);
    const mended = scene
      .results()
      .rows.map((row) => ({ ...row, caption: (row.caption ?? '').replace(' [publish-fail]', '') }));
    const into = (flags: readonly string[] = []) =>
      scene.run(['run', scene.manifest(mended, 'mended.csv'), '--into', 'c1', ...flags]);
    return { scene, into };
  }

  it('goes back into its campaign with its old post id, and only the post is repeated', async (test) => {
    const { scene, into } = await failedPost(test);
    const { createFileUpload } = scene.sandbox.counts();
    const ended = await into(['--json']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      counts: { posted: 2 },
      matches: { changed: 1, posted: 1 },
    });
    expect(scene.sandbox.counts()).toMatchObject({ createFileUpload, createCreatorPost: 3 });
    const sheet = await report(scene);
    const { posts } = scene.sandbox.effects();
    expect(sheet.rows[0]?.post_id).toBe(posts.at(-1)?.postId);
  });

  it('is left out while its post cannot be looked up again', async (test) => {
    const { scene, into } = await failedPost(test);
    scene.configure({ ...withRecords, api: { ...withRecords.api, listPosts: null } });
    const planned = await into(['--dry-run', '--json']);
    expect(JSON.parse(planned.stdout)).toMatchObject({ matches: { changed: 0, unread: 1 } });
    const { stdout, stderr } = await into(['--dry-run']);
    expect(stdout + stderr).toContain(
      'not looked up again: 1, because reading the publishing records is not set up',
    );
    const retried = await scene.run(['retry', 'c1']);
    expect(retried.stdout).toContain('reading the publishing records is not set up');
    expect(scene.sandbox.counts().createCreatorPost).toBe(2);
  });
});
