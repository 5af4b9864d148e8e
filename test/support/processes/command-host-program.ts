/**
 * Carries out commands one after the other, each as if it had the process to itself: the program is evaluated anew, with
 * its own arguments, environment, folder and standard streams. What all commands load is loaded once.
 * Messages: a `HostedCommand` comes in; a `HostedEnd` goes out when nothing of it is left that would keep a process alive.
 */
import { Writable } from 'node:stream';
import type { HostedCommand, HostedEnd } from './command-host.ts';

/** Commands so far. Its number makes the program a module of its own for each. */
let carriedOut = 0;
let output = { stdout: '', stderr: '' };
let isAtWork = false;

process.on('message', (command: HostedCommand) => void carryOut(command));
process.on('disconnect', () => process.exit());
// A command may end the process; what it said is told all the same.
process.on('exit', (code) => {
  if (isAtWork && process.connected)
    process.send?.({ ...output, code, left: [], isGone: true } satisfies HostedEnd);
});

async function carryOut({ program, args, cwd, env, leaveMs }: HostedCommand): Promise<void> {
  isAtWork = true;
  carriedOut += 1;
  output = { stdout: '', stderr: '' };
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(1, Infinity, new URL(program).pathname, ...args);
  process.exitCode = undefined;
  takeStream('stdout');
  takeStream('stderr');
  const before = resources();
  await import(`${program}#${carriedOut}`);
  const left = await untilNothingIsLeft(before, leaveMs);
  isAtWork = false;
  process.send?.({ ...output, code: Number(process.exitCode ?? 0), left, isGone: false } satisfies HostedEnd);
}

/** Gives the process another standard stream, whose text is kept. */
function takeStream(name: 'stdout' | 'stderr'): void {
  // The bytes of a character may come in pieces.
  const decoder = new TextDecoder();
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      output[name] += decoder.decode(chunk, { stream: true });
      done();
    },
  });
  Object.defineProperty(process, name, { value: stream, configurable: true });
}

/** A process ends by itself once nothing keeps it. @returns what still does after a while: a defect of the command. */
async function untilNothingIsLeft(
  before: ReadonlyMap<string, number>,
  withinMs: number,
): Promise<readonly string[]> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const left = [...resources()].filter(([name, count]) => count > (before.get(name) ?? 0));
    if (left.length === 0 || Date.now() > deadline) return left.map(([name]) => name);
    await new Promise((resolve) => setTimeout(resolve, 5).unref());
  }
}

/** What keeps the process alive now: how many of each kind. */
function resources(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of process.getActiveResourcesInfo()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
