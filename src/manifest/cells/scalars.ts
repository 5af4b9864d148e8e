/**
 * Reads single values of a cell: yes or no, whole numbers, control characters in texts, and text that a program has destroyed: it wrote
 * `?` for every letter that its encoding lacks.
 */
import { type CellProblem, type Finding, showValue } from '../problems/problem.ts';

const yes = words(
  'yes y true 1 x on checked ✓ ✔ ☑ ✅ 是 ja wahr oui vrai si sí verdadero sim verdadeiro ya benar',
);
const no = words('no n false 0 off unchecked ✗ ✘ ☐ ❌ 否 nein falsch non faux falso não nao tidak salah');

function words(all: string): ReadonlySet<string> {
  return new Set(all.split(' '));
}

/** Reads yes/no, true/false, 1/0 and ticks, in any case and in the languages of headers; `null` for anything else. */
export function readBoolean(text: string): boolean | null {
  const word = text.replace('\ufe0f', '').toLowerCase().normalize('NFC');
  if (yes.has(word)) return true;
  return no.has(word) ? false : null;
}

/** Reads a whole number in plain digits up to 2^53 - 1; `null` for anything else, such as a sign, `1e3`, `1.0` or `0x10`. */
export function readWhole(text: string): number | null {
  if (!/^\d{1,16}$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}

/**
 * A duration as people write it: a whole number of its unit, `8 s`, `8sec`, `8"`, `1.5 s`, `1500 ms`, or `0:08` and `0:01:30`.
 * @returns a whole number of `unitMs`; `null` for anything else.
 */
export function readDuration(text: string, unitMs: 1 | 1000): number | null {
  const whole = readWhole(text);
  if (whole !== null) return whole;
  const ms = millisecondsOf(text);
  return ms !== null && Number.isInteger(ms / unitMs) ? ms / unitMs : null;
}

function millisecondsOf(text: string): number | null {
  const clock = /^(?:(\d{1,2}):)?(\d{1,2}):([0-5]\d)$/.exec(text);
  if (clock !== null) {
    const [, hours = 0, minutes, seconds] = clock;
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  }
  const named = /^(\d{1,6})(?:[.,](\d{1,3}))? ?(?:(ms)|s|secs?|seconds?|sek|["″”]|秒)\.?$/i.exec(text);
  if (named === null) return null;
  const [, number = '', fraction = '', ms] = named;
  if (ms !== undefined) return fraction === '' ? Number(number) : null;
  return Number(number) * 1000 + Number(fraction.padEnd(3, '0'));
}

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

/** Up to three marks behind a letter are punctuation: `Really???`. */
const emphasis = /(?<=\p{L})\?{1,3}(?!\?)/gu;

/** Whether most letters are `?`. Never true of a URL. */
export function isDestroyed(text: string): boolean {
  if (!text.includes('??') || text.includes('://')) return false;
  const marks = text.replace(emphasis, '').match(/\?/g)?.length ?? 0;
  return marks > 1 && marks > (text.match(/\p{L}/gu)?.length ?? 0);
}

/**
 * UTF-8 that was read as Windows-1252: `Ã©` for é, `â€™` for an apostrophe, `ðŸ` for an emoji. No language has these pairs: in capitals, Ã may
 * stand in front of a dash, a quote or ®, so these count only before a letter.
 */
const misread = /Ã[\u0080-\u009f¡-ª¬¯-º¼-¿ƒ]|Ã[«»®–„‰œŸ](?=\p{L})|â€|ðŸ|Â[\u00a0-ª¬¯-º¼-¿]/u;

export function destroyedText(
  column: string,
  text: string,
  problem = 'most letters of this text are ?: the program that saved the sheet has lost them',
): CellProblem {
  const fix = 'Type the text again, and save the sheet as XLSX or as "CSV UTF-8".';
  return { column, code: 'destroyed_text', value: showValue(text), problem, fix };
}

/** What the encodings of programs did to a text; undefined if nothing. A warning where it may be as it was typed. */
export function findLostLetters(column: string, text: string): Finding | undefined {
  const [signs] = misread.exec(text) ?? [];
  if (signs !== undefined) {
    const problem = `"${signs}" was one letter: a program has read this text in another encoding`;
    return { kind: 'problem', found: destroyedText(column, text, problem) };
  }
  if (isDestroyed(text)) return { kind: 'problem', found: destroyedText(column, text) };
  if (!text.includes('???') || text.includes('://')) return undefined;
  const problem =
    'this text has three or more ? in a row: the program that saved the sheet may have lost letters';
  const found = { column, code: 'question_marks', value: showValue(text), problem, fix: 'Check the text.' };
  return { kind: 'warning', found };
}
