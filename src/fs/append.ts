/** Opens a file to append to, such as a log. */
import { closeSync, constants, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { findTarget, UnfitTargetError } from './ownership.ts';

/** A link or a pipe that appears between the look and the opening: neither is followed, and neither blocks. */
const flags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file, and makes it and its folder if missing; their modes follow from the umask.
 * @returns the file descriptor.
 * @throws {UnfitTargetError} as `findTarget`; errors of the file system.
 */
export function openToAppend(path: string): number {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(findTarget(path), flags, 0o666);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw new UnfitTargetError('this is not a file; remove it');
}
