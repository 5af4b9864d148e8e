/** Inserts an item into the few with the largest weights, largest first. Among equal weights, the earlier item stays. */
export function keepLargest<T>(
  kept: T[],
  item: T,
  most: number,
  weightOf: (item: T) => bigint | number,
): void {
  const place = kept.findIndex((other) => weightOf(other) < weightOf(item));
  if (place < 0 && kept.length >= most) return;
  kept.splice(place < 0 ? kept.length : place, 0, item);
  kept.length = Math.min(kept.length, most);
}
