/** Makes small versions of images in a process of its own: a decoder may crash, never end, or be made to do what it should not. */
import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { Mutex } from 'async-mutex';

/** How long the process stays without work. Milliseconds. */
const idleMs = 60_000;

const usualProgram = new URL(`./shrink-program${extname(import.meta.url)}`, import.meta.url);

/** JPEGs of one image, 240 and 96 pixels wide. */
interface SmallVersions {
  readonly small: Buffer;
  readonly tiny: Buffer;
}

export class Shrinker {
  #child: ChildProcess | undefined;
  readonly #turns = new Mutex();
  #idle: NodeJS.Timeout | undefined;
  readonly #program: URL;
  readonly #longestMs: number;

  /** @param options.program takes images in messages. `longestMs`: how long an image may take. */
  constructor({ program = usualProgram, longestMs = 10_000 } = {}) {
    this.#program = program;
    this.#longestMs = longestMs;
  }

  /**
   * Makes small JPEGs of an image; of one at a time.
   * @param read reads the image when it is its turn, so that few are in memory.
   * @throws {Error} if it cannot be read as an image, is too large, or takes too long; and errors of `read`.
   */
  shrink(read: () => Promise<Uint8Array>): Promise<SmallVersions> {
    return this.#turns.runExclusive(async () => this.#shrink(await read()));
  }

  async #shrink(image: Uint8Array): Promise<SmallVersions> {
    clearTimeout(this.#idle);
    const child = this.#open();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const end = () => reject(new Error('the process that reads images has ended'));
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#longestMs);
    child.once('message', resolve).once('exit', end).once('error', reject);
    try {
      child.send(image, (error) => error && reject(error));
      const answer = await promise;
      const [small, tiny] = Array.isArray(answer) ? answer : [];
      if (small instanceof Uint8Array && tiny instanceof Uint8Array)
        return { small: Buffer.from(small), tiny: Buffer.from(tiny) };
      throw new Error(String(answer).slice(0, 200));
    } finally {
      clearTimeout(timer);
      child.off('message', resolve).off('exit', end).off('error', reject);
      this.#idle = setTimeout(() => child.kill(), idleMs).unref();
    }
  }

  /** The thread gets no secrets, and does not keep this process alive. */
  #open(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const child = fork(this.#program, { serialization: 'advanced', env: {}, execArgv: [], stdio: 'ignore' });
    child.on('error', () => undefined);
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }
}
