/**
 * Tells which paths are on a disk of this machine. A small file there is read in microseconds; handing the calls to the thread pool
 * costs ten times as much. A network share may hang for minutes, and must not stop the process.
 *
 * The mount table of Linux answers without asking any disk. Other systems have none, and no path counts as local there.
 */
import { lstatSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const localTypes = new Set('ext2 ext3 ext4 xfs btrfs f2fs bcachefs zfs tmpfs overlay'.split(' '));

/** A larger table would take too long to read each time. */
const longestTable = 128 * 1024;
const keptMs = 5000;

/** What is known for a while: mount points that are not local, and folders with no link on their way. */
let known = { remote: [] as readonly string[], plain: new Set<string>(), until: 0 };

/**
 * Whether each folder down to this path is on a disk of this machine, and no link is on the way: a link may lead to a share. Both as of
 * some seconds ago: it is no proof of where a file is. The file itself may be a link, or missing.
 * @param path absolute, without `..`.
 */
export function isOnLocalDisk(path: string): boolean {
  const now = performance.now();
  if (now > known.until) known = { remote: readRemotePoints(), plain: new Set(), until: now + keptMs };
  const { remote, plain } = known;
  const folder = dirname(path);
  if (plain.has(folder)) return !remote.includes(path);
  const isBelow = (point: string) => point === '/' || path === point || path.startsWith(`${point}/`);
  if (remote.some(isBelow) || hasLink(folder)) return false;
  plain.add(folder);
  return true;
}

/** The root itself, if the table cannot be used. */
function readRemotePoints(): readonly string[] {
  try {
    const table = readFileSync('/proc/self/mountinfo', 'utf8');
    return table.length > longestTable ? ['/'] : parseRemotePoints(table);
  } catch {
    return ['/'];
  }
}

/** @param table as `/proc/self/mountinfo`. A mount that hides another one is not told apart: both must be local. */
export function parseRemotePoints(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [mount = '', source = ''] = line.split(' - ');
    const [, , , , point] = mount.split(' ');
    const [type = ''] = source.split(' ');
    if (!point?.startsWith('/') || localTypes.has(type)) return [];
    // Spaces and the like are octal.
    return point.replaceAll(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));
  });
}

/** A link is not followed, so that what it leads to is not asked. A missing folder counts as one. */
function hasLink(folder: string): boolean {
  try {
    for (let end = folder.indexOf('/', 1); end !== -1; end = folder.indexOf('/', end + 1)) {
      if (lstatSync(folder.slice(0, end)).isSymbolicLink()) return true;
    }
    return lstatSync(folder).isSymbolicLink();
  } catch {
    return true;
  }
}
