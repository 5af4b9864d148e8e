/** The planner's last version of a sheet, beside what the campaign has made of it. */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { type HashWords, hashText, numberOf } from '../../../importers/check/text-hashes.ts';
import { placeName } from '../../../importers/sheet-places.ts';
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import { type ComparedRow, comparedOf } from '../../../importers/update/match-by-content.ts';
import { mayChange } from '../../../importers/update/row-match.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../../ledger/keys.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { indexedKey } from '../../../manifest/cells/id.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import type { ColumnMap } from '../../../manifest/headers/column-map.ts';
import { type Header, matchHeader, meaningsOf, textIn } from '../../../manifest/headers/header.ts';
import type { RowPlace } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import { type OpenSheet, openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource } from '../../../sheets/sheet.ts';
import { storedRows } from '../results/edits-not-taken.ts';
import type { OfRuntime } from '../results/own-record.ts';
import type { OwnSheet } from '../results/own-sheet.ts';
import { FixEvidence } from './fix-evidence.ts';
import { SkippableRows, SkippedRows } from './skipped-rows.ts';

/** A cell of the campaign that differs from the planner's last version. */
export interface Fix {
  /** Position of its column in the campaign. */
  readonly target: number;
  /** What the column means; undefined for a note. */
  readonly column: ColumnName | undefined;
  readonly was: string;
  readonly is: string;
  /** The column whose texts an edit joined in one of its cells: it has to be kept in all of them, or in none. */
  readonly joined?: ColumnName | undefined;
  /** Whether it is of the product: with another product, it would be a fault. */
  readonly isOfProduct: boolean;
}

/** Columns that only together say which product a post has. */
const ofProduct = ['product_id', 'product_title', 'product_link', 'product_source'] as const;

/** Undefined for columns that the sheet lacks. */
export function productOf(header: Header, cells: readonly string[]): readonly (string | undefined)[] {
  return ofProduct.map((name) => (header.indexes[name] < 0 ? undefined : textIn(header, name, cells)));
}

export class LastVersion {
  readonly campaign: Campaign;
  readonly keys: KeyIndex;
  readonly fixes = new Map<number, readonly Fix[]>();
  readonly evidence = new FixEvidence();
  /** Products in her sheet of rows with fixes. */
  readonly products = new Map<number, ReturnType<typeof productOf>>();
  /** Keys in her sheet of rows that have another one in the campaign; empty for rows without. */
  readonly unsure = new Set<string>();
  /** Keys of rows that have none in her sheet, or another: there, another row may have them next. */
  readonly given = new Set<string>();
  readonly skipped = new SkippedRows();
  readonly #ledger: OfRuntime['ledger'];
  readonly #header: Header;
  readonly #words: HashWords = new Uint32Array(2);
  /** Rows of the plan with such a key, those that were left out with an id below 0. */
  readonly #contents: ComparedRow[] = [];
  #alignment: CellAlignment | undefined;
  /** Rows with edits that were not taken, by column of the campaign. */
  #notTaken: ReadonlyMap<number, ReadonlySet<number>> = new Map();
  /** Rows of the campaign that the plan lacks. */
  #lacking: readonly number[] = [];
  /** Whether the rows of a sheet without a key column can be matched: it has lost none. */
  mayLackKeys: boolean;

  /** Whether the next version has rows with the keys of others: its rows are matched without them. */
  readonly hasMoved: boolean;
  /** Keys of several of its rows, of which only what they post tells which row has it. */
  readonly doubled: ReadonlySet<string>;
  /** Whether the next version is the last one, with results: there, rows without a key column of hers have the keys of the campaign. */
  readonly #isOfResults: boolean;

  constructor(
    { ledger }: OfRuntime,
    campaign: Campaign,
    keys: KeyIndex,
    next: Pick<LastVersion, 'hasMoved' | 'doubled'> & { readonly isOwnResults: boolean },
  ) {
    const { hasMoved, doubled, isOwnResults } = next;
    this.hasMoved = hasMoved;
    this.doubled = doubled;
    this.#isOfResults = isOwnResults;
    for (const key of doubled) {
      if (keys.at(key) === undefined) continue;
      this.unsure.add(key);
      this.given.add(key);
    }
    this.#ledger = ledger;
    this.campaign = campaign;
    this.keys = keys;
    this.#header = createImportedRowReader(campaign).header;
    this.mayLackKeys = !keys.hasOwnKeys;
  }

  /** Columns of the campaign that the plan lacks, by position. */
  get added(): ReadonlyMap<number, ColumnName> {
    const columns = [...meaningsOf(this.#header)].filter(
      ([target, name]) => name !== 'key' && this.#alignment?.sourcesOf(target).length === 0,
    );
    return new Map(columns);
  }

  async read(own: OwnSheet): Promise<void> {
    const { map } = this.campaign;
    const open = () => openSheet(fileSource(own.path), { ...own, map });
    const sheet = await open();
    const header = headerOf(sheet, map);
    const { key } = header.indexes;
    const alignment = new CellAlignment(this.campaign, header);
    const skippedAs = (row: RowPlace) => own.skipped.get(placeName(row));
    const skippable = new SkippableRows(header, this.campaign, !this.hasMoved);
    const hasSkipped = own.skipped.size > 0;
    for await (const batch of hasSkipped ? withoutDefaults(await open()) : [])
      for (const row of batch) if (skippedAs(row)) this.skipped.expect(skippable.of(row.cells));
    this.#notTaken = new Map(own.notTaken.map(([target, rows]) => [target, new Set(rows)]));
    this.#alignment = alignment;
    this.#lacking = own.rows.absent(this.campaign.rows);
    this.mayLackKeys ||= key < 0;
    const hasOurKeys = key < 0 && this.#isOfResults;
    let number = 0;
    for await (const batch of withoutDefaults(sheet)) {
      const rows = batch.map((row) => {
        const name = textOfCell(row.cells, key);
        return { ...row, name, at: own.rows.at(row) };
      });
      const positions = rows.flatMap(({ at = [] }) => at);
      const stored = await storedRows(this.#ledger.store, this.campaign, positions);
      for (const { at, name, ...row } of rows) {
        if (turn.isFull) await turn.pause();
        number += 1;
        if (hasSkipped)
          this.skipped.note(skippable.of(row.cells), skippedAs(row), own.edits.get(placeName(row)));
        const compared = comparedOf(header, row.cells);
        const kept = stored.get(at ?? -1);
        const isTaken = at !== undefined && kept !== undefined;
        const plan = isTaken ? alignment.align(row.cells) : [];
        if (isTaken) this.#compare(at, plan, kept.cells);
        const hasFix = isTaken && this.fixes.has(at);
        const isRepeat = skippedAs(row) === 'skipped' && own.refused.has(placeName(row));
        if (!isRepeat) this.evidence.add(compared, hasFix ? { at, words: this.wordsOf(plan) } : undefined);
        if (isTaken) {
          if (hasFix) this.products.set(at, productOf(header, row.cells));
          const key = this.#keyOf(kept);
          if (hasOurKeys) continue;
          if (name === key && !this.hasMoved && !this.unsure.has(name)) continue;
          this.unsure.add(name);
          if (name !== key) this.given.add(key);
          this.#contents.push({ id: at, number, name: key, ...compared });
        } else if (name === '' && skippedAs(row))
          this.#contents.push({ id: -number, number, name, ...compared });
      }
    }
    if (!hasOurKeys) for (const key of this.keys.of(new Set(this.#lacking))) this.given.add(key);
    for (const key of this.given) this.unsure.add(key);
    await this.evidence.count();
  }

  /** Of the plan, then of the campaign as it is: also of rows that came by another sheet. */
  async contents(): Promise<readonly ComparedRow[]> {
    const contents = [...this.#contents];
    const ids = new Set(contents.map(({ id }) => id));
    const hasPlan = this.#alignment !== undefined;
    const added = new Set(this.#lacking);
    for await (const part of this.#ledger.store.all(this.campaign)) {
      for (const [id, row] of part) {
        if (turn.isFull) await turn.pause();
        const name = this.#keyOf(row);
        const isMeant = this.hasMoved || ids.has(id) || added.has(id) || this.unsure.has(name);
        if (hasPlan && !isMeant) continue;
        const number = hasPlan ? 0 : row.number;
        contents.push({ id, number, name, ...comparedOf(this.#header, row.cells) });
      }
    }
    return contents;
  }

  /** Tells rows that cannot be changed any more. One that was left out has an id below 0. */
  async ended(): Promise<(row: number) => boolean> {
    const { id, rows } = this.campaign;
    const ended = new Set<number>();
    for (let first = 0; first < rows; first += chunkSize)
      for (const [index, status] of (await this.#ledger.rows.statuses(id, first, chunkSize)).entries())
        if (status !== undefined && !mayChange.has(status.state)) ended.add(first + index);
    return (row) => ended.has(row);
  }

  async keyAt(row: number): Promise<string> {
    return this.#keyOf(await this.#ledger.store.read(this.campaign, row));
  }

  /** Hash of all that a row of the plan says, but its key. @param aligned its cells in the columns of the campaign. */
  wordsOf(aligned: readonly string[]): number {
    const { key } = this.#header.indexes;
    const texts = this.campaign.header.map((_name, target) => (target === key ? '' : aligned[target]));
    hashText(this.#words, JSON.stringify(texts));
    return numberOf(this.#words);
  }

  #keyOf({ cells, number }: StoredRow): string {
    return textOfCell(cells, this.#header.indexes.key) || String(number);
  }

  /** Where an edit was not taken, it is no fix that the campaign has another text: the edit is told each time, until it is taken. */
  #compare(at: number, plan: readonly string[], cells: readonly string[]): void {
    const meanings = meaningsOf(this.#header);
    const fixes: Fix[] = [];
    for (const target of this.campaign.header.keys()) {
      const [was, is] = [textOfCell(plan, target), textOfCell(cells, target)];
      const isEdit = this.#notTaken.get(target)?.has(at) ?? false;
      const isFix = was !== is && target !== this.#header.indexes.key && !isEdit;
      const column = meanings.get(target);
      const isOfProduct = ofProduct.some((name) => name === column);
      if (isFix) fixes.push({ target, column, was, is, isOfProduct });
    }
    const joined = new Set(fixes.flatMap(({ column, is }) => (is === '' ? [column] : [])));
    const marked = fixes.map((fix) => (joined.has(fix.column) ? { ...fix, joined: fix.column } : fix));
    if (marked.length > 0) this.fixes.set(at, marked);
  }
}

/** Finds the rows of a campaign by their keys. */
export class KeyIndex {
  readonly #rows = new Map<string, number>();
  /** Whether rows have keys of their own, not only numbers. */
  hasOwnKeys = false;
  lastNumber = 0;

  static async read({ ledger }: Pick<OfRuntime, 'ledger'>, campaign: Campaign) {
    const index = new KeyIndex();
    const { key } = createImportedRowReader(campaign).header.indexes;
    for await (const part of ledger.store.all(campaign)) {
      for (const [row, { cells, number }] of part) {
        if (turn.isFull) await turn.pause();
        const text = textOfCell(cells, key) || String(number);
        // The runner's own number as a text comes from a results sheet in which the row was edited.
        index.hasOwnKeys ||= text !== String(number);
        index.lastNumber = Math.max(index.lastNumber, number);
        index.#rows.set(indexedKey(text), row);
      }
    }
    return index;
  }

  at(key: string): number | undefined {
    return this.#rows.get(indexedKey(key));
  }

  of(rows: ReadonlySet<number>): readonly string[] {
    return [...this.#rows].flatMap(([key, row]) => (rows.has(row) ? [key] : []));
  }
}

export function headerOf({ header }: OpenSheet, map: ColumnMap | undefined): Header {
  return matchHeader(header.cells, { map });
}
