/** Copies a text that is kept for long. A substring would keep the text of its whole row in memory. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}
