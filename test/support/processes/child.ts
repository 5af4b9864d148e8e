/** Real processes from our sources, for tests that kill, stop and restart them. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished, type TestContext } from 'vitest';
import { patienceMs, withDeadline } from '../events.ts';

interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface TestProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Everything it wrote so far. */
  readonly output: { readonly stdout: readonly string[]; readonly stderr: readonly string[] };
  /** The first matching line of standard output, past or future. Rejects if the process ends without one. */
  line(pattern: RegExp, deadlineMs?: number): Promise<RegExpExecArray>;
  /** As `line`, on standard error. */
  errorLine(pattern: RegExp, deadlineMs?: number): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Waits until it has ended. */
  end(deadlineMs?: number): Promise<ProcessEnd>;
}

interface ProcessOptions extends Pick<SpawnOptions, 'cwd' | 'detached'> {
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
  /** The process ends with this test. Required if tests run side by side. */
  readonly test?: Pick<TestContext, 'onTestFinished'>;
  /** `pipe`: `child.stdin` is standard input; otherwise standard input is empty. */
  readonly stdin?: 'ignore' | 'pipe';
}

/**
 * Runs a source file with this very Node. At the end of the test it is killed, by its id, if it still runs.
 * @param file path or file URL; @param env is all it gets beside PATH, HOME, TMPDIR and the cache of compiled code.
 */
export function spawnNode(
  file: string | URL,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
  options: ProcessOptions = {},
): TestProcess {
  const path = file instanceof URL ? file.pathname : file;
  const { nodeOptions = [], ...others } = options;
  return spawnProgram(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', ...nodeOptions, path, ...args],
    env,
    others,
  );
}

/** As `spawnNode`, for any program. */
export function spawnProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  { test = { onTestFinished }, stdin = 'ignore', ...options }: ProcessOptions = {},
): TestProcess {
  const child = spawn(program, args, {
    ...options,
    env: { ...inherited(), ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  });
  const ended = once(child, 'close').then(
    ([code, signal]): ProcessEnd => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
    }),
  );
  // `end()` reports a program that cannot start. If nobody waits there, it must not be an unhandled rejection.
  ended.catch(() => {});
  test.onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended.catch(() => {});
  });
  const stdout = collectLines(child.stdout, ended);
  const stderr = collectLines(child.stderr, ended);
  return {
    pid: child.pid ?? 0,
    child,
    output: { stdout: stdout.lines, stderr: stderr.lines },
    line: (pattern, deadlineMs) => stdout.find(pattern, deadlineMs, stderr.lines),
    errorLine: (pattern, deadlineMs) => stderr.find(pattern, deadlineMs, stderr.lines),
    kill: (signal) => void child.kill(signal),
    end: (deadlineMs = patienceMs) => withDeadline(ended, `the end of process ${child.pid}`, deadlineMs),
  };
}

/** The part of our environment that every child gets. */
export function inherited(): Record<string, string> {
  // Tests look for sentences, wherever a terminal would break them.
  const env: Record<string, string> = { COLUMNS: '1000' };
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'NODE_COMPILE_CACHE']) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function collectLines(stream: NodeJS.ReadableStream | null, ended: Promise<unknown>) {
  const lines: string[] = [];
  const watchers = new Set<(line: string) => void>();
  if (stream) {
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line);
      for (const watch of watchers) watch(line);
    });
  }

  function find(
    pattern: RegExp,
    deadlineMs = patienceMs,
    errors: readonly string[] = [],
  ): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const watch = (line: string): void => {
      const match = pattern.exec(line);
      if (match) resolve(match);
    };
    for (const line of lines) watch(line);
    watchers.add(watch);
    const failed = (why: string): void =>
      reject(new Error(`no line ${pattern}: ${why}\n${errors.join('\n')}`));
    const timer = setTimeout(() => failed(`waited ${deadlineMs} ms`), deadlineMs);
    const onEnd = (): void => failed('the process ended');
    ended.then(onEnd, onEnd);
    return promise.finally(() => {
      clearTimeout(timer);
      watchers.delete(watch);
    });
  }

  return { lines, find };
}
