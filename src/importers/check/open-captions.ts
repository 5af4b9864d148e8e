/** Captions that are not written yet, or of which one is to be chosen. */
import { isNoTime } from '../../manifest/cells/time-faults.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';

/** What a caption is called in its own placeholder: `Caption folgt`, `Text: tbd`. */
const called = /^(?:caption|text|copy|légende|texte|texto|legenda|teks|文案)[ :]{1,2}/;
const placeholders: ReadonlySet<string> = new Set(
  (
    'follows,to follow,to come,coming soon,coming,missing,placeholder,tk,kommt,kommt noch,kommt später,fehlt,fehlt noch,platzhalter,' +
    'suit,à suivre,manque,sigue,falta,segue,待补,待写'
  ).split(','),
);
const longest = 40;

/** Whether it is only a placeholder. */
export function isOpenCaption(caption: string): boolean {
  if (caption.length > longest) return false;
  const rest = caption.trim().toLowerCase().replace(called, '').trim();
  return placeholders.has(rest.replace(/[ .!…]{1,5}$/, '')) || (rest !== '' && isNoTime(rest));
}

export function openCaption(caption: string): CellProblem {
  return {
    column: 'caption',
    code: 'caption_open',
    value: showValue(caption),
    problem: 'this caption is only a placeholder',
    fix: 'Write the caption, or skip the row until it is written.',
  };
}

const version = (number: 1 | 2) =>
  new RegExp(`^\\s{0,4}(?:v|version|variante?|option)\\s?${number}\\s?[:.)]`, 'i');
const [first, second] = [version(1), version(2)];

/** `V1: … V2: …`, each in a line of its own, or behind a bar; undefined for one caption. */
export function twoVersions(caption: string): CellProblem | undefined {
  const lines = caption.split(/[\n/|]/);
  if (!lines.some((line) => first.test(line)) || !lines.some((line) => second.test(line))) return undefined;
  return {
    column: 'caption',
    code: 'caption_versions',
    value: showValue(caption),
    problem: 'this caption has two versions, and both would be posted',
    fix: 'Keep one of them.',
  };
}
