/** The service of a round: the sandbox in a process of its own, controlled by its admin address. */
import type { FaultInput } from '../../src/sandbox/faults/schema.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { spawnNode } from '../support/processes/child.ts';
import type { Ends } from './ends.ts';

type Calls = ReturnType<Sandbox['calls']>;

/** What the service knows at one moment. */
export type ServiceRecord = Pick<Sandbox, 'effects' | 'calls'>;

const program = new URL('../../src/cli/main.ts', import.meta.url);
/** An image takes a second, a video of four seconds two. */
const speed = 20;

export class Service {
  readonly url: string;
  readonly apiKey: string;
  readonly #adminUrl: string;

  private constructor({ url, adminUrl, apiKey }: Pick<Sandbox, 'url' | 'adminUrl' | 'apiKey'>) {
    this.url = url;
    this.apiKey = apiKey;
    this.#adminUrl = adminUrl;
  }

  static async start(ends: Ends): Promise<Service> {
    const args = ['sandbox', '--json', '--port', '0', '--speed', `${speed}`, '--strict'];
    const [line] = await spawnNode(program, args, {}, { test: ends }).line(/^\{.*\}$/);
    return new Service(JSON.parse(line));
  }

  /** Adds a fault. @returns its number. */
  async add(fault: FaultInput): Promise<number> {
    const { ids } = await this.#ask<{ ids: readonly number[] }>('POST', 'faults', fault);
    return ids[0] ?? 0;
  }

  async remove(fault: number): Promise<void> {
    await this.#ask('DELETE', `faults?id=${fault}`);
  }

  async removeAll(): Promise<void> {
    await this.#ask('DELETE', 'faults');
  }

  async effects(): Promise<ReturnType<Sandbox['effects']>> {
    return this.#ask('GET', 'effects');
  }

  async record(): Promise<ServiceRecord> {
    const effects = await this.effects();
    const calls = await this.#ask<Calls>('GET', 'calls');
    return {
      effects: () => effects,
      calls: (operation) => calls.filter((call) => operation === undefined || call.operation === operation),
    };
  }

  async #ask<T>(method: string, path: string, body?: object): Promise<T> {
    const init = body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await fetch(`${this.#adminUrl}/${path}`, { method, ...init });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} of the sandbox: ${text}`);
    return JSON.parse(text);
  }
}
