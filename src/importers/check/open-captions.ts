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
/** Captions begin with these in earnest, too: `Coming soon: our new lamp`. */
const inEarnest: ReadonlySet<string> = new Set(
  (
    'coming soon,coming,missing,open,pending,na,follows,kommt,fehlt,offen,suit,à suivre,manque,à venir,a venir,sigue,falta,segue,belum,' +
    'chưa có'
  ).split(','),
);

/** Another caption is meant: `idem RP-041`, `same as above`, in the languages of headers. */
const reference = new RegExp(
  '^(?:(?:idem|ditto|dito|same(?: (?:caption|text|copy))? as)(?: (?:above|\\S*\\d\\S*|(?:row|line|post) \\d+))?|same|s\\. ?o|' +
    "同上|同前|同|上と同じ|〃|″|\"|''|상동|위와 ?(?:동일|같음)|เหมือน(?:ข้าง|ด้าน)บน|" +
    '(?:see|as|siehe|wie|voir|comme|même(?: texte)? que|ver|igual (?:que|a|al|ao)|mism[oa] que|mesm[oa] que|come|vedi|uguale a|' +
    'như|giống|giống như|xem|sama (?:seperti|dengan)|seperti|lihat|见|見) ?' +
    '(?:(?:the )?(?:above|previous)|oben|vorher|ci-dessus|plus haut|arriba|(?:el |o )?anterior|acima|sopra|trên|ở trên|(?:di )?atas|上|' +
    '\\p{L}{1,8}[-_]\\d{1,6}|(?:row|line|post|zeile|ligne|fila|linha|riga|baris|dòng|#) ?\\d{1,6}))$',
  'u',
);

/** Whether it is only a placeholder. */
export function isOpenCaption(caption: string): boolean {
  const begin = caption
    .normalize('NFC')
    .trim()
    .slice(0, 2 * longest);
  const rest = begin.toLowerCase().replace(called, '').trim();
  if (caption.length <= longest && (isOpen(rest) || reference.test(rest.replace(ending, '')))) return true;
  // A remark may follow: `TBD - Ann writes it`.
  const end = rest.search(/\s[-–—]\s|[–—:：;,([（【\n]/);
  const word = rest.slice(0, Math.max(0, end)).trim();
  if (word.length > longest) return false;
  const isSame = word.includes(' ') && !rest.startsWith(',', end) && reference.test(word);
  return isSame || (!inEarnest.has(word.replace(exclaimed, '')) && isOpen(word));
}

const exclaimed = /[ .!?？…]{1,5}$/;

const ending = /[ .!…]{1,5}$/;

function isOpen(text: string): boolean {
  return text !== '' && (placeholders.has(text.replace(ending, '')) || isNoTime(text));
}

/** @param caption without what other columns append to it. */
export function openCaption(caption: string): CellProblem {
  return {
    column: 'caption',
    code: 'caption_open',
    value: showValue(caption),
    problem:
      caption === ''
        ? 'this caption is empty, except for its hashtags'
        : 'this caption is only a placeholder',
    fix: 'Write the caption, or skip the row until it is written.',
  };
}

/** How a version is called in the languages of headers. */
const versionNames = 'v|versi[oó]n|versione|versão|versi|variante?';
/** `(approved by Mia)` behind its number. */
const remark = String.raw`(?:\s?[([][^)\]\n]{1,40}[)\]])?`;

const version = (number: '[1a]' | '[2b]') =>
  new RegExp(String.raw`^\s{0,4}(?:${versionNames}|option|caption)\s?${number}${remark}\s?[:.)](?!\d)`, 'i');
const [first, second] = [version('[1a]'), version('[2b]')];

/** `V1: … V2: …`, or `Option A`, each in a line of its own, or behind a bar; undefined for one caption. */
export function twoVersions(caption: string): CellProblem | undefined {
  const lines = caption.split(/[\n/|]/);
  const isMarked = lines.some((line) => first.test(line)) && lines.some((line) => second.test(line));
  if (!isMarked && versionsIn(caption) === undefined) return undefined;
  return {
    column: 'caption',
    code: 'caption_versions',
    value: showValue(caption),
    problem: 'this caption has two versions, and both would be posted',
    fix: 'Keep one of them.',
  };
}

/** Of a version, where a line begins or behind a bar; within a line only with its colon. Of options only where a line begins: others ask viewers. */
const marker = new RegExp(
  String.raw`(?:^|[\n/|])\s{0,4}(?:${versionNames}|caption)\s?([1-9a-d])${remark}\s?[:.)–-](?!\d)|` +
    String.raw`(?:^|\n)\s{0,4}option\s?([1-9a-d])${remark}\s?[:.)–-](?!\d)|\s(?:${versionNames})\s?([1-9])${remark}\s?:(?!\d)`,
  'gi',
);

/** The texts of a caption that is nothing but its versions, in order; undefined for another one. */
export function versionsIn(caption: string): readonly string[] | undefined {
  const whole = caption.trim().normalize('NFC');
  // Most captions begin otherwise, and sheets have millions.
  if (!/^[voc]/i.test(whole)) return undefined;
  const marks: { readonly from: number; readonly to: number }[] = [];
  for (const { 0: text, 1: atStart, 2: option, 3: within, index } of whole.matchAll(marker))
    if (numberOf(atStart ?? option ?? within ?? '') === marks.length + 1)
      marks.push({ from: index, to: index + text.length });
  const texts = marks.map(({ to }, at) => whole.slice(to, marks[at + 1]?.from).trim());
  if (texts.length < 2 || marks[0]?.from !== 0 || texts.includes('')) return undefined;
  return withSharedTags(texts);
}

/** `b` is 2. */
function numberOf(mark: string): number {
  return parseInt(mark, 36) - (mark > '9' ? 9 : 0);
}

/** Hashtags in lines of their own at the end belong to all versions, unless another one has its own. */
function withSharedTags(texts: readonly string[]): readonly string[] {
  const last = (texts.at(-1) ?? '').split('\n');
  const isTags = (line: string) => line.split(/\s/).every((word) => word === '' || word.startsWith('#'));
  const own = last.findLastIndex((line) => !isTags(line)) + 1;
  const tags = last.slice(own).join('\n').trim();
  const others = texts.slice(0, -1);
  if (tags === '' || own === 0 || others.some((text) => text.includes('#'))) return texts;
  return [...others.map((text) => `${text}\n${tags}`), ...texts.slice(-1)];
}

const noteWords: ReadonlySet<string> = new Set(
  (
    'rev revised revision approved final draft tbc todo korrigiert überarbeitet freigegeben entwurf révisé validé brouillon ' +
    'revisado aprobado borrador aprovado rascunho revisi disetujui approvato bozza 修改 修订 定稿 初稿'
  ).split(' '),
);

interface NotedCaption {
  readonly note: string;
  /** The caption without it. */
  readonly text: string;
}

/** `[REV 26/11] Burn it slow`: a note to colleagues in brackets, before the caption; undefined if there is none. */
export function noteBefore(caption: string): NotedCaption | undefined {
  const found = /^\s{0,4}([[(【（［]([^\])】）］\n]{1,40})[\])】）］]):?/.exec(caption);
  const [whole = '', note = '', within = ''] = found ?? [];
  const [first = '', ...rest] = within
    .normalize('NFC')
    .toLowerCase()
    .split(/[ _./-]/);
  const isNote =
    noteWords.has(first) && rest.every((each) => noteWords.has(each) || /^v?\d{0,4}$/.test(each));
  const text = caption.slice(whole.length).trim();
  return isNote && text !== '' ? { note, text } : undefined;
}

export function captionNote(caption: string): CellProblem | undefined {
  const found = noteBefore(caption);
  if (found === undefined) return undefined;
  return {
    column: 'caption',
    code: 'caption_note',
    value: showValue(caption),
    problem: `this caption begins with the note ${showValue(found.note)}, which would be posted`,
    fix: 'Remove the note from the caption.',
  };
}
