/** Videos in one command: bounds how long it blocks Redis. */
export const videosAtOnce = 200;

export function inParts<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  for (let start = 0; start < all.length; start += size) parts.push(all.slice(start, start + size));
  return parts;
}
