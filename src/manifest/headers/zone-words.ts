/** Time zones as people name them in headers and above them: `Posting time (CET)`, `Time UTC+8`, `Time (NY)`, `All times Irish time`. */
import { timeZoneName } from '../../service/contract/time-zone.ts';

/** As people write them: not all are in the database of time zones. */
const shortNames: ReadonlySet<string> = new Set(
  (
    'UTC GMT ET EST EDT CT CST CDT MT MST MDT PT PST PDT BST WET WEST CET CEST MEZ MESZ EET EEST MSK IST SGT HKT ' +
    'JST KST WIB WITA WIT PHT ICT AEST AEDT AWST NZST NZDT BRT GST NY NYC'
  ).split(' '),
);

/** By offsets and short names: zones of one offset all year, and where most who write the name are. */
const usualZones: ReadonlyMap<string, string> = new Map(
  [
    ['UTC GMT', 'UTC'],
    ['+4:00', 'Asia/Dubai'],
    ['+5:30 IST', 'Asia/Kolkata'],
    ['+7:00', 'Asia/Bangkok'],
    ['+8:00 SGT', 'Asia/Singapore'],
    ['+9:00 JST', 'Asia/Tokyo'],
    ['WIB', 'Asia/Jakarta'],
    ['HKT', 'Asia/Hong_Kong'],
    ['PHT', 'Asia/Manila'],
    ['KST', 'Asia/Seoul'],
    ['ET EST EDT NY NYC', 'America/New_York'],
    ['CT CST CDT', 'America/Chicago'],
    ['MT MST MDT', 'America/Denver'],
    ['PT PST PDT', 'America/Los_Angeles'],
    ['BRT', 'America/Sao_Paulo'],
    ['BST', 'Europe/London'],
    ['WET WEST', 'Europe/Lisbon'],
    ['CET CEST MEZ MESZ', 'Europe/Berlin'],
    ['EET EEST', 'Europe/Athens'],
    ['MSK', 'Europe/Moscow'],
    ['AEST AEDT', 'Australia/Sydney'],
    ['NZST NZDT', 'Pacific/Auckland'],
  ].flatMap(([names = '', zone = '']) => names.split(' ').map((name) => [name, zone] as const)),
);

/** Cities, countries of one clock, and their adjectives, as `fold` returns them. */
const places: ReadonlyMap<string, string> = new Map(
  [
    [
      'America/New_York',
      'new york,new york city,nueva york,nova york,nova iorque,eastern,us eastern,east coast',
    ],
    ['America/Chicago', 'chicago,us central'],
    ['America/Denver', 'denver'],
    ['America/Los_Angeles', 'los angeles,san francisco,california,pacific,us pacific,west coast'],
    ['America/Toronto', 'toronto'],
    ['America/Mexico_City', 'mexico city,ciudad de mexico,cdmx'],
    ['America/Bogota', 'bogota,colombia'],
    ['America/Lima', 'lima'],
    ['America/Argentina/Buenos_Aires', 'buenos aires,argentina'],
    ['America/Sao_Paulo', 'sao paulo,rio de janeiro,brasilia'],
    ['Europe/London', 'london,londres,londra,uk,british'],
    ['Europe/Dublin', 'dublin,irish,ireland,irland,irlande,irlanda'],
    ['Europe/Lisbon', 'lisbon,lisboa,lissabon,lisbonne,lisbona'],
    ['Europe/Madrid', 'madrid,barcelona,spanish,peninsular'],
    ['Europe/Paris', 'paris,parigi,french'],
    ['Europe/Brussels', 'brussels,bruxelles,brussel'],
    ['Europe/Amsterdam', 'amsterdam,dutch'],
    [
      'Europe/Berlin',
      'berlin,berlino,hamburg,munich,munchen,koln,frankfurt,german,central european,mitteleuropaische',
    ],
    ['Europe/Vienna', 'vienna,wien'],
    ['Europe/Zurich', 'zurich,swiss'],
    ['Europe/Rome', 'rome,roma,rom,milan,milano,mailand,italian,italiana'],
    ['Europe/Copenhagen', 'copenhagen,danish'],
    ['Europe/Stockholm', 'stockholm,swedish'],
    ['Europe/Oslo', 'oslo'],
    ['Europe/Helsinki', 'helsinki'],
    ['Europe/Warsaw', 'warsaw,warszawa,warschau,polish'],
    ['Europe/Prague', 'prague,praha,prag'],
    ['Europe/Athens', 'athens,athen,greek'],
    ['Europe/Istanbul', 'istanbul,turkish'],
    ['Europe/Moscow', 'moscow,moskau'],
    ['Asia/Dubai', 'dubai,uae'],
    ['Asia/Kolkata', 'india,indian,mumbai,delhi'],
    ['Asia/Bangkok', 'bangkok,thai,thailand,กรุงเทพ,ไทย'],
    ['Asia/Ho_Chi_Minh', 'vietnam,viet nam,hanoi,ha noi,saigon,ho chi minh'],
    ['Asia/Jakarta', 'jakarta'],
    ['Asia/Kuala_Lumpur', 'kuala lumpur,malaysia'],
    ['Asia/Singapore', 'singapore,singapur,singapura,singapour'],
    ['Asia/Manila', 'manila,philippine,philippines'],
    ['Asia/Hong_Kong', 'hong kong,香港'],
    ['Asia/Taipei', 'taipei,taiwan,台北,台湾'],
    ['Asia/Shanghai', 'beijing,shanghai,china,chinese,北京,上海,中国'],
    ['Asia/Tokyo', 'tokyo,tokio,japan,japanese,東京,日本'],
    ['Asia/Seoul', 'seoul,korea,korean,서울,한국'],
    ['Australia/Sydney', 'sydney,melbourne'],
    ['Pacific/Auckland', 'auckland'],
  ].flatMap(([zone = '', names = '']) => names.split(',').map((name) => [name, zone] as const)),
);
/** In scripts without spaces, a place stands within a word. */
const withoutSpaces = [...places].filter(([name]) => /[^\p{Script=Latin} ]/u.test(name));

/** Words by which a text speaks of times, in the languages of headers. */
const timeWords: ReadonlySet<string> = new Set(
  (
    'time times timezone zone hour hours clock zeit zeiten uhrzeit uhrzeiten ortszeit zeitzone heure heures horaire ' +
    'horaires fuseau hora horas horario horarios huso ora ore orario orari fuso jam waktu pukul gio tijd tijden'
  ).split(' '),
);
const timeWordsWithoutSpaces = /时间|時間|时区|時区|시간|เวลา/;

/** Longer texts are no names of columns. */
const longestName = 80;
/** Longer texts above the headers are instructions. */
const longestLine = 300;
const mostWords = 60;
/** Of the name of a place. */
const longestPlace = 3;

interface Word {
  readonly text: string;
  readonly folded: string;
  readonly isInBrackets: boolean;
}

interface NamedZone {
  /** As written. */
  readonly said: string;
  /** Name in the time zone database, the likeliest one; undefined for an unusual offset. */
  readonly zone: string | undefined;
  /** Whether it stands at the end, in brackets, or before a word for time: within a sentence, `ET` and `EST` are words. */
  readonly isApart: boolean;
  readonly isPlace: boolean;
}

const opening = '([{（【';
const closing = ')]}）】';

function wordsOf(text: string): readonly Word[] {
  let depth = 0;
  return [...text.matchAll(/[([{（【)\]}）】]|[\p{L}\p{M}\p{N}+:/_-]+/gu)]
    .slice(0, mostWords)
    .flatMap(([word]) => {
      if (opening.includes(word)) depth += 1;
      else if (closing.includes(word)) depth = Math.max(0, depth - 1);
      else {
        const plain = word.replace(/[:-]$/, '');
        return plain === '' ? [] : { text: plain, folded: fold(plain), isInBrackets: depth > 0 };
      }
      return [];
    });
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase();
}

function isTimeWord({ folded }: Word): boolean {
  return timeWords.has(folded) || timeWordsWithoutSpaces.test(folded);
}

function findZones(words: readonly Word[]): readonly NamedZone[] {
  const found: NamedZone[] = [];
  for (let at = 0; at < words.length; ) {
    const length = [3, 2, 1].find((count) => at + count <= words.length && nameOf(words, at, count)) ?? 0;
    const named = length > 0 && nameOf(words, at, length);
    if (named) found.push(named);
    at += Math.max(1, length);
  }
  return found;
}

function nameOf(words: readonly Word[], at: number, count: number): NamedZone | undefined {
  const some = words.slice(at, at + Math.min(count, longestPlace));
  const said = some.map(({ text }) => text).join(' ');
  const next = words[at + count];
  const isLast = at > 0 && (next === undefined || next.isInBrackets);
  const isApart = isLast || some.every((word) => word.isInBrackets) || next?.folded === 'time';
  const folded = some.map((word) => word.folded).join(' ');
  const place =
    places.get(folded) ??
    (count === 1 ? withoutSpaces.find(([name]) => folded.includes(name))?.[1] : undefined);
  if (place !== undefined)
    return { said, zone: place, isApart: isApart || (next !== undefined && isTimeWord(next)), isPlace: true };
  if (count > 1) return undefined;
  if (said.includes('/') && timeZoneName(said) !== undefined)
    return { said, zone: timeZoneName(said), isApart: true, isPlace: true };
  const [letters = ''] = said.split(/[+-]/, 1);
  return shortNames.has(letters) ? { said, zone: zoneOf(said), isApart, isPlace: false } : undefined;
}

function zoneOf(name: string): string | undefined {
  const [, hours, minutes = '00'] = /^(?:UTC|GMT)\+(\d{1,2})(?::(\d\d))?$/.exec(name) ?? [];
  return usualZones.get(hours === undefined ? name : `+${Number(hours)}:${minutes}`);
}

/** The zone that the header of a column of times names at its end, in brackets, or before a word for time, as written. */
export function zoneIn(name: string): string | undefined {
  return name.length > longestName ? undefined : zonesOfHeader(name)[0]?.said;
}

function zonesOfHeader(name: string): readonly NamedZone[] {
  return name.length > longestName ? [] : findZones(wordsOf(name)).filter(({ isApart }) => isApart);
}

/**
 * The zone that the headers of times most likely mean, to be offered, not assumed: `CST` is also China's. @returns undefined if they name
 * none, or several.
 */
export function zoneOfHeaders(names: readonly string[]): string | undefined {
  return onlyOne(names.flatMap((name) => zonesOfHeader(name).slice(0, 1)));
}

/** The zone that a text above the headers says times are in: `Alle Zeiten MEZ`. @returns undefined if it names none, or several. */
export function zoneOfLine(text: string): string | undefined {
  if (text.length > longestLine) return undefined;
  // Beside the times, others stand in such a line: the city of the agency.
  const parts = text.split(/[|•·;,\n\r]|\s[–—-]\s/).map(wordsOf);
  return onlyOne(
    parts
      .filter((words) => words.some(isTimeWord))
      .flatMap(findZones)
      .filter(({ isApart, isPlace }) => isPlace || isApart),
  );
}

function onlyOne(found: readonly NamedZone[]): string | undefined {
  const zones = new Set(found.map(({ zone }) => zone));
  return zones.size === 1 ? [...zones][0] : undefined;
}
