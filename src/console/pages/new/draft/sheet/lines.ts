/** Browsers send each line break as CR LF, also one that is a lone CR in the sheet. */
export function lines(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}
