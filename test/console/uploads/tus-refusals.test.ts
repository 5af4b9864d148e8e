import { existsSync, mkdirSync, readdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { admitFile } from '../../../src/app/drafts/files/admit.ts';
import { readFiles } from '../../../src/app/drafts/files/record.ts';
import { type DropScene, film, openDropScene } from '../../support/console/drop-scene.ts';

let scene: DropScene;

beforeEach(async (test) => {
  scene = await openDropScene(test);
});

describe('a file that is uploaded', () => {
  it('that is empty is refused before it is sent, and the page says so to everybody', async () => {
    for (let time = 0; time < 2; time += 1)
      expect(await scene.drop.post('empty.mp4', 0)).toMatchObject({ status: 422 });
    expect((await scene.filesPage()).text).toContain('1 file was not accepted The file empty.mp4 is empty.');
    await scene.drop.send('empty.mp4', film);
    expect((await scene.filesPage()).text).not.toContain('not accepted');
  });

  it('that is refused is remembered for as many as a thousand names, a page at a time', async () => {
    const { pages, drop } = scene;
    const names = Array.from({ length: 1300 }, (_, index) => `empty-${String(index).padStart(4, '0')}.mp4`);
    for (const path of names) {
      const admitted = admitFile(pages.runtime, drop.draft, { path, bytes: 0, modifiedAt: 1 }, 'anna');
      await expect(admitted).rejects.toMatchObject({ code: 'upload_refused' });
    }
    const { refused } = await readFiles(pages.runtime, drop.draft);
    expect([refused.size, refused.has(names[299] ?? ''), refused.has(names[300] ?? '')]).toEqual([
      1000,
      false,
      true,
    ]);
    const list = async (query: string) => {
      const answer = await fetch(`${pages.url}/api/v1/drafts/${drop.draft}/files${query}`);
      return (await answer.json()) as { refused: { path: string }[]; refusedTotal: number };
    };
    const [first, last] = [await list(''), await list('?from=990&limit=500')];
    expect([first.refused.length, first.refused[0]?.path, first.refusedTotal]).toEqual([
      50,
      names[300],
      1000,
    ]);
    expect(last.refused.map(({ path }) => path)).toEqual(names.slice(-10));
  });

  it('is refused when its bytes do not match its name, and the page says so', async () => {
    const answer = await scene.drop.send('take.mp4', Buffer.from('<html>this is a page</html>'.repeat(100)));
    expect(answer).toMatchObject({ status: 422 });
    expect(answer.text).toContain('The file take.mp4 was not accepted');
    expect(existsSync(scene.medium('take.mp4'))).toBe(false);
    expect((await scene.filesPage()).text).toContain(
      '1 file was not accepted The file take.mp4 was not accepted',
    );
  });

  it('is refused under a name that is none', async () => {
    const bad = [
      ...['../a.mp4', '..\\a.mp4', 'x/../../a.mp4', '/etc/a.mp4', 'C:\\a.mp4', 'x//a.mp4'],
      ...['.a.mp4', 'x/.incoming/a.mp4', ' ', 'a\0.mp4', 'a\u202e4pm.mp4', `${'x'.repeat(251)}.mp4`],
    ];
    for (const name of bad) {
      expect([name, (await scene.drop.post(name, film.length)).status]).toEqual([name, 422]);
    }
    expect((await readFiles(scene.pages.runtime, scene.drop.draft)).stored.size).toBe(0);
    expect(
      readdirSync(scene.runner.folder, { recursive: true }).filter((name) => /mp4|part$/.test(String(name))),
    ).toEqual([]);
  });

  it('follows no link out of the folder of the draft', async () => {
    const outside = join(scene.runner.folder, 'outside');
    mkdirSync(outside);
    mkdirSync(scene.medium(''), { recursive: true });
    symlinkSync(outside, scene.medium('link'));
    expect((await scene.drop.send('link/a.mp4', film)).status).toBe(422);
    expect(readdirSync(outside)).toEqual([]);
    rmdirSync(scene.medium('.incoming'));
    symlinkSync(outside, scene.medium('.incoming'));
    expect((await scene.drop.post('b.mp4', film.length)).status).toBe(507);
    expect(readdirSync(outside)).toEqual([]);
  });
});
