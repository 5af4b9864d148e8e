/** Replaces phrases that have placeholders. It searches for their fixed parts, which is fast enough for any text here. */

const placeholder = /\{(?:text|word)\}/;
const longestText = 300;
const word = /[A-Za-z0-9_.-]{1,60}/y;

/**
 * Replaces every occurrence.
 * @param phrase fixed text with placeholders: `{word}` for an id or a name, `{text}` for anything up to the next fixed text. A space
 *   also matches a line break.
 * @param words the replacement; `$1` is the text of the first placeholder.
 */
export function replacePhrase(text: string, phrase: string, words: string): string {
  const fixed = phrase.split(placeholder);
  const kinds = phrase.match(/\{(?:text|word)\}/g) ?? [];
  const searched = text.replaceAll('\n', ' ');
  let said = '';
  let at = 0;
  for (;;) {
    const start = searched.indexOf(fixed[0] ?? '', at);
    if (start < 0) return said + text.slice(at);
    const found = matchAt(searched, start, fixed, kinds);
    const end = found?.end ?? start + 1;
    const instead = found && words.replace(/\$(\d)/g, (_, number) => found.parts[Number(number) - 1] ?? '');
    said += text.slice(at, start) + (instead ?? text.slice(start, end));
    at = end;
  }
}

interface Found {
  readonly end: number;
  readonly parts: readonly string[];
}

function matchAt(
  text: string,
  start: number,
  fixed: readonly string[],
  kinds: readonly string[],
): Found | undefined {
  const parts: string[] = [];
  let at = start + (fixed[0] ?? '').length;
  for (const [index, kind] of kinds.entries()) {
    const after = fixed[index + 1] ?? '';
    const end = kind === '{word}' ? endOfWord(text, at) : text.indexOf(after, at);
    if (end <= at || end - at > longestText || !text.startsWith(after, end)) return undefined;
    parts.push(text.slice(at, end));
    at = end + after.length;
  }
  return { end: at, parts };
}

function endOfWord(text: string, at: number): number {
  word.lastIndex = at;
  if (!word.test(text)) return at;
  // A full stop ends the sentence.
  return text[word.lastIndex - 1] === '.' ? word.lastIndex - 1 : word.lastIndex;
}
