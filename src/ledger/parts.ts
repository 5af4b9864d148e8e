/** Cuts a list into parts of at most `size` items, so that neither Redis nor memory has to take all at once. */
export function* parts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** Pairs of `name, value, name, value, ...`, as Redis and scripts answer with them. */
export function* pairs<T>(flat: readonly T[]): Generator<readonly [T, T]> {
  for (let at = 0; at + 1 < flat.length; at += 2) yield [flat[at] as T, flat[at + 1] as T];
}
