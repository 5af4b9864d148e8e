/**
 * What the last check of a draft found. It is stored, so that a draft that is opened again need not be checked again. The columns of its
 * sheet: their meaning, their positions, and the key of a row.
 */

import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { type ColumnMap, captionMark } from '../../../manifest/headers/column-map.ts';
import { type ColumnIndexes, matchHeader, meaningsOf } from '../../../manifest/headers/header.ts';
import { showValue } from '../../../manifest/problems/problem.ts';
import { columnLetters, type SheetRow } from '../../../sheets/sheet.ts';
import type { SheetLinks } from '../../../sheets/xlsx/links.ts';
import type { Edits } from '../../campaigns/import/edits.ts';
import type { PlannedUpdate } from '../../campaigns/import/update.ts';
import type { Draft } from '../draft.ts';
import type { DraftDatabase } from '../store/database.ts';
import { StoredFindings } from '../store/findings.ts';
import { StoredRows } from '../store/rows.ts';
import { SheetEvidence, type StoredEvidence } from '../suggestions/evidence.ts';
import type { OtherSheets, ServiceAccounts } from '../suggestions/other-sheets.ts';
import type { DraftColumn } from '../view.ts';

/** Rises when the shape of `CheckFacts` or `CheckKnowledge` changes: a check of another format is made again. */
const format = 5;

type OfResult =
  | ('sha256' | 'format' | 'headerLine' | 'name' | 'header' | 'proposals' | 'blocking' | 'notices')
  | ('plan' | 'times' | 'canary' | 'creators' | 'usual');

/** What was found in the sheet as a whole. */
export interface CheckFacts extends Pick<CheckResult, OfResult> {
  readonly indexes: ColumnIndexes;
  readonly columns: readonly SheetColumn[];
  readonly sheets: readonly string[];
  /** Zone of times without one. */
  readonly timezone: string | null;
  readonly added: number;
}

/** What becomes of the rows of a sheet that updates a campaign. It is not stored: it depends on the campaign. */
export interface UpdateFacts {
  readonly update: PlannedUpdate | undefined;
  /** Absolute path of the folder of the media that an update brings along; undefined if it brings none. */
  readonly newMedia: string | undefined;
}

/** What suggestions rest on, as of the check. Edits do not change it. */
export interface CheckKnowledge {
  readonly evidence: StoredEvidence;
  /** Undefined if the sheet is no workbook, or has no other worksheet. */
  readonly lists: OtherSheets | undefined;
  /** Behind the texts of its cells. Checks of earlier versions have none. */
  readonly links?: SheetLinks | undefined;
  /** Of the creators in `lists` and `links`; undefined if the service did not tell. */
  readonly accounts: ServiceAccounts | undefined;
}

export interface CheckOrigin {
  /** Whatever its result depends on, apart from the edits, the time, and the service. */
  readonly inputs: string;
  readonly edits: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

interface StoredCheck extends CheckOrigin {
  readonly format: number;
  readonly facts: CheckFacts;
}

export class DraftCheck {
  readonly facts: CheckFacts;
  readonly update: PlannedUpdate | undefined;
  readonly newMedia: string | undefined;
  readonly rows: StoredRows;
  readonly findings: StoredFindings;
  readonly #database: DraftDatabase;
  #knowledge: (Omit<CheckKnowledge, 'evidence'> & { readonly evidence: SheetEvidence }) | undefined;

  constructor(database: DraftDatabase, facts: CheckFacts, { update, newMedia }: UpdateFacts) {
    this.#database = database;
    this.facts = facts;
    this.update = update;
    this.newMedia = newMedia;
    this.rows = new StoredRows(database);
    this.findings = new StoredFindings(database);
  }

  get knowledge() {
    if (this.#knowledge === undefined) {
      const { evidence, ...rest } = this.#database.fact<CheckKnowledge>('knowledge') ?? noKnowledge;
      this.#knowledge = { ...rest, evidence: new SheetEvidence(this.facts.indexes, evidence) };
    }
    return this.#knowledge;
  }
}

const noKnowledge = { evidence: undefined, lists: undefined, accounts: undefined };

/** A checked sheet, with what people have edited. */
export interface EditedSheet {
  readonly draft: Draft;
  readonly check: DraftCheck;
  readonly edits: Edits;
}

/** Stores the result of a check. Only within `DraftDatabase.write`. */
export function storeCheck(
  database: DraftDatabase,
  origin: CheckOrigin,
  facts: CheckFacts,
  knowledge: CheckKnowledge,
): void {
  database.setFact('check', { ...origin, format, facts } satisfies StoredCheck);
  database.setFact('knowledge', knowledge);
  database.setFact('edits checked', origin.edits);
}

/** If a check ends early, the stored findings are no longer of the rows. Only within `DraftDatabase.write`. */
export function outdateCheck(database: DraftDatabase): void {
  database.setFact('edits checked', -1);
}

/** The stored check; undefined if there is none that this version of the program can read. */
export function findCheck(
  database: DraftDatabase,
): (CheckOrigin & { readonly check: DraftCheck; readonly editsChecked: number }) | undefined {
  const stored = database.fact<StoredCheck>('check');
  if (stored?.format !== format) return undefined;
  const check = new DraftCheck(database, stored.facts, { update: undefined, newMedia: undefined });
  return { ...stored, check, editsChecked: database.fact<number>('edits checked') ?? 0 };
}

export type SheetColumn = Omit<DraftColumn, 'firstTexts' | 'proposal'>;

/** The columns of a sheet, and their meaning. @param cells of the header. @param doubtful headers whose meaning must be said. @param result meaning of the columns of a results sheet. */
export function columnsOf(
  cells: readonly string[],
  map: ColumnMap | undefined,
  doubtful: ReadonlySet<string | null> = new Set(),
  result: '_' | null = null,
): readonly SheetColumn[] {
  const header = matchHeader(cells, {
    rejectUnknown: true,
    map,
  });
  const { names, results, problems } = header;
  const unknown = new Set([...(result === null ? results : []), ...problems.map(({ index }) => index)]);
  const byPosition = meaningsOf(header);
  return names.map((title, position) => ({
    position,
    letters: columnLetters(position),
    title,
    column: doubtful.has(showValue(title))
      ? null
      : header.moreCaption.includes(position)
        ? captionMark
        : (byPosition.get(position) ?? (unknown.has(position) || title === '' ? null : '_')),
  }));
}

/** Finds the column that a problem names: by its header as shown, or by its letters if it has no header. */
export function positionFinder(header: readonly string[]): (column: string) => number {
  const positions = new Map<string, number>();
  header.forEach((cell, position) => {
    const name = showValue(cell.trim()) || columnLetters(position);
    if (!positions.has(name)) positions.set(name, position);
  });
  return (column) => positions.get(column) ?? -1;
}

/** The key of a row: its number if it has none of its own; undefined without a column of keys, so that it has no duplicates. */
export function keyOf(column: number, { cells }: SheetRow, number: number): string | undefined {
  return column < 0 ? undefined : textOfCell(cells, column) || String(number);
}
