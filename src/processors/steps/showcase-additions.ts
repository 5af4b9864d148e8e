/** Running additions of this process to showcases, so that no product is sent twice at the same time. */
import { LRUCache } from 'lru-cache';

export class ShowcaseAdditions {
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #unwelcome = new LRUCache<string, true>({ max: 10_000 });

  /** Calls that are adding some of these products, or this link; they resolve in any case. */
  callsFor(creatorId: string, products: readonly string[], link?: string): readonly Promise<void>[] {
    return [...new Set(keysOf(creatorId, products, link).flatMap((key) => this.#underWay.get(key) ?? []))];
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
  begin(
    creatorId: string,
  ): Disposable & { readonly add: (products: readonly string[], link?: string) => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const keys: string[] = [];
    return {
      add: (products, link) => {
        for (const key of keysOf(creatorId, products, link)) {
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

/** A link has its products' keys too: whether the showcase has them is known only after its addition. */
function keysOf(creatorId: string, products: readonly string[], link: string | undefined): readonly string[] {
  const keys = products.map((product) => keyOf(creatorId, product));
  return link === undefined ? keys : [...keys, keyOf(creatorId, `\0${link}`)];
}
