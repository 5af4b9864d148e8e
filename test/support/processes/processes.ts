/** Looks at processes from outside. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Whether a process runs. A zombie does not: it only waits for its parent to collect it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Ids of processes with this working folder. Linux only. */
export function processesIn(folder: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && readlinkSync(`/proc/${pid}/cwd`) === folder;
      } catch {
        return false;
      }
    });
}

/** Ids of servers that work in a folder, without their shells and forks. Linux only. */
export function serversIn(folder: string): number[] {
  const facts = new Map(processesIn(folder).map((pid) => [pid, readIfThere(`/proc/${pid}/status`)] as const));
  const isServer = (status: string) => /^Name:\t(?:redis|valkey)-/m.test(status);
  return [...facts]
    .filter(([, status]) => isServer(status) && !facts.has(Number(/^PPid:\t(\d+)/m.exec(status)?.[1])))
    .map(([pid]) => pid);
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
