/** Cuts a list into parts of at most `size` items, so that neither Redis nor memory has to take all at once. */
export function* parts<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}
