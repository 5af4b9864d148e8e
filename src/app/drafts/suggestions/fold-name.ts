/** A name as people write it, so that case, spaces and the form of characters make no difference. */
export function foldName(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}
