/**
 * Files that may be another row's: named after another creator of the sheet than their row's, or in two rows of one creator. And new
 * versions that no row has.
 */
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { creatorIn } from '../../../manifest/cells/id.ts';
import { isUrl } from '../../../manifest/cells/media-source.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import {
  type CellProblem,
  describePlace,
  type RowPlace,
  showValue,
} from '../../../manifest/problems/problem.ts';
import type { Row } from '../../../manifest/row.ts';

/** Rows to compare. A larger sheet is made by a program, which swaps nothing. */
export const mostNamed = 5000;
/** Shorter words are in many names by chance. */
const shortest = 3;
const longestName = 200;
/** Rows whose file is named after their own creator: fewer prove no custom. */
const leastNamed = 3;
/** Of these, at most one in so many rows may have another creator's file. */
const rarest = 4;

interface NotedRow {
  readonly number: number;
  readonly creator: string;
  readonly file: string;
  readonly words: ReadonlySet<string>;
}

export class FilesOfOthers {
  readonly #rows: NotedRow[] = [];
  /** The words of each creator's names. */
  readonly #names = new Map<string, Set<string>>();

  /** @param name the creator as the sheet has it, such as a display name. */
  note(number: number, row: Pick<Row, 'creator' | 'media'>, name: string): void {
    const [file, ...more] = row.media;
    const creator = creatorIn(row.creator).toLowerCase();
    if (file === undefined || more.length > 0 || isUrl(file) || this.#rows.length >= mostNamed) return;
    const names = this.#names.get(creator) ?? new Set();
    this.#names.set(creator, names);
    for (const word of [...wordsOf(creator), ...(/[/:]/.test(name) ? [] : wordsOf(name))]) names.add(word);
    this.#rows.push({
      number,
      creator,
      file,
      words: new Set(wordsOf(file.slice(file.lastIndexOf('/') + 1))),
    });
  }

  /** Warnings by row; where two rows have each other's file, with the one that is meant. */
  find(): readonly (readonly [number: number, warning: CellProblem])[] {
    const owners = this.#owners();
    const isOwn =
      ({ creator }: NotedRow) =>
      (word: string) =>
        owners.get(word) === creator;
    const own = this.#rows.filter((row) => [...row.words].some(isOwn(row)));
    // A word that is in no file of its own creator may be one of the campaign.
    const custom = new Set(own.flatMap((row) => [...row.words].filter(isOwn(row))));
    const others = this.#rows.flatMap((row) => {
      const named = [...row.words].flatMap((word) => (custom.has(word) ? (owners.get(word) ?? []) : []));
      const [other, ...more] = new Set(named);
      return other !== undefined && more.length === 0 && other !== row.creator ? [{ ...row, other }] : [];
    });
    if (own.length < leastNamed || others.length * rarest > own.length) return [];
    const byCreators = Map.groupBy(others, ({ creator, other }) => `${creator}\n${other}`);
    return others.map((row) => {
      const alike = byCreators.get(`${row.creator}\n${row.other}`) ?? [];
      const [partner, ...more] = byCreators.get(`${row.other}\n${row.creator}`) ?? [];
      const isPair = partner !== undefined && more.length === 0 && alike.length === 1;
      return [row.number, warningOf(row, isPair ? partner.file : undefined)] as const;
    });
  }

  /** The creator that alone has a word in its names. */
  #owners(): ReadonlyMap<string, string> {
    const all = [...this.#names].flatMap(([creator, words]) =>
      [...words].map((word) => [word, creator] as const),
    );
    const byWord = Map.groupBy(all, ([word]) => word);
    return new Map([...byWord].flatMap(([, found]) => (found.length === 1 ? found : [])));
  }
}

function warningOf(
  { file, other }: { readonly file: string; readonly other: string },
  meant?: string,
): CellProblem {
  return {
    column: 'media',
    code: 'file_of_other',
    value: showValue(file),
    problem: 'the file is named after another creator of this sheet',
    fix:
      meant === undefined
        ? `It names ${showValue(other)}. Check that it is the file of this row.`
        : `It names ${showValue(other)}. Another row has ${showValue(meant)}: check whether the two are swapped.`,
    ...(meant !== undefined && { meant }),
  };
}

interface PlacedRow extends RowPlace {
  readonly number: number;
}

export class RepeatedFiles {
  readonly #first = new Map<string, PlacedRow>();
  readonly #later: (readonly [row: PlacedRow, media: string, key: string])[] = [];

  /** @param media as a cell has it. @param isFirst whether it can only be the first of two: nobody is warned of a row that has problems. */
  note({ number, line, worksheet }: PlacedRow, creator: string, media: string, isFirst = false): void {
    if (media === '' || this.#later.length + this.#first.size >= mostNamed) return;
    const row = { number, line, worksheet };
    const key = `${creatorIn(creator).toLowerCase()} ${media}`;
    const first = this.#first.get(key);
    if (first === undefined || number < first.number) this.#first.set(key, row);
    if (!isFirst) this.#later.push([row, media, key]);
  }

  /** Warnings by row. */
  find(): readonly (readonly [number: number, warning: CellProblem])[] {
    return this.#later.flatMap(([{ number }, media, key]) => {
      const first = this.#first.get(key);
      if (first === undefined || first.number === number) return [];
      const problem = `the creator posts this file in ${describePlace(first)}, too`;
      const fix = 'Check that it is the file of this row, or skip the row if it is a copy.';
      return [[number, { column: 'media', code: 'file_repeats', value: showValue(media), problem, fix }]];
    });
  }
}

/** Files that an update brings without the folder that has their last version: the rows that name that one keep it. */
export class ReplacedFiles {
  /** New files by the paths of their last versions. */
  readonly #newOf: ReadonlyMap<string, string>;
  readonly #unused: Set<string>;
  readonly #found: (readonly [number: number, position: number, file: string, meant: string])[] = [];

  constructor(newOf: ReadonlyMap<string, string>) {
    this.#newOf = newOf;
    this.#unused = new Set(newOf.values());
  }

  /** @param positions of the cells that may name files; default: any. */
  note(number: number, cells: readonly string[], positions: Iterable<number> = cells.keys()): void {
    if (this.#newOf.size === 0) return;
    for (const position of positions) {
      for (const item of textOfCell(cells, position).split(listSeparator)) {
        const file = item.trim();
        this.#unused.delete(file);
        const meant = this.#newOf.get(file);
        if (meant !== undefined && this.#found.length < mostNamed)
          this.#found.push([number, position, file, meant]);
      }
    }
  }

  get #open() {
    return this.#found.filter(([, , , meant]) => this.#unused.has(meant));
  }

  /** New files that no row names, although some name their last versions. */
  get unused(): readonly string[] {
    return [...new Set(this.#open.map(([, , , meant]) => meant))];
  }

  /** Warnings by row. @param header names of the columns. */
  find(header: readonly string[]): readonly (readonly [number: number, warning: CellProblem])[] {
    const problem = 'the row still has the earlier version of a new file';
    const fix = 'Use the new file, or remove it from this update.';
    return this.#open.map(([number, position, file, meant]) => {
      const column = header[position] ?? '';
      return [number, { column, code: 'file_replaced', value: showValue(file), problem, fix, meant }];
    });
  }
}

/** Without accents and case. */
function wordsOf(name: string): readonly string[] {
  const plain = name.slice(0, longestName).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}]/u).filter((word) => word.length >= shortest);
}
