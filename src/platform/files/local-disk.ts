/**
 * Tells which paths are on a disk of this machine. A small file there is read in microseconds; handing the calls to the thread pool
 * costs ten times as much. A network share may hang for minutes, and must not stop the process.
 *
 * The mount table of Linux answers without asking any disk. Other systems have none, and no path counts as local there.
 */
import { lstatSync, readFileSync } from 'node:fs';

const localTypes = new Set('ext2 ext3 ext4 xfs btrfs f2fs bcachefs zfs tmpfs overlay'.split(' '));

/** A larger table would take too long to read each time. */
const longestTable = 128 * 1024;
const keptMs = 5000;

/** Mount points that are not local, and when they were read. */
let remote: { readonly points: readonly string[]; readonly at: number } | undefined;

/**
 * Whether each folder down to this path is on a disk of this machine, and no link is on the way: a link may lead to a share.
 * @param path absolute, without `..`.
 */
export function isOnLocalDisk(path: string): boolean {
  if (remote === undefined || performance.now() - remote.at > keptMs) {
    remote = { points: readRemotePoints(), at: performance.now() };
  }
  return !remote.points.some((point) => isAtOrBelow(path, point)) && !hasLink(path);
}

/** The root itself, if the table cannot be used. */
function readRemotePoints(): readonly string[] {
  const everything = ['/'];
  try {
    const table = readFileSync('/proc/self/mountinfo', 'utf8');
    return table.length > longestTable ? everything : parseRemotePoints(table);
  } catch {
    return everything;
  }
}

/** @param table as `/proc/self/mountinfo`. A mount that hides another one is not told apart: both must be local. */
export function parseRemotePoints(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , , point] = mount.split(' ');
    const [type = ''] = source.split(' ');
    return !point?.startsWith('/') || localTypes.has(type) ? [] : [unescapeOctal(point)];
  });
}

/** Spaces and the like are octal in the table. */
function unescapeOctal(point: string): string {
  return point.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  );
}

function isAtOrBelow(path: string, point: string): boolean {
  return point === '/' || path === point || path.startsWith(`${point}/`);
}

/** A link is not followed, so that what it leads to is not asked. A missing file counts as one. */
function hasLink(path: string): boolean {
  try {
    for (let end = path.indexOf('/', 1); end !== -1; end = path.indexOf('/', end + 1)) {
      if (lstatSync(path.slice(0, end)).isSymbolicLink()) return true;
    }
    return lstatSync(path).isSymbolicLink();
  } catch {
    return true;
  }
}
