/** Somebody who may write into the media root replaces folders by links while a file of a draft is put there, or removed. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  findFolderBelow,
  makeFolderBelow,
  OpenFolder,
  placeFile,
  removePlacedFile,
} from '../../src/platform/files/place-file.ts';
import { giveAway, isRoot } from '../support/console/other-user.ts';
import { temporaryFolder } from '../support/folder.ts';

const isLinux = process.platform === 'linux';

/** A media root with the folder `drafts/d/sub`, and beside it `link` to a folder outside, which has a file `a.mp4`. */
function setUp() {
  const folder = temporaryFolder();
  const outside = join(folder, 'outside');
  const root = join(folder, 'root');
  const draft = join(root, 'drafts', 'd');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.mp4'), 'theirs');
  mkdirSync(join(draft, 'sub'), { recursive: true });
  symlinkSync(outside, join(draft, 'link'));
  const place = { root, below: 'drafts/d' };
  return { root, draft, outside, place, victim: join(outside, 'a.mp4') };
}

/** Puts a file to `sub/a.mp4` of the place. */
async function put({ place }: ReturnType<typeof setUp>): Promise<void> {
  await using folder = await makeFolderBelow({ ...place, below: `${place.below}/.incoming` });
  await using handle = await open(folder.at('x.part'), 'w');
  await handle.writeFile('ours');
  await placeFile({ handle, folder, name: 'x.part' }, place, 'sub/a.mp4');
}

function swap(draft: string): void {
  renameSync(join(draft, 'sub'), join(draft, 'spare'));
  renameSync(join(draft, 'link'), join(draft, 'sub'));
}

it('a folder that has become a link gets no file, and none behind it is removed', async () => {
  const scene = setUp();
  await put(scene);
  expect(readFileSync(join(scene.draft, 'sub', 'a.mp4'), 'utf8')).toBe('ours');
  swap(scene.draft);
  await expect(put(scene)).rejects.toThrow('sub is a link or a file there, not a folder');
  await removePlacedFile(scene.place, 'sub/a.mp4');
  expect(readFileSync(scene.victim, 'utf8')).toBe('theirs');
});

it.runIf(isLinux)('a folder that becomes a link after it was opened is still the same', async () => {
  const { draft, victim } = setUp();
  await using outer = await OpenFolder.open(draft);
  await using sub = await outer.enter('sub');
  swap(draft);
  await using handle = await open(sub.at('a.mp4'), 'w');
  await handle.writeFile('ours');
  expect(readFileSync(victim, 'utf8')).toBe('theirs');
  expect(readFileSync(join(draft, 'spare', 'a.mp4'), 'utf8')).toBe('ours');
  expect(await sub.holds(handle, 'a.mp4')).toBe(false);
  await expect(outer.enter('sub')).rejects.toThrow('not a folder');
});

it.runIf(isLinux)('a folder that is moved away while it gets a file keeps none', async () => {
  const scene = setUp();
  await using folder = await makeFolderBelow({ ...scene.place, below: 'drafts/d/.incoming' });
  await using handle = await open(folder.at('x.part'), 'w');
  renameSync(join(scene.draft, '.incoming'), join(scene.draft, 'moved'));
  mkdirSync(join(scene.draft, '.incoming'));
  writeFileSync(join(scene.draft, '.incoming', 'x.part'), 'planted');
  await placeFile({ handle, folder, name: 'x.part' }, scene.place, 'sub/a.mp4');
  expect(readFileSync(join(scene.draft, '.incoming', 'x.part'), 'utf8')).toBe('planted');
  expect(readFileSync(join(scene.draft, 'sub', 'a.mp4'), 'utf8')).toBe('');
});

it.runIf(isLinux)('a folder that becomes a link at the moment of the move overwrites nothing', async () => {
  const scene = setUp();
  await using folder = await makeFolderBelow({ ...scene.place, below: 'drafts/d/.incoming' });
  await using handle = await open(folder.at('x.part'), 'w');
  await handle.writeFile('ours');
  // Asked for right before the move, when the folder of the target is open.
  const swapped = Object.create(folder, {
    at: {
      value: (name: string) => {
        swap(scene.draft);
        return folder.at(name);
      },
    },
  }) as OpenFolder;
  const placing = placeFile({ handle, folder: swapped, name: 'x.part' }, scene.place, 'sub/a.mp4');
  await expect(placing).rejects.toThrow('a folder of its path was moved or replaced');
  expect(readFileSync(scene.victim, 'utf8')).toBe('theirs');
  expect(readdirSync(join(scene.draft, 'spare'))).toEqual([]);
});

describe('a folder of drafts below the media root', () => {
  it('that others may write to is refused, for new files and for removing some', async () => {
    const { root, draft, place } = setUp();
    writeFileSync(join(draft, 'a.mp4'), 'ours');
    for (const mode of [0o775, 0o757]) {
      chmodSync(join(root, 'drafts'), mode);
      await expect(makeFolderBelow(place)).rejects.toThrow(/other users may write to .*drafts: .*chmod go-w/);
      await removePlacedFile(place, 'a.mp4');
      expect(await findFolderBelow(place)).toBeUndefined();
    }
    expect(existsSync(join(draft, 'a.mp4'))).toBe(true);
    chmodSync(join(root, 'drafts'), 0o755);
    await using folder = await makeFolderBelow(place);
    expect(folder.path).toBe(draft);
  });

  it.runIf(isRoot)('of another user is refused', async () => {
    const { root, place } = setUp();
    giveAway(join(root, 'drafts'));
    await expect(makeFolderBelow(place)).rejects.toThrow('belongs to another user');
  });
});
