/** Running additions of this process to showcases, so that no product is sent twice at the same time. */
import { LRUCache } from 'lru-cache';

export class ShowcaseAdditions {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #unwelcome = new LRUCache<string, true>({ max: 10_000 });

  /** Calls that are adding some of these products; they resolve in any case. */
  callsFor(creatorId: string, products: readonly string[]): readonly Promise<void>[] {
    return [...new Set(products.flatMap((product) => this.#underWay.get(keyOf(creatorId, product)) ?? []))];
  }

  /** Whether a product may be taken along: it is not under way, and was not refused when it was taken along before. */
  isWelcome(creatorId: string, product: string): boolean {
    const key = keyOf(creatorId, product);
    return !this.#underWay.has(key) && !this.#unwelcome.has(key);
  }

  /** Remembers refused products that were taken along: they are sent again only for their own rows. */
  refuse(creatorId: string, products: readonly string[]): void {
    for (const product of products) this.#unwelcome.set(keyOf(creatorId, product), true);
  }

  /** Marks products as under way until disposed. @returns a handle that can add more. */
  begin(creatorId: string): Disposable & { readonly add: (products: readonly string[]) => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const keys: string[] = [];
    return {
      add: (products) => {
        for (const product of products) {
          const key = keyOf(creatorId, product);
          keys.push(key);
          this.#underWay.set(key, promise);
        }
      },
      [Symbol.dispose]: () => {
        for (const key of keys) if (this.#underWay.get(key) === promise) this.#underWay.delete(key);
        resolve();
      },
    };
  }
}

function keyOf(creatorId: string, product: string): string {
  return `${creatorId}\0${product}`;
}
