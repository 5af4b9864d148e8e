/** A file that says that the private Redis was stopped on purpose, so that the processes that lost it do not start it again. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const markFile = (directory: string): string => join(directory, 'stopped');

export function markStopped(directory: string): void {
  writeFileSync(markFile(directory), '');
}

export function unmarkStopped(directory: string): void {
  rmSync(markFile(directory), { force: true });
}

export function isStopped(directory: string): boolean {
  return existsSync(markFile(directory));
}
