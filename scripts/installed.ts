/**
 * Exit code 0 when `node_modules` matches `package-lock.json` on this machine, so that `npm ci` is not needed; else 1.
 * An optional package may be missing, except the binary for this system.
 */
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

function readPackages(file: string): Record<string, LockedPackage> {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, LockedPackage> };
  return lock.packages;
}

function isForThisMachine(wanted: LockedPackage): boolean {
  const fits = (allowed: readonly string[] | undefined, own: string): boolean =>
    allowed === undefined || allowed.includes(own);
  if (wanted.os === undefined && wanted.cpu === undefined) return false;
  return fits(wanted.os, process.platform) && fits(wanted.cpu, process.arch) && fits(wanted.libc, libc());
}

function libc(): string {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

function isInstalled(): boolean {
  const installed = readPackages('node_modules/.package-lock.json');
  return Object.entries(readPackages('package-lock.json')).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found === undefined) return wanted.optional === true && !isForThisMachine(wanted);
    if (found.version !== wanted.version) return false;
    // Binaries of some systems have no digest in the lock file.
    return wanted.integrity === undefined || found.integrity === wanted.integrity;
  });
}

try {
  process.exitCode = isInstalled() ? 0 : 1;
} catch {
  process.exitCode = 1;
}
