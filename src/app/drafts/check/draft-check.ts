/** What the last check of a draft found. It is stored, so that a draft that is opened again need not be checked again. */
import type { CheckResult } from '../../../importers/check/check-sheet.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import type { PlannedUpdate } from '../../campaigns/import/update.ts';
import type { DraftDatabase } from '../store/database.ts';
import { StoredFindings } from '../store/findings.ts';
import { StoredRows } from '../store/rows.ts';
import { SheetEvidence, type StoredEvidence } from '../suggestions/evidence.ts';
import type { OtherSheets } from '../suggestions/other-sheets.ts';
import type { SheetColumn } from './columns.ts';

/** Rises when the shape of `CheckFacts` changes: a check of another format is made again. */
const format = 1;

type OfResult =
  | ('sha256' | 'format' | 'headerLine' | 'name' | 'header' | 'proposals' | 'blocking' | 'notices')
  | ('plan' | 'times' | 'canary' | 'creators');

/** What was found in the sheet as a whole. */
export interface CheckFacts extends Pick<CheckResult, OfResult> {
  readonly indexes: ColumnIndexes;
  readonly columns: readonly SheetColumn[];
  /** Visible sheets of a workbook. */
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
  /** Read once a product id is missing or faulty; undefined before that, and if the sheet is no workbook. */
  readonly otherSheets: OtherSheets | undefined;
}

/** When and of what a check was made. */
export interface CheckOrigin {
  /** Whatever its result depends on, apart from the edits, the time, and the service. */
  readonly inputs: string;
  /** `edits` of the draft. */
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
  #knowledge: { readonly evidence: SheetEvidence; readonly otherSheets: OtherSheets | undefined } | undefined;

  constructor(database: DraftDatabase, facts: CheckFacts, { update, newMedia }: UpdateFacts) {
    this.#database = database;
    this.facts = facts;
    this.update = update;
    this.newMedia = newMedia;
    this.rows = new StoredRows(database);
    this.findings = new StoredFindings(database);
  }

  get knowledge() {
    const stored = () => this.#database.fact<CheckKnowledge>('knowledge');
    const { indexes } = this.facts;
    this.#knowledge ??= {
      evidence: new SheetEvidence(indexes, stored()?.evidence),
      otherSheets: stored()?.otherSheets,
    };
    return this.#knowledge;
  }
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
