/**
 * The rows of a plan that a person skipped, or left out with their problems. A row of its next version that says the same is skipped
 * again; of several that say the same, those in the same order.
 */
import { OwnStatus } from '../../../importers/check/own-status.ts';
import { contentOf } from '../../../importers/update/match-by-content.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import type { Header } from '../../../manifest/headers/header.ts';
import {
  createImportedRowReader,
  HeaderError,
  type ImportedSheet,
  type RowReader,
} from '../../../manifest/reader.ts';
import type { CellEdits, SkippedAs } from '../results/own-sheet.ts';

/** `held`: skipped, and by the planner's own status not to be posted. */
interface Fate {
  readonly as: 'taken' | 'held' | SkippedAs;
  readonly edits: CellEdits;
}

interface SkippedRow {
  /** Undefined for a row that was held, and is released now. */
  readonly as: SkippedAs | undefined;
  /** What had been edited in it. */
  readonly edits: CellEdits;
}

export class SkippedRows {
  /** By key and content, then by all that a row posts: what became of each, in order. */
  readonly #fates = new Map<string, Map<string, Fate[]>>();

  /** Takes a row that was not taken. All of them come before the first `note`. */
  expect(row: SkippableRow): void {
    this.#fates.set(row.name, new Map());
  }

  /** Takes each row of the plan, in order. */
  note(row: SkippableRow, as: SkippedAs | undefined, edits: CellEdits = []): void {
    const fates = this.#fates.get(row.name);
    if (fates === undefined) return;
    const fate: Fate = { as: as === 'skipped' && row.isHeld ? 'held' : (as ?? 'taken'), edits };
    const same = fates.get(row.post);
    if (same === undefined) fates.set(row.post, [fate]);
    else same.push(fate);
  }

  /** Whether a row of the next version was skipped, and is skipped again; ask for each once, in order. */
  takes(row: SkippableRow): SkippedRow | undefined {
    const fates = this.#fates.get(row.name)?.get(row.post) ?? [];
    // A results sheet says which of several rows that say the same the campaign has.
    const same = fates.filter((fate) => (fate.as === 'taken') === row.hasResult);
    const own = row.hasResult === undefined || same.length === 0 ? fates : same;
    const [fate] = own;
    if (fate !== undefined && own.length > 1) fates.splice(fates.indexOf(fate), 1);
    if (fate === undefined || fate.as === 'taken') return undefined;
    const { as, edits } = fate;
    if (as === 'held') return { as: row.isReleased ? undefined : 'skipped', edits };
    return { as, edits };
  }
}

/** Reads what rows of one sheet are compared by. */
export class SkippableRows {
  readonly #header: Header;
  readonly #status: OwnStatus;
  readonly #reader: RowReader | undefined;
  readonly #hasKeys: boolean;

  /** @param hasKeys whether rows with different keys are different ones. */
  constructor(header: Header, campaign: ImportedSheet, hasKeys: boolean) {
    this.#header = header;
    this.#hasKeys = hasKeys;
    this.#status = new OwnStatus(header);
    // Its edits may have added columns that the sheet lacks: without them, no row could be read.
    const added = campaign.header.filter((name) => !header.names.includes(name));
    this.#reader = readerOf({ ...campaign, header: [...header.names, ...added] });
  }

  of(cells: readonly string[]): SkippableRow {
    const [header, status, reader, hasKeys] = [this.#header, this.#status, this.#reader, this.#hasKeys];
    const ledger = header.results.find((at) => foldHeader(header.names[at] ?? '') === 'ledger') ?? -1;
    return {
      get name() {
        const key = hasKeys ? textOfCell(cells, header.indexes.key) : '';
        return [...contentOf(header, cells), key].join(' ');
      },
      get post() {
        return postOf(reader, cells);
      },
      get isHeld() {
        return status.holds(cells);
      },
      get isReleased() {
        return status.releases(cells);
      },
      get hasResult() {
        return ledger < 0 ? undefined : textOfCell(cells, ledger) !== '';
      },
    };
  }
}

interface SkippableRow {
  readonly name: string;
  /** Slow: read where names are equal. */
  readonly post: string;
  readonly isHeld: boolean;
  readonly isReleased: boolean;
  /** Whether the campaign had it, in a results sheet; undefined for any other. */
  readonly hasResult: boolean | undefined;
}

/** Undefined for a header that an edit of this version completes. */
function readerOf(sheet: ImportedSheet): RowReader | undefined {
  try {
    return createImportedRowReader(sheet);
  } catch (error) {
    if (error instanceof HeaderError) return undefined;
    throw error;
  }
}

/** As it is read, so that a spreadsheet program may write a date in another way. */
function postOf(reader: RowReader | undefined, cells: readonly string[]): string {
  if (reader === undefined) return '';
  const reading = reader.read({ cells, number: 0 });
  const [post, problems] = 'row' in reading ? [reading.row, []] : [reading.draft, reading.problems];
  return JSON.stringify([{ ...post, key: '' }, ...problems.map(({ code, value }) => [code, value])]);
}
