/** Caches lists of the service for a few minutes, because people open the same list again and again. */
import { LRUCache } from 'lru-cache';
import type { Runtime } from '../../runtime/runtime.ts';

const keptMs = 3 * 60_000;
const mostLists = 50;

export class Remembered<T extends object> {
  readonly #lists = new WeakMap<Runtime, LRUCache<string, Promise<T>>>();

  /** @param fetch is called once for concurrent requests. Its errors are not cached. */
  find(runtime: Runtime, name: string, fetch: () => Promise<T>): Promise<T> {
    const lists = this.#lists.get(runtime) ?? new LRUCache({ max: mostLists, ttl: keptMs });
    this.#lists.set(runtime, lists);
    const known = lists.get(name);
    if (known !== undefined) return known;
    const list = fetch();
    lists.set(name, list);
    list.catch(() => lists.delete(name));
    return list;
  }
}
