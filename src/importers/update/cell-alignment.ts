/** Aligns the cells of one sheet with the header of another, by the meaning of the columns, not by position or name. */
import { literalCell, textOfCell } from '../../manifest/cells/formula-guard.ts';
import { type ColumnName, foldHeader, listSeparator } from '../../manifest/columns.ts';
import { type ColumnMap, isMarkedNote, type MappedTo, noteMark } from '../../manifest/headers/column-map.ts';
import { captionSeparator, type Header, isFilled, meaningsOf } from '../../manifest/headers/header.ts';
import { createImportedRowReader, type ImportedSheet } from '../../manifest/reader.ts';
import { problemColumns } from '../../manifest/result-columns.ts';

/** A campaign's sheet, followed by the new columns of another sheet. */
export class CellAlignment {
  readonly header: readonly string[];
  readonly map: ColumnMap;
  /** Positions of each column in the other sheet: several of media are one list. */
  readonly #sources: readonly (readonly number[])[];
  readonly #caption: number;
  /** Notes that the other sheet lacks: they stay unchanged. */
  readonly #kept: readonly number[];

  constructor(campaign: ImportedSheet, sheet: Header) {
    const header = [...campaign.header];
    const map = new Map(campaign.map);
    const { header: own } = createImportedRowReader(campaign);
    const columnAt = meaningsOf(own);
    this.#caption = own.indexes.caption;
    const taken = new Set(own.names.map(foldHeader));
    const targets = new Map<number, number[]>();
    const meant = meaningsOf(sheet);
    for (const [position, name] of sheet.names.entries()) {
      if (isLeftOut(sheet, position)) continue;
      const column = meant.get(position);
      const known =
        column === undefined ? findNote(own, columnAt, name) : findColumn(own, columnAt, name, column);
      if (known >= 0) targets.set(known, [...(targets.get(known) ?? []), position]);
      else {
        targets.set(header.length, [position]);
        header.push(newName(column ?? name, { taken, map, column }));
      }
    }
    this.header = header;
    this.map = map;
    this.#sources = header.map((_name, position) => targets.get(position) ?? []);
    this.#kept = campaign.header.flatMap((_name, position) =>
      columnAt.has(position) || targets.has(position) ? [] : [position],
    );
  }

  /** Positions in the other sheet of a column of the campaign, by its position there. */
  sourcesOf(target: number): readonly number[] {
    return this.#sources[target] ?? [];
  }

  /** Aligns a row of the other sheet. Columns that the sheet lacks are empty. */
  align(cells: readonly string[]): readonly string[] {
    return this.#sources.map((positions, target) => {
      const [first = -1, ...more] = positions;
      if (more.length === 0) return cells[first] ?? '';
      const texts = positions
        .filter((position) => isFilled(cells, position))
        .map((position) => textOfCell(cells, position));
      return literalCell(texts.join(target === this.#caption ? captionSeparator : listSeparator));
    });
  }

  /** Adds the notes that only the campaign has. */
  withNotesOf(aligned: readonly string[], stored: readonly string[]): readonly string[] {
    if (this.#kept.length === 0) return aligned;
    const cells = [...aligned];
    for (const position of this.#kept) cells[position] = stored[position] ?? '';
    return cells;
  }
}

/** Position of a column; of several columns of media, the one of this name. -1 if there is none. */
function findColumn(
  { names, indexes }: Header,
  columnAt: ReadonlyMap<number, ColumnName>,
  name: string,
  column: ColumnName,
): number {
  const same = names.findIndex((other, position) => other === name && columnAt.get(position) === column);
  return same >= 0 ? same : indexes[column];
}

const ofProblems: ReadonlySet<string> = new Set(problemColumns.map(foldHeader));

/** Columns that the runner added to a sheet, and columns without a name. */
function isLeftOut({ names, results, blanks }: Header, position: number): boolean {
  return (
    results.includes(position) ||
    blanks.includes(position) ||
    ofProblems.has(foldHeader(names[position] ?? ''))
  );
}

/** Position of the note of this name; -1 if there is none. */
function findNote({ names }: Header, columnAt: ReadonlyMap<number, ColumnName>, name: string): number {
  return names.findIndex((other, position) => other === name && !columnAt.has(position));
}

/** Finds an unused name with the same meaning as the column; a note has no meaning. */
function newName(
  wanted: string,
  { taken, map, column }: { taken: Set<string>; map: Map<string, MappedTo>; column: ColumnName | undefined },
): string {
  const mapped = new Set([...map.keys()].map(foldHeader));
  let name = wanted;
  for (let count = 2; taken.has(foldHeader(name)) || mapped.has(foldHeader(name)); count += 1) {
    // A name that begins with `_` is always a note.
    name = column === undefined ? `_${wanted} (${count})` : `${wanted} (${count})`;
  }
  taken.add(foldHeader(name));
  if (column === undefined) {
    // The other sheet marks it as a note, although its name means a column, or nothing: nobody is asked again.
    if (!isMarkedNote(name)) map.set(name, noteMark);
  } else if (name !== wanted) map.set(name, column);
  return name;
}
