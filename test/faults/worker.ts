/** One machine of a round: a `campaigns worker` with its own data folder and its own ways to Redis and the service. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnNode, type TestProcess } from '../support/processes/child.ts';
import { type TcpProxy, tcpProxy } from '../support/redis/tcp-proxy.ts';
import type { Ends } from './ends.ts';
import type { Timeline } from './timeline.ts';

const program = new URL('../../src/cli/main.ts', import.meta.url);
const shiftedClock = new URL('../support/shifted-clock.ts', import.meta.url).href;
/** A supervisor waits a moment before it tries again. */
const restartMs = 500;
const drainedWithinMs = 60_000;

export interface Surroundings {
  readonly folder: string;
  readonly ends: Ends;
  readonly timeline: Timeline;
  readonly redisPort: number;
  readonly redisDelayMs: number;
  readonly clockShiftMs: number;
  readonly serviceUrl: string;
  /** For every process of the round. */
  readonly env: Readonly<Record<string, string>>;
}

export class Worker {
  readonly name: string;
  readonly toRedis: TcpProxy;
  readonly toService: TcpProxy;
  /** Ends that nobody asked for. */
  readonly crashes: string[] = [];
  readonly #surroundings: Surroundings;
  readonly #home: string;
  readonly #outputs: TestProcess['output'][] = [];
  #child: TestProcess | undefined;
  /** Whether it should run now. */
  #isWanted = false;

  private constructor(name: string, surroundings: Surroundings, toRedis: TcpProxy, toService: TcpProxy) {
    this.name = name;
    this.#surroundings = surroundings;
    this.#home = join(surroundings.folder, name.replace(' ', '-'));
    this.toRedis = toRedis;
    this.toService = toService;
  }

  static async open(name: string, surroundings: Surroundings): Promise<Worker> {
    const { ends, redisPort, serviceUrl } = surroundings;
    const toRedis = await tcpProxy(redisPort, ends);
    const toService = await tcpProxy(Number(new URL(serviceUrl).port), ends);
    const worker = new Worker(name, surroundings, toRedis, toService);
    worker.restoreDelay();
    mkdirSync(worker.#home);
    return worker;
  }

  /**
   * Starts a process; again and again while it ends before it has begun, as a supervisor would.
   * @param failpoint where it stops or kills itself (`src/app/runtime/failpoint.ts`). It need not get there.
   */
  async start(failpoint?: string): Promise<void> {
    const { timeline, ends } = this.#surroundings;
    let isOver = false;
    ends.onTestFinished(() => {
      isOver = true;
    });
    while (!isOver) {
      const child = this.#spawn(failpoint === undefined ? {} : { CAMPAIGNS_FAILPOINT: failpoint });
      try {
        await child.errorLine(/worker started/);
        timeline.note(`${this.name} runs (pid ${child.pid})`);
        if (failpoint === undefined) this.#watch(child);
        return;
      } catch {
        child.kill('SIGKILL');
        timeline.note(`${this.name} did not start: ${child.output.stderr.at(-1) ?? 'it said nothing'}`);
        await sleep(restartMs);
      }
    }
  }

  /** Whether its process has stopped or ended. Linux only. */
  get isHalted(): boolean {
    const child = this.#child;
    if (!child || child.child.exitCode !== null || child.child.signalCode !== null) return true;
    return /^State:\s+T/m.test(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
  }

  #spawn(aim: Readonly<Record<string, string>>): TestProcess {
    const { folder, ends, env, clockShiftMs } = this.#surroundings;
    const own = {
      ...env,
      DATA_DIR: this.#home,
      REDIS_URL: `redis://127.0.0.1:${this.toRedis.port}`,
      CREATOR_API_URL: `http://127.0.0.1:${this.toService.port}`,
      CLOCK_SHIFT_MS: `${clockShiftMs}`,
      CLOCK_SHIFT_BY: 'SIGUSR2',
      ...aim,
    };
    const nodeOptions = [`--import=${shiftedClock}`];
    const child = spawnNode(program, ['worker'], own, { cwd: folder, test: ends, nodeOptions });
    this.#child = child;
    this.#outputs.push(child.output);
    return child;
  }

  /** Tells of an end that nobody asks for. */
  #watch(child: TestProcess): void {
    this.#isWanted = true;
    child.child.once('exit', (code, signal) => {
      if (!this.#isWanted || this.#child !== child) return;
      const text = `${this.name} ended by itself (${code ?? signal}): ${child.output.stderr.at(-1)}`;
      this.#surroundings.timeline.note(text);
      this.crashes.push(text);
    });
  }

  async kill(): Promise<void> {
    this.#isWanted = false;
    this.#child?.kill('SIGKILL');
    await this.#child?.end();
  }

  /** Asks it to end, and waits. @returns its exit code; null if a signal ended it. */
  async stop(): Promise<number | null | undefined> {
    this.#isWanted = false;
    this.#child?.kill('SIGTERM');
    return (await this.#child?.end(drainedWithinMs))?.code;
  }

  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  /** Its clock jumps to the wrong time of this round, or back. */
  turnClock(): void {
    this.#child?.kill('SIGUSR2');
  }

  /** Its usual distance from Redis. */
  restoreDelay(): void {
    this.toRedis.delay(this.#surroundings.redisDelayMs);
  }

  /** Writes the logs of its processes into the folder of the round. */
  keepLogs(): void {
    const lines = this.#outputs.flatMap(({ stderr, stdout }) => [...stderr, ...stdout, '']);
    writeFileSync(`${this.#home}.log`, lines.join('\n'));
  }
}
