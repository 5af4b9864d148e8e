/** Normalizes line breaks to LF: browsers send each as CR LF, even a lone CR of the sheet. */
export function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
