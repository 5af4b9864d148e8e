/** Cells of one sheet under the header of another: what a column means counts, not where it stands or what it is called. */
import { type ColumnMap, type MappedTo, noteMark } from '../../manifest/column-map.ts';
import { type ColumnName, columns, foldHeader, problemColumns } from '../../manifest/columns.ts';
import { type Header, matchHeader } from '../../manifest/header.ts';
import { createImportedRowReader, type ImportedSheet } from '../../manifest/imported-sheet.ts';

/** A campaign's sheet with the columns that another one brought along, behind its own. */
export class CellAlignment {
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Where each column of the header comes from in the other sheet; -1 for none. */
  readonly #sources: readonly number[];
  /** Notes that the other sheet does not have: they stay as they are. */
  readonly #kept: readonly number[];

  constructor(campaign: ImportedSheet, sheet: Header) {
    const header = [...campaign.header];
    const map = new Map(campaign.map);
    const { header: own } = createImportedRowReader(campaign);
    const columnAt = meanings(own);
    const taken = new Set(own.names.map(foldHeader));
    const targets = new Map<number, number>();
    const meant = meanings(sheet);
    for (const [position, name] of sheet.names.entries()) {
      if (isLeftOut(sheet, position)) continue;
      const column = meant.get(position);
      const known = column === undefined ? findNote(own, columnAt, name) : own.indexes[column];
      if (known >= 0) targets.set(known, position);
      else {
        targets.set(header.length, position);
        header.push(newName(column ?? name, { taken, map, column }));
      }
    }
    this.header = header;
    this.map = map;
    this.#sources = header.map((_name, position) => targets.get(position) ?? -1);
    this.#kept = campaign.header.flatMap((_name, position) =>
      columnAt.has(position) || targets.has(position) ? [] : [position],
    );
  }

  /** A row of the other sheet; columns that it does not have are empty. */
  align(cells: readonly string[]): readonly string[] {
    return this.#sources.map((position) => cells[position] ?? '');
  }

  /** An aligned row with the notes that only the campaign has of it. */
  withNotesOf(aligned: readonly string[], stored: readonly string[]): readonly string[] {
    if (this.#kept.length === 0) return aligned;
    const cells = [...aligned];
    for (const position of this.#kept) cells[position] = stored[position] ?? '';
    return cells;
  }
}

function meanings({ indexes }: Header): ReadonlyMap<number, ColumnName> {
  return new Map(columns.flatMap(({ name }) => (indexes[name] < 0 ? [] : [[indexes[name], name] as const])));
}

const ofProblems: ReadonlySet<string> = new Set(problemColumns.map(foldHeader));

/** Columns that the runner itself has added to a sheet, and those without a name. */
function isLeftOut({ names, results, blanks }: Header, position: number): boolean {
  return (
    results.includes(position) ||
    blanks.includes(position) ||
    ofProblems.has(foldHeader(names[position] ?? ''))
  );
}

/** Position of the note of this name; -1 where there is none. */
function findNote({ names }: Header, columnAt: ReadonlyMap<number, ColumnName>, name: string): number {
  return names.findIndex((other, position) => other === name && !columnAt.has(position));
}

/** A name that no column has yet, and that means what the column means: nothing for a note. */
function newName(
  wanted: string,
  { taken, map, column }: { taken: Set<string>; map: Map<string, MappedTo>; column: ColumnName | undefined },
): string {
  const mapped = new Set([...map.keys()].map(foldHeader));
  let name = wanted;
  for (let count = 2; taken.has(foldHeader(name)) || mapped.has(foldHeader(name)); count += 1) {
    // A name that begins so is a note, whatever follows.
    name = column === undefined ? `_${wanted} (${count})` : `${wanted} (${count})`;
  }
  taken.add(foldHeader(name));
  if (column === undefined) {
    // The other sheet says that it is a note, although it is called like a column.
    if (meansColumn(name)) map.set(name, noteMark);
  } else if (name !== wanted) map.set(name, column);
  return name;
}

function meansColumn(name: string): boolean {
  const { indexes } = matchHeader([name], { allowUnknownColumns: true, allowResultsSheet: true });
  return Object.values(indexes).includes(0);
}
