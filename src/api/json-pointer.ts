/** JSON pointers (RFC 6901): how the settings say where in an answer something is. */

/** @returns the value at `pointer`, or undefined where there is none. Only own properties are followed. */
export function readPointer(content: unknown, pointer: string): unknown {
  let value = content;
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}
