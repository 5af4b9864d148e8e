/** Reads single values of a cell: yes or no, whole numbers, and control characters in texts. */

/** Reads yes/no, true/false, 1/0 and 是/否, in any case; `null` for anything else. */
export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase();
  if (['yes', 'y', 'true', '1', '是'].includes(word)) return true;
  return ['no', 'n', 'false', '0', '否'].includes(word) ? false : null;
}

/** Reads a whole number in plain digits up to 2^53 - 1; `null` for anything else, such as a sign, `1e3`, `1.0` or `0x10`. */
export function readWhole(text: string): number | null {
  if (!/^\d{1,16}$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

/** In UTF-16 units; ids of the service are far shorter. */
export const maxIdLength = 256;

const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const controlsAndBreaks =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
  /[\x00-\x1f\x7f\u2028\u2029]/;

/** Whether a multi-line text (caption, prompt) contains a control character other than TAB and line breaks. */
export function hasControls(text: string): boolean {
  return controls.test(text);
}

/** Whether a one-line text (title, path) contains a control character or a line break. */
export function hasControlsOrBreaks(text: string): boolean {
  return controlsAndBreaks.test(text);
}
