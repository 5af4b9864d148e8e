/** Titles that one may be: a typo of it, or shortened by whole words or its amount. Another amount is another product. */
import { areNear, ComparingWork, nearest } from '../../../manifest/edit-distance.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { foldName } from '../../campaigns/import/aliases.ts';
import { plainName } from './accounts.ts';
import { mostNames } from './suggestion.ts';

/** Shorter words are units, or tell nothing. */
const leastWord = 3;
/** Of more, the name says too little. */
const mostNear = 20;
/** Words that planners leave out or add. */
export const smallWord =
  /^(?:an?|the|of|for|and|d[aeiou]|del?|des|du|la|les?|el|los|las|et|en|aux?|pour|con|para|per|avec|mit|und|für|von|de[rmn]|di)$/;

interface WantedTitle {
  readonly title: string;
  readonly creator: string;
}

/**
 * The near ones of each title, by creator and title: many rows have the same.
 * @param known titles, as `foldName` has them. @param ofCreator further ones, by creator.
 */
export async function findNearTitles(
  wanted: readonly WantedTitle[],
  known: ReadonlySet<string>,
  ofCreator: ReadonlyMap<string, ReadonlyMap<string, unknown>>,
): Promise<ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>> {
  const found = new Map<string, Map<string, readonly string[]>>();
  if (wanted.length === 0) return found;
  const work = new ComparingWork();
  const read = await readTitles(known);
  for (const [creator, titles] of Map.groupBy(wanted, (each) => each.creator)) {
    const own = [...(ofCreator.get(creator)?.keys() ?? [])].filter((title) => !known.has(title));
    const all = [...read, ...(await readTitles(own))];
    const near = new Map<string, readonly string[]>();
    for (const { title } of titles) {
      if (near.has(title) || near.size === mostNames) continue;
      if (turn.isFull) await turn.pause();
      near.set(title, nearTitles(title, all, work));
    }
    found.set(creator, near);
  }
  return found;
}

/** A title that is compared with many others. */
interface ReadTitle {
  readonly title: string;
  readonly words: readonly string[];
  readonly amounts: string;
}

async function readTitles(titles: Iterable<string>): Promise<readonly ReadTitle[]> {
  const read: ReadTitle[] = [];
  for (const title of titles) {
    if (turn.isFull) await turn.pause();
    read.push(readTitle(title));
  }
  return read;
}

function readTitle(title: string): ReadTitle {
  const words = wordsOf(title);
  return { title, words, amounts: amountsIn(words) };
}

function nearTitles(title: string, known: readonly ReadTitle[], work: ComparingWork): readonly string[] {
  const { words, amounts } = readTitle(title);
  const typo = typoOf(title, known, work);
  if (typo !== undefined) return [typo];
  const same = known.filter((each) => each.amounts === amounts);
  if (!words.some((word) => word.length >= leastWord && !/\d/.test(word))) return [];
  // `Vit.` is Vitamina.
  const beforeDots = foldName(title).split('.').slice(0, -1);
  const shortened = new Set(beforeDots.map((text) => plainName(text.split(/\P{L}/u).at(-1) ?? '')));
  const longer = (amounts === '' ? known : same).filter(({ words: full }) => {
    const isShort = (word: string) => shortened.has(word) && full.some((each) => each.startsWith(word));
    return words.every((word) => full.includes(word) || smallWord.test(word) || isShort(word));
  });
  return longer.length > mostNear ? [] : longer.map((each) => each.title);
}

/** Whether a title may be a short or mistyped form of a name. */
export function isFormOf(title: string, name: string): boolean {
  return nearTitles(title, [readTitle(foldName(name))], new ComparingWork()).length > 0;
}

/** The one of some names that a text is a typo of. @param names as `foldName` has them. */
export function typoIn(title: string, names: readonly string[], work: ComparingWork): string | undefined {
  return typoOf(title, names.map(readTitle), work);
}

function typoOf(title: string, known: readonly ReadTitle[], work: ComparingWork): string | undefined {
  const { words, amounts } = readTitle(title);
  // `Stone ware mug (350)` is the Stoneware Mug 350 ml, if there is no other of 350.
  const [only, ...others] = known.filter((each) => withoutUnits(each.words) === withoutUnits(words));
  if (only !== undefined && others.length === 0) return only.title;
  const same = known.filter((each) => each.amounts === amounts && areNear(words, each.words, work));
  const alike = same.map((each) => each.title);
  return nearest(foldName(title), alike, work);
}

function withoutUnits(words: readonly string[]): string {
  const isUnit = (word: string, at: number) => /^\p{L}{1,3}$/u.test(word) && /^\d/.test(words[at - 1] ?? '');
  return words.filter((word, at) => !isUnit(word, at)).join('');
}

/** `Serum 50ml` has the words serum, 50 and ml. */
function wordsOf(title: string): readonly string[] {
  return plainName(foldName(title)).match(/\d+(?:[.,]\d+)?|\p{L}+/gu) ?? [];
}

/** Numbers with their units. */
function amountsIn(words: readonly string[]): string {
  return words
    .flatMap((word, index) =>
      /^\d/.test(word) ? [`${Number(word.replace(',', '.'))} ${words[index + 1] ?? ''}`] : [],
    )
    .sort()
    .join(', ');
}
