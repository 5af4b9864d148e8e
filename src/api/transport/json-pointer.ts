/** JSON pointers (RFC 6901), by which the settings locate values in an answer. */

/** @returns the value at `pointer`, or undefined. Follows own properties only. */
export function readPointer(content: unknown, pointer: string): unknown {
  let value = content;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
