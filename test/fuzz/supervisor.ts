/** Tries inputs in a process of its own, so that a hang, an endless loop or a lack of memory ends that process only. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Input {
  /** A format of sheets, or an operation of the service. */
  readonly kind: string;
  readonly bytes: Buffer;
}

/** What became of an input. */
export interface Tried {
  /** Undefined if it ended as it should. */
  readonly failure: string | undefined;
  /** CPU time, in milliseconds. */
  readonly cpuMs: number;
  /** Most memory that the process ever had. */
  readonly peakBytes: number;
}

export interface Limits {
  /** CPU time for one input: other processes do not count. */
  readonly cpuMs: number;
  /** Real time for one input. */
  readonly wallMs: number;
  /** Memory of the whole process. */
  readonly bytes: number;
}

export const usualLimits: Limits = { cpuMs: 2000, wallMs: 60_000, bytes: 400_000_000 };

const program = new URL('./child-program.ts', import.meta.url);

export class Supervisor implements AsyncDisposable {
  readonly #program: URL;
  readonly #limits: Limits;
  #child: ChildProcess | undefined;
  #said = '';

  /** @param child module that takes an `Input` as a message, and sends a `Tried`. */
  constructor(limits = usualLimits, child = program) {
    this.#limits = limits;
    this.#program = child;
  }

  /** Tries an input. @returns what is wrong; undefined if nothing is. */
  async try(input: Input): Promise<string | undefined> {
    const isFresh = this.#child === undefined;
    const tried = await this.#send(input);
    if (typeof tried === 'string') return tried;
    const { failure, cpuMs, peakBytes } = tried;
    if (failure !== undefined) return failure;
    if (cpuMs > this.#limits.cpuMs) return `it took ${(cpuMs / 1000).toFixed(1)} s`;
    if (peakBytes <= this.#limits.bytes) return undefined;
    await this[Symbol.asyncDispose]();
    // The inputs before may have left garbage.
    return isFresh ? `it took ${Math.round(peakBytes / 1e6)} MB` : this.try(input);
  }

  async #send(input: Input): Promise<Tried | string> {
    const child = this.#child ?? this.#start();
    const ended = new AbortController();
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#limits.wallMs);
    try {
      const { signal } = ended;
      const answer = once(child, 'message', { signal }).then(([tried]) => tried as Tried);
      const exit = once(child, 'exit', { signal }).then(([code, by]) => this.#describeEnd(code, by));
      child.send(input);
      return await Promise.race([answer, exit]);
    } finally {
      clearTimeout(timer);
      // The other one of the two is no longer awaited.
      ended.abort();
    }
  }

  #start(): ChildProcess {
    this.#said = '';
    const child = fork(this.#program, [], {
      serialization: 'advanced',
      // The heap ends before the machine does; what else is beyond the limit is seen afterwards.
      execArgv: [
        '--disable-warning=ExperimentalWarning',
        '--max-old-space-size=512',
        '--max-semi-space-size=16',
        '--stack-trace-limit=6',
      ],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    child.stderr?.on('data', (text: Buffer) => {
      this.#said = `${this.#said}${text}`.slice(-4000);
    });
    this.#child = child;
    return child;
  }

  #describeEnd(code: number | null, signal: string | null): string {
    this.#child = undefined;
    if (signal === 'SIGKILL') return `it did not end within ${this.#limits.wallMs / 1000} s`;
    return `its process ended (${code ?? signal}): ${this.#said}`;
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  }
}
