import type { LRUCache } from 'lru-cache';

/** The cached promise of a key, or else that of `begin`. Failures are not cached. */
export function remembered<K extends NonNullable<unknown>, V>(
  cache: LRUCache<K, Promise<V>>,
  key: K,
  begin: () => Promise<V>,
): Promise<V> {
  const known = cache.get(key);
  if (known) return known;
  const begun = begin();
  cache.set(key, begun);
  begun.catch(() => cache.delete(key));
  return begun;
}
