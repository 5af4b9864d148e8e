/** Longer texts are not names. */
const longest = 1000;

/** A name as people write it, so that case, spaces and the form of characters make no difference. */
export function foldName(text: string): string {
  return text.slice(0, longest).normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}
