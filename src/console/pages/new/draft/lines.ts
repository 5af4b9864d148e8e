/** Browsers send line breaks as CR LF. */
export function lines(text: string): string {
  return text.replaceAll('\r\n', '\n');
}
