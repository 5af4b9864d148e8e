/** Opens a file to append to, such as a log. */
import { closeSync, constants, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { findTarget, UnfitTargetError } from './ownership.ts';

/** Never follows a link, and never blocks on a pipe, that appears between the check and the opening. */
const flags =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens a file. Creates it and its folder if missing, with modes by the umask.
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
