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

describe('a row whose answer was lost', () => {
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
});

describe('workers', () => {
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
});

describe('a row whose post was not published', () => {
  /** A campaign of such a row; its results sheet was written while it was posted. */
  async function failedPost(test: TestContext) {
    const scene = await openScene(test, { settings: withRecords });
    const file = scene.manifest([videoRow('1', { caption: 'One [publish-fail]' }), videoRow('2')]);
    expect((await scene.run(['run', file])).code).toBe(0);
    scene.sandbox.clock.advance(60_000);
    expect((await refresh(scene)).posts).toHaveLength(2);
    const edited = scene
      .results()
      .rows.map((row) => ({ ...row, caption: (row.caption ?? '').replace(' [publish-fail]', '') }));
    const into = (flags: readonly string[] = []) =>
      scene.run(['run', scene.manifest(edited, 'edited.csv'), '--into', 'c1', ...flags]);
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
      'not looked up: 1, because reading the publishing records is not set up',
    );
    const retried = await scene.run(['retry', 'c1']);
    expect(retried.stdout).toContain('reading the publishing records is not set up');
    expect(scene.sandbox.counts().createCreatorPost).toBe(2);
  });
});
