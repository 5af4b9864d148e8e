/** Reads one JSON object into cells, as a spreadsheet would contain them. */
import { visit } from 'jsonc-parser';
import { listSeparator } from '../../manifest/columns.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import { mostProblemsOfRow } from '../../manifest/sheet-bounds.ts';
import { describeSyntaxError, findSyntaxFault, isTooDeep, type SyntaxFault } from './syntax.ts';

interface JsonObject {
  /** By name, in file order; a nested value is kept as written. */
  readonly cells: ReadonlyMap<string, string>;
  readonly problems: readonly CellProblem[];
}

/** Why a text could not be read as an object. */
export type JsonFault = CellProblem & Pick<SyntaxFault, 'linesBefore'>;

interface OpenList {
  readonly offset: number;
  readonly items: string[];
}

/** Numbers keep their text, so that an id beyond 2^53 loses no digit. @param isList whether the column of this name takes a list. */
export function readJsonObject(
  text: string,
  isList: (name: string) => boolean,
): JsonObject | { readonly fault: JsonFault } {
  if (!text.trimStart().startsWith('{')) {
    const broken = findSyntaxFault(text);
    return { fault: broken === null ? notAnObject(text) : invalidJson(broken) };
  }
  const isFlat = text.indexOf('{', text.indexOf('{') + 1) < 0 && !text.includes('[');
  if (!isFlat && isTooDeep(text)) return { fault: tooDeep };
  const reading = new ObjectReading(text, isList);
  const fault = reading.run();
  return fault === null ? reading : { fault: invalidJson(fault) };
}

class ObjectReading implements JsonObject {
  readonly cells = new Map<string, string>();
  readonly problems: CellProblem[] = [];
  readonly #text: string;
  readonly #isList: (name: string) => boolean;
  #name = '';
  #list: OpenList | null = null;
  /** How many open objects and arrays do not fit into a cell. */
  #nested = 0;
  #nestedFrom = 0;
  #depth = 0;
  #fault: SyntaxFault | null = null;

  constructor(text: string, isList: (name: string) => boolean) {
    this.#text = text;
    this.#isList = isList;
  }

  /** @returns the first syntax error. */
  run(): SyntaxFault | null {
    visit(
      this.#text,
      {
        onObjectBegin: (offset) => {
          if (this.#depth > 0) this.#openNested(offset);
          this.#depth += 1;
        },
        onObjectEnd: (offset) => this.#close(offset),
        onObjectProperty: (name) => {
          if (this.#depth === 1) this.#begin(name);
        },
        onArrayBegin: (offset) => {
          if (this.#list === null && this.#nested === 0) this.#list = { offset, items: [] };
          else this.#openNested(offset);
          this.#depth += 1;
        },
        onArrayEnd: (offset) => this.#close(offset),
        onLiteralValue: (value: unknown, offset, length) => {
          if (this.#nested === 0) this.#take(value, offset, length);
        },
        onError: (code, offset, length, linesBefore) => {
          this.#fault ??= describeSyntaxError(this.#text, code, offset, length, linesBefore);
        },
      },
      { disallowComments: true },
    );
    return this.#fault;
  }

  #begin(name: string): void {
    this.#name = name;
    if (this.cells.has(name)) {
      this.#report('duplicate_name', name, 'the row has this key twice', 'Keep one of them.');
    }
  }

  #openNested(offset: number): void {
    if (this.#nested === 0) this.#nestedFrom = offset;
    this.#nested += 1;
  }

  #close(offset: number): void {
    this.#depth -= 1;
    if (this.#nested > 0) {
      this.#nested -= 1;
      if (this.#nested === 0) this.#endNested(this.#text.slice(this.#nestedFrom, offset + 1));
    } else if (this.#list !== null) {
      this.#endList(this.#list, offset);
      this.#list = null;
    }
  }

  #endNested(written: string): void {
    this.#report(
      'nested_value',
      written,
      'a column cannot contain an object or a list within a list',
      nestingFix,
    );
    if (this.#list === null) this.cells.set(this.#name, written);
  }

  #endList({ offset, items }: OpenList, end: number): void {
    const written = this.#text.slice(offset, end + 1);
    if (items.length > 1 && !this.#isList(this.#name)) {
      this.#report('list_in_single', written, 'this column takes one value, not a list', 'Write one text.');
    }
    this.cells.set(this.#name, items.join(listSeparator));
  }

  #take(value: unknown, offset: number, length: number): void {
    const text = typeof value === 'string' ? value : this.#plain(value, offset, length);
    if (!text.isWellFormed()) {
      this.#report('broken_text', text, 'half of a character is missing in this text', 'Type it again.');
    }
    if (this.#list === null) {
      this.cells.set(this.#name, text);
      return;
    }
    if (this.#isList(this.#name) && text.includes(listSeparator)) {
      this.#report(
        'separator_in_item',
        text,
        `a list item contains ${listSeparator}, which separates the items`,
        `Rename the file; in a URL write %7C for ${listSeparator}.`,
      );
    }
    this.#list.items.push(text);
  }

  /** A number as written, `true`, `false`, or an empty text for `null`. */
  #plain(value: unknown, offset: number, length: number): string {
    if (value === null) return '';
    const written = this.#text.slice(offset, offset + length);
    if (typeof value !== 'number') return written;
    if (!Number.isFinite(value)) {
      this.#report('number_too_large', written, 'this number is too large', 'Write it in plain digits.');
    } else if (/e/i.test(written)) {
      this.#report(
        'scientific_number',
        written,
        'a number in this notation may have lost its last digits',
        'Write it in plain digits. Put an id in quotes.',
      );
    }
    return written;
  }

  #report(code: string, value: string, problem: string, fix: string): void {
    if (this.problems.length === mostProblemsOfRow) return;
    this.problems.push({ column: showValue(this.#name), code, value: showValue(value), problem, fix });
  }
}

function invalidJson(fault: SyntaxFault): JsonFault {
  return { column: null, code: 'invalid_json', ...fault };
}

function notAnObject(text: string): JsonFault {
  return {
    column: null,
    code: 'not_an_object',
    value: showValue(text.trim()),
    problem: 'this row is not a JSON object',
    fix: 'Write each row as { "creator": "...", "caption": "...", ... }.',
    linesBefore: 0,
  };
}

const nestingFix = 'Give each value its own key. A list contains only texts.';

const tooDeep: JsonFault = {
  column: null,
  code: 'nested_too_deep',
  value: '',
  problem: 'lists or objects are nested more than 100 deep',
  fix: nestingFix,
  linesBefore: 0,
};
