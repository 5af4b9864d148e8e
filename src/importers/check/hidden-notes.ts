/** Notices about columns that are kept as notes, but look like parts of a post. */

import { type ColumnName, foldHeader } from '../../manifest/columns.ts';
import { type ColumnMap, captionMark, type MappedTo, noteMark } from '../../manifest/headers/column-map.ts';
import { type Header, meaningsOf, namedColumn } from '../../manifest/headers/header.ts';
import { mapHint } from '../../manifest/headers/header-problems.ts';
import { isStatusHeader } from '../../manifest/headers/own-headers.ts';
import type { Fix } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';

/** Longer cells are only looked at in their beginning. */
const longestLooked = 2000;

/** What a note may hide. */
interface Kind {
  readonly what: string;
  /** What it may be instead of a note. */
  readonly column: MappedTo;
}

/** By their texts, the likeliest first. */
const kinds: readonly (Kind & { readonly is: RegExp })[] = [
  { what: 'hashtags', column: captionMark, is: /(?:^|\s)[#＃][\p{L}_]/u },
  { what: 'mentions', column: captionMark, is: /(?:^|\s)@[\p{L}\d_.]/u },
  {
    what: 'media',
    column: 'media',
    is: /\.(?:mp4|mov|m4v|webm|avi|mkv|jpe?g|png|webp|heic|gif)(?:$|[?\s|])/i,
  },
  { what: 'links', column: captionMark, is: /https?:\/\//i },
  {
    what: 'times',
    column: 'scheduled_at',
    is: /^(?:\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?:\D|$)/,
  },
];

/** By the name of the note. */
const byName: Readonly<Partial<Record<ColumnName, string>>> = {
  caption: 'captions',
  media: 'media',
  product_link: 'links',
  scheduled_at: 'times',
  scheduled_time: 'times',
};

interface Note {
  readonly position: number;
  /** What its cells have because of its name. */
  readonly named: Kind | undefined;
  readonly rows: Map<Kind, number>;
}

interface HidingNote {
  readonly position: number;
  readonly kind: Kind;
  readonly count: number;
}

const mostNotices = 20;

/** Counts the rows of each note that look like parts of a post. */
export class HiddenNotes {
  readonly #header: Header;
  readonly #notes: readonly Note[];

  /** @param map columns that a person made notes are not doubted. */
  constructor(header: Header, map: ColumnMap = new Map()) {
    const meant = meaningsOf(header);
    const wanted = new Set([...map].flatMap(([name, to]) => (to === noteMark ? [foldHeader(name)] : [])));
    this.#header = header;
    this.#notes = header.names.flatMap((name, position): readonly Note[] => {
      const isOther = meant.has(position) || header.results.includes(position) || name === '';
      return isOther || isStatusHeader(name) || wanted.has(foldHeader(name))
        ? []
        : [{ position, named: kindOf(name), rows: new Map() }];
    });
  }

  /** @param cells of an accepted row. */
  add(cells: readonly string[]): void {
    for (const { position, named, rows } of this.#notes) {
      const text = (cells[position] ?? '').trim().slice(0, longestLooked);
      if (text === '') continue;
      const kind = kinds.find(({ is }) => is.test(text)) ?? named;
      if (kind !== undefined) rows.set(kind, (rows.get(kind) ?? 0) + 1);
    }
  }

  /** One notice for each such column; of many, for those with the most rows. */
  finish(): readonly CellProblem[] {
    const hiding = this.#notes.flatMap(({ position, rows }) => {
      const [first] = [...rows].sort(([, one], [, other]) => other - one);
      return first === undefined ? [] : [{ position, kind: first[0], count: first[1] }];
    });
    if (hiding.length <= mostNotices) return hiding.map((each) => this.#notice(each));
    const largest = hiding.toSorted((one, other) => other.count - one.count).slice(0, mostNotices);
    return [...largest.map((each) => this.#notice(each)), moreNotes(hiding.length - mostNotices)];
  }

  #notice({ position, kind: { what, column }, count }: HidingNote): CellProblem {
    const name = this.#header.names[position] ?? '';
    const shown = showValue(name);
    return {
      column: shown,
      code: 'note_hides',
      value: '',
      problem: `${shown} is a column of notes, so the ${what} of ${count} ${count === 1 ? 'row' : 'rows'} are not posted`,
      fix: this.#fixOf(name, column),
    };
  }

  #fixOf(name: string, column: MappedTo): Fix {
    if (column === captionMark || column === noteMark || this.#header.indexes[column] >= 0) {
      const hints = column === captionMark ? mapHint(name, column) : [];
      return ['If they belong to the post, say which column it is.', ...hints];
    }
    return [`If they belong to the post, rename it to ${column}.`, ...mapHint(name, column)];
  }
}

function kindOf(name: string): Kind | undefined {
  const column = namedColumn(foldHeader(name.replace(/^[_#]/, '')));
  const what = column && byName[column];
  return column && what ? { what, column } : undefined;
}

function moreNotes(count: number): CellProblem {
  const notes = count === 1 ? '1 more note looks like part' : `${count} more notes look like part`;
  return {
    column: null,
    code: 'note_hides',
    value: '',
    problem: `${notes} of the post`,
    fix: 'Say which column each one is, or delete it to end this warning.',
  };
}
