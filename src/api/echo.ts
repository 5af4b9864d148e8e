/** Marks every text of an answer that holds the API key, before anything reads the answer. */
import { EchoedKey } from './contract/texts.ts';
import type { KeyRedactor } from './redact.ts';

type Holder = unknown[] | Record<string, unknown>;

/**
 * Replaces texts that hold the key by `EchoedKey`, in place.
 * @param content fresh from the parser. It may be nested as deeply as its size allows, so this does not recurse.
 */
export function markEchoes(content: unknown, redactor: KeyRedactor): unknown {
  const box = [content];
  const open: Holder[] = [box];
  const marked = (value: unknown): unknown => {
    if (typeof value === 'object' && value !== null) open.push(value as Holder);
    const redacted = typeof value === 'string' ? redactor.find(value) : undefined;
    return redacted === undefined ? value : new EchoedKey(redacted);
  };
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Array.isArray(holder)) {
      for (let index = 0; index < holder.length; index += 1) holder[index] = marked(holder[index]);
    } else {
      for (const name of Object.keys(holder)) holder[name] = marked(holder[name]);
    }
  }
  return box[0];
}
