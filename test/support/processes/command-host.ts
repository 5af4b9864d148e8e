/**
 * Commands without a process for each: a few processes (hosts) stay from one command to the next, and from test to test.
 * A launch costs more than most commands, as everything has to be loaded. Arguments, environment, folder, output and exit
 * code are as they are in a process of its own; signals and kills need one (`spawnNode`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { TestContext } from 'vitest';
import { withDeadline } from '../events.ts';
import { inherited } from './child.ts';

const commandLine = new URL('../../../src/cli/main.ts', import.meta.url).href;

export interface HostedCommand {
  /** URL of a module that is done once it is evaluated, and leaves its exit code in `process.exitCode`. */
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of the environment beside that which every child gets. */
  readonly env: Readonly<Record<string, string>>;
  /** How long it may take to let go of what keeps a process alive, in milliseconds. */
  readonly leaveMs: number;
}

export interface HostedEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** What would have kept its process from ending. */
  readonly left: readonly string[];
  /** Whether it has ended its host. */
  readonly isGone: boolean;
}

/** Hosts that wait for a command: as many as tests run side by side, because another one costs more than most commands. */
const idle: ChildProcess[] = [];
const mostIdle = 6;

/**
 * Runs `campaigns ...args` to its end.
 * @param test what it ends with, at the latest.
 * @throws {Error} when something of it is left that would keep a process alive, or its host was killed.
 */
export async function runHosted(
  test: Pick<TestContext, 'onTestFinished'>,
  command: Pick<HostedCommand, 'args' | 'cwd' | 'env'> & Partial<HostedCommand>,
  withinMs?: number,
): Promise<Omit<HostedEnd, 'left' | 'isGone'>> {
  const host = idle.pop() ?? startHost();
  const name = `campaigns ${command.args.join(' ')}`;
  let isAtWork = true;
  test.onTestFinished(() => {
    if (isAtWork) host.kill('SIGKILL');
  });
  const answer = answerOf(host, name);
  const env = { ...inherited(), ...command.env };
  host.send({ program: commandLine, leaveMs: 20_000, ...command, env } satisfies HostedCommand);
  const { left, isGone, ...end } = await withDeadline(answer, `the end of ${name}`, withinMs);
  isAtWork = false;
  if (left.length > 0) {
    host.kill('SIGKILL');
    throw new Error(`${name} would not end: ${left.join(', ')}\n${end.stderr}`);
  }
  if (!isGone && idle.length < mostIdle) idle.push(host);
  else if (host.connected) host.disconnect();
  return { ...end, stdout: lines(end.stdout), stderr: lines(end.stderr) };
}

/** What a host says of the command that it is given next. @throws {Error} when it is killed meanwhile. */
function answerOf(host: ChildProcess, name: string): Promise<HostedEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<HostedEnd>();
  const onExit = (code: number | null, signal: NodeJS.Signals | null): void =>
    reject(new Error(`${name}: its host ended (${code ?? signal})`));
  host.once('message', (end: HostedEnd) => {
    host.off('exit', onExit);
    resolve(end);
  });
  host.once('exit', onExit);
  return promise;
}

function startHost(): ChildProcess {
  const host = fork(new URL('./command-host-program.ts', import.meta.url), [], {
    env: inherited(),
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // It ends with this process, by the end of their channel.
  host.unref();
  host.channel?.unref();
  return host;
}

/** The lines, as those that a process writes are collected: without the end of the last. */
function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '');
}
