/** Marks every text of an answer that holds the API key, before anything reads the answer. */
import { EchoedKey } from '../contract/texts.ts';
import type { KeyRedactor } from './redact.ts';

/** Nothing longer is taken whole, and what is shown of it is shorter (`contract/texts.ts`): its end is not looked at. */
const longestText = 32_768;

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
    if (typeof value !== 'string') return value;
    const text = value.length > longestText ? value.slice(0, longestText) : value;
    const redacted = redactor.find(text);
    return redacted === undefined ? text : new EchoedKey(redacted);
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
