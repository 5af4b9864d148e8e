/**
 * Folders, links and special files that another user may have prepared for us. Users are compared by number, because some have
 * no name.
 */
import { lstatSync, readlinkSync, realpathSync, type Stats } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A path that belongs to another user. */
export class ForeignFolderError extends Error {
  override readonly name = 'ForeignFolderError';
}

/** Follows no link. @returns undefined if nothing is there. @throws {ForeignFolderError} unless it belongs to this user. */
export function inspectOwnFolder(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !isOwn(found)) {
    throw new ForeignFolderError(
      `${path} belongs to another user (id ${found.uid}, and this is ${process.geteuid?.()})`,
    );
  }
  return found;
}

/** A place where no file can be written. The message is a clause, and fits `describeFileError`. */
export class UnfitTargetError extends Error {
  override readonly name = 'UnfitTargetError';
  /** As in errors of the file system. */
  readonly syscall = 'open';
}

/** Most links to follow, as in Linux. */
const mostLinks = 40;

/**
 * Finds where to write a file: at `path`, or at the target of this user's link. Opens nothing, so a pipe cannot block it.
 * @returns a path that is a regular file, or nothing yet.
 * @throws {UnfitTargetError} for a link of another user, a folder, pipe, socket or device; errors of the file system.
 */
export function findTarget(path: string): string {
  let target = path;
  for (let links = 0; links <= mostLinks; links += 1) {
    const found = lstatSync(target, { throwIfNoEntry: false });
    if (!found || found.isFile()) return target;
    if (!found.isSymbolicLink()) throw new UnfitTargetError(`this is ${kindOf(found)}; name a file`);
    if (!isOwn(found)) {
      throw new UnfitTargetError('this is a link that another user owns; name another file');
    }
    target = resolve(realpathSync(dirname(target)), readlinkSync(target));
  }
  throw new UnfitTargetError('its links lead in a circle; name another file');
}

function isOwn({ uid }: Stats): boolean {
  return uid === (process.geteuid?.() ?? uid);
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  if (found.isFIFO()) return 'a pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
