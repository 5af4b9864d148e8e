/** One pass over the sheet of a draft: takes what the check tells of each row. */
import type { CheckedRow, CheckSink, RefusedRow, RowWarning } from '../../../importers/check/checked-row.ts';
import type { CreatorLookUp } from '../../../importers/check/creator-check.ts';
import { hasDoubtfulId } from '../../../importers/check/known-products.ts';
import { isMediaColumn } from '../../../importers/check/media-check.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import { listSeparator } from '../../../manifest/columns.ts';
import type { ColumnMap } from '../../../manifest/headers/column-map.ts';
import { matchHeader, meaningsOf, titleOf } from '../../../manifest/headers/header.ts';
import type { SheetRow } from '../../../sheets/sheet.ts';
import type { Edits } from '../../campaigns/import/edits.ts';
import type { Draft } from '../draft.ts';
import { ScheduledPosts } from '../planned.ts';
import type { DraftDatabase } from '../store/database.ts';
import { FindingsWriter } from '../store/findings-writer.ts';
import type { RowsWriter } from '../store/rows.ts';
import { SheetEvidence } from '../suggestions/evidence.ts';
import { keyOf, positionFinder } from './draft-check.ts';
import { FilesOfOthers, mostNamed, RepeatedFiles, type ReplacedFiles } from './files-of-others.ts';

export interface CheckInputs {
  readonly draft: Draft;
  readonly edits: Edits;
  readonly creators: CreatorLookUp;
  readonly mediaRoot: string;
}

export interface WholeCheckOptions extends CheckInputs {
  /** `CheckOrigin.inputs`. */
  readonly inputs: string;
  /** Ends the check, which then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  readonly onProgress: (rows: number) => void;
}

interface PassOptions {
  readonly map: ColumnMap | undefined;
  readonly rows: RowsWriter;
  readonly replaced: ReplacedFiles;
}

export class CheckPass {
  readonly #options: WholeCheckOptions;
  readonly #database: DraftDatabase;
  readonly #given: PassOptions;
  #writer: FindingsWriter;
  #keyColumn = -1;
  evidence = new SheetEvidence({ product_id: -1, product_title: -1, scheduled_at: -1 });
  planned: ScheduledPosts | undefined;
  header: readonly string[] | undefined;
  readonly #files = new FilesOfOthers();
  readonly #repeated = new RepeatedFiles();
  /** Creators as the sheet has them, by row. */
  readonly #names = new Map<number, string>();
  #creatorColumn = -1;
  #mediaColumn = -1;
  /** Positions of the columns that name files. */
  #ofFiles: readonly number[] = [];
  rows = 0;

  constructor(database: DraftDatabase, options: WholeCheckOptions, given: PassOptions) {
    this.#database = database;
    this.#options = options;
    this.#given = given;
    this.#writer = new FindingsWriter(database, () => -1);
  }

  get sink(): CheckSink {
    return {
      onHeader: (header) => this.#begin(header),
      onRead: (rows) => this.#read(rows),
      onRefused: (row: RefusedRow) => {
        const { number, cells, problems } = row;
        this.#writer.refuse(number, problems);
        const [creator, media] = [this.#creatorColumn, this.#mediaColumn].map((at) => textOfCell(cells, at));
        this.#repeated.note(row, creator ?? '', media ?? '', true);
        // With a problem of the row as a whole, its texts may be in the wrong columns.
        const isIdDoubtful = problems.some(({ code }) => hasDoubtfulId.has(code));
        if (problems.every(({ column }) => column !== null)) this.evidence.note(cells, isIdDoubtful);
      },
      onWarning: ({ number, warning }: RowWarning) => this.#writer.warn(number, [warning]),
      onMark: (number, mark) => this.#writer.mark(number, mark),
      onAccepted: (rows: readonly CheckedRow[]) => {
        for (const checked of rows) {
          const { number, row, cells } = checked;
          this.evidence.note(cells);
          this.#repeated.note(checked, row.creator, row.media.join(listSeparator));
          this.#files.note(number, row, this.#names.get(number) ?? '');
        }
        this.planned?.add(rows);
      },
    };
  }

  async end(): Promise<void> {
    const { map } = this.#given;
    const header = matchHeader(this.header ?? [], { map });
    for (const [number, { column, ...found }] of [...this.#files.find(), ...this.#repeated.find()])
      this.#writer.warn(number, [{ ...found, column: titleOf(header, column ?? '') }]);
    for (const [number, found] of this.#given.replaced.find(header.names)) this.#writer.warn(number, [found]);
    await this.#writer.flush();
  }

  /** Only within `DraftDatabase.write`. */
  store(): void {
    this.#writer.end(this.rows);
  }

  #begin(header: readonly string[]): void {
    const { map } = this.#given;
    const matched = matchHeader(header, { map });
    const { indexes } = matched;
    this.#ofFiles = [...meaningsOf(matched)].flatMap(([position, name]) =>
      isMediaColumn(name) ? [position] : [],
    );
    this.header = header;
    this.evidence = new SheetEvidence(indexes);
    this.#writer = new FindingsWriter(this.#database, positionFinder(header));
    this.#keyColumn = indexes.key;
    this.#creatorColumn = indexes.creator;
    this.#mediaColumn = indexes.media;
    if (this.#options.draft.into === undefined) this.planned = new ScheduledPosts();
  }

  async #read(rows: readonly SheetRow[]): Promise<void> {
    const { edits, signal, onProgress } = this.#options;
    signal.throwIfAborted();
    await this.#writer.flush();
    await this.#given.rows.add(rows);
    for (const row of rows) {
      this.rows += 1;
      const edited = edits.apply(row, this.rows);
      this.#given.replaced.note(this.rows, edited.cells, this.#ofFiles);
      this.#writer.begin(this.rows, keyOf(this.#keyColumn, edited, this.rows));
      if (edits.skips(this.rows)) this.#writer.mark(this.rows, 'leftOut');
      if (this.rows <= mostNamed) this.#names.set(this.rows, row.cells[this.#creatorColumn] ?? '');
    }
    onProgress(this.rows);
  }
}
