/** Checks a batch of rows. Each check adds its problems to the rows. */

import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader, type KeyReader } from '../../manifest/cells/key.ts';
import { maxIdLength } from '../../manifest/cells/scalars.ts';
import { checkTime, joinTime } from '../../manifest/cells/schedule.ts';
import { detached } from '../../manifest/detached.ts';
import { requireMappedHeaders, withRemembered } from '../../manifest/headers/column-map.ts';
import { type Header, type HeaderOptions, titleOf } from '../../manifest/headers/header.ts';
import {
  type CellProblem,
  describePlace,
  placeProblem,
  type RowPlace,
  showValue,
} from '../../manifest/problems/problem.ts';
import { createRowReader, type RowDraft, type RowReader } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { turn } from '../../manifest/turn.ts';
import { videoPermission } from '../../service/contract/creators.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { hasMarks, markDoubts, zoneDoubts } from './cell-doubts.ts';
import type { CheckedRow, CheckOptions, RefusedRow } from './checked-row.ts';
import { RowCreators } from './creators/creator-check.ts';
import { HiddenNotes } from './hidden-notes.ts';
import { LostDigits } from './lost-digits.ts';
import { type MediaFacts, RowMedia } from './media/media-check.ts';
import { OwnStatus } from './own-status.ts';
import { PostComparison } from './post-comparison.ts';
import { ProductWords } from './product-words.ts';
import { checkRowNeeds, findFaults, mayLackPermission, RowWarnings } from './row-warnings.ts';
import { PlaceIndex } from './seen-texts.ts';
import { describeUnseen, unseenAs, warnOfUnseen } from './unseen-rows.ts';

/** An accepted row with the facts that the plan needs. */
export interface AcceptedRow extends CheckedRow {
  readonly row: Row;
  /** The same for every spelling of the creator's name. */
  readonly creator: string;
  readonly bytesOf: MediaFacts['bytesOf'];
  readonly warnings: readonly CellProblem[];
}

interface Candidate extends RowPlace {
  readonly number: number;
  readonly cells: readonly string[];
  readonly key: string | null;
  readonly row: Row | null;
  /** The row, or its readable parts. */
  readonly draft: RowDraft | null;
  /** Both lists are replaced, not appended to: rows without problems and warnings share one empty list. */
  problems: readonly CellProblem[];
  warnings: readonly CellProblem[];
  /** Identity of its post. */
  post?: Buffer | undefined;
}

const none: readonly CellProblem[] = [];

export class RowChecks {
  readonly #options: CheckOptions;
  readonly #reader: RowReader;
  readonly #keyReader: KeyReader;
  readonly #keys = new PlaceIndex();
  readonly #posts: PostComparison;
  readonly #media: RowMedia;
  readonly #warnings: RowWarnings;
  readonly #ownStatus: OwnStatus;
  readonly #lostDigits: LostDigits;
  readonly #productWords = new ProductWords();
  readonly creators: RowCreators;
  /** Notes that look like parts of a post. */
  readonly notes: HiddenNotes;
  /** Rows that are skipped as asked. They are no rows of the campaign, and nothing is missing without them. */
  readonly skipped = { hidden: 0, ownStatus: 0 };
  /** Number of the last row. Set it to check rows that do not follow each other. */
  rowsSeen = 0;

  /** @throws {HeaderError | ColumnMapError} */
  constructor(
    header: readonly string[],
    named: Pick<HeaderOptions, 'called' | 'doubtful'>,
    options: CheckOptions,
  ) {
    this.#options = options;
    this.creators = new RowCreators(options.creators);
    this.rowsSeen = (options.first ?? 1) - 1;
    const { map, rememberedMap } = options.sheet ?? {};
    if (map !== undefined) requireMappedHeaders(map, header);
    const columnMap = withRemembered(map, rememberedMap);
    this.#reader = createRowReader(header, {
      timezone: options.settings.timezone,
      allowUnknownColumns: options.allowUnknownColumns ?? false,
      allowResultsSheet: options.into !== undefined,
      map: columnMap,
      ...named,
    });
    this.#media = new RowMedia(options.media);
    this.#warnings = new RowWarnings(options.now);
    this.#lostDigits = new LostDigits(this.#reader.header.indexes);
    this.#keyReader = createKeyReader(this.#reader);
    this.#ownStatus = new OwnStatus(this.#reader.header);
    this.#posts = new PostComparison({
      ...options,
      hasKeys: this.#keyReader.column >= 0,
      idOf: (creator) => this.creators.idOf(creator),
    });
    this.notes = new HiddenNotes(this.#reader.header, columnMap);
    options.into?.begin(this.#reader.header);
  }

  get header(): readonly string[] {
    return this.#reader.header.names;
  }

  get meanings(): Header {
    return this.#reader.header;
  }

  /** Number of rows so far, without those that are skipped as asked. */
  get rows(): number {
    return this.rowsSeen - this.skipped.hidden - this.skipped.ownStatus;
  }

  async check(
    rows: readonly SheetRow[],
  ): Promise<{ readonly accepted: readonly AcceptedRow[]; readonly refused: readonly RefusedRow[] }> {
    const candidates: Candidate[] = [];
    for (const written of rows) {
      await turn.pause();
      if (this.#leavesOut(written)) continue;
      const row = this.#options.edits?.apply(written, this.rowsSeen + 1) ?? written;
      const candidate = this.#read(row);
      if (row.isHidden || row.struck) this.#checkUnseen(candidate, row);
      this.#checkKey(candidate);
      if (this.#isLeft(candidate) || this.#isSkipped(candidate)) continue;
      this.#checkAlone(candidate);
      candidates.push(candidate);
    }
    this.#checkDigits(candidates);
    this.#checkProducts(candidates);
    await this.#checkCreators(candidates);
    const media = await this.#media.check(candidates, (candidate, kind, found) => {
      if (kind === 'problem') this.#report(candidate, found);
      else candidate.warnings = [...candidate.warnings, found];
    });
    await this.#posts.compare(candidates, media, (candidate, kind, found) => {
      if (kind === 'problem') this.#report(candidate, found);
      else {
        const warning = kind === 'key' ? this.titled(found, candidate.cells) : found;
        candidate.warnings = [...candidate.warnings, warning];
      }
    });
    const accepted: AcceptedRow[] = [];
    const refused: RefusedRow[] = [];
    for (const candidate of candidates) {
      if (candidate.row !== null && candidate.problems.length === 0) {
        accepted.push(this.#accept(candidate, candidate.row, media));
      } else refused.push(this.#refuse(candidate));
    }
    return { accepted, refused };
  }

  /** Whether a row is left out. Its number is still counted, because rows without a key are identified by their numbers. */
  #leavesOut(row: SheetRow): boolean {
    const { edits, onLeftOut, sheet, into } = this.#options;
    const isUnseen = sheet?.hidden === 'skip' && unseenAs(row) !== undefined;
    if (!isUnseen && !edits?.leavesOut(this.rowsSeen + 1)) return false;
    this.rowsSeen += 1;
    into?.skip();
    if (isUnseen) this.skipped.hidden += 1;
    else onLeftOut?.(this.#nameOf({ ...row, number: this.rowsSeen }));
    return true;
  }

  #read(sheetRow: SheetRow): Candidate {
    this.rowsSeen += 1;
    const number = this.rowsSeen;
    const { line, worksheet, cells, faults } = sheetRow;
    const place = { line, worksheet, number, cells };
    if (faults && cells.length === 0) {
      return { ...place, key: null, row: null, draft: null, problems: faults, warnings: none };
    }
    const reading = this.#reader.read(cells, number);
    if (faults || sheetRow.cellFaults) {
      const faulty = findFaults(sheetRow, this.#reader.header, reading);
      if (faulty !== null) return { ...place, row: null, ...faulty, warnings: none };
    }
    if ('row' in reading) {
      const { row } = reading;
      return { ...place, key: row.key, row, draft: row, problems: none, warnings: none };
    }
    const { draft, problems } = reading;
    return { ...place, key: draft?.key ?? null, row: null, draft, problems, warnings: none };
  }

  /** Rows that nobody sees in the workbook have a problem, unless a person wants them posted. */
  #checkUnseen(candidate: Candidate, row: SheetRow): void {
    const unseen = unseenAs(row);
    if (unseen !== undefined && this.#options.sheet?.hidden !== 'post') {
      this.#report(candidate, describeUnseen(unseen));
      return;
    }
    const found = warnOfUnseen(row, this.#reader.header).map((warning) => this.titled(warning, row.cells));
    candidate.warnings = [...candidate.warnings, ...found];
  }

  #checkKey(candidate: Candidate): void {
    const { key } = candidate;
    // Without a key column, each row has its number as key, which is unique.
    if (key === null || this.#reader.header.indexes.key < 0) return;
    const earlier = this.#keys.seen(candidate, key);
    if (earlier === undefined) return;
    this.#report(candidate, {
      column: 'key',
      code: 'duplicate_key',
      value: showValue(key),
      problem: `the row on ${describePlace(earlier)} has the same key`,
      cure: 'Give each row a key of its own. A row without a key gets its row number as key.',
    });
  }

  /** Whether an import into a campaign leaves this row alone. Problems with its key are reported anyway. */
  #isLeft(candidate: Candidate): boolean {
    const { into } = this.#options;
    const { cells, number } = candidate;
    if (into === undefined || cells.length === 0 || candidate.problems.some(isAboutKey)) return false;
    const match = into.match({
      number,
      key: this.#keyReader.read(cells, number),
      hasOwnKey: (cells[this.#keyReader.column] ?? '').trim() !== '',
      cells,
      content: candidate.row,
    });
    if (typeof match === 'object') this.#report(candidate, match);
    if (match === 'leave') this.#options.onUnchanged?.(number);
    return match === 'leave';
  }

  /** Whether the planner's own status says that the row is not to be posted, and a person wants such rows skipped. */
  #isSkipped(candidate: Candidate): boolean {
    const { ownStatus } = this.#options.sheet ?? {};
    const found = this.#ownStatus.find(candidate.cells, ownStatus);
    if (found === undefined) return false;
    if (ownStatus === 'skip') this.skipped.ownStatus += 1;
    else if (ownStatus === 'post') candidate.warnings = [...candidate.warnings, found];
    else this.#report(candidate, found);
    return ownStatus === 'skip';
  }

  /** The row's key, or its line if the key is too long. */
  #nameOf(row: RowPlace & Pick<Candidate, 'cells' | 'number'>): string {
    const key = this.#keyReader.read(row.cells, row.number);
    return key.length > maxIdLength ? describePlace(row) : detached(key);
  }

  /** Checks that need neither other rows nor the network. */
  #checkAlone(candidate: Candidate): void {
    const { draft, cells } = candidate;
    if (draft === null) return;
    const { now, settings } = this.#options;
    const { indexes } = this.#reader.header;
    const typed = joinTime(
      textOfCell(cells, indexes.scheduled_at),
      textOfCell(cells, indexes.scheduled_time),
    );
    if (now !== null) this.#report(candidate, checkTime(draft, now, typed));
    this.#report(candidate, checkRowNeeds(draft, settings.api));
    for (const found of zoneDoubts(draft, { cells, indexes, typed, timezone: settings.timezone })) {
      candidate.warnings = [...candidate.warnings, this.titled(found, cells)];
    }
    if (!cells.some(hasMarks)) return;
    for (const { kind, found } of markDoubts(cells, indexes)) {
      if (kind === 'problem') this.#report(candidate, found);
      else candidate.warnings = [...candidate.warnings, found];
    }
  }

  #checkDigits(candidates: readonly Candidate[]): void {
    if (this.#options.sheet?.trustIds) return;
    // Of the others, the sheet itself says what is wrong with its cells.
    const reliable = candidates.filter(({ draft }) => draft !== null);
    const rows = reliable.map((candidate) => ({
      candidate,
      cells: candidate.cells,
      isTyped: (position: number) => this.#isTyped(candidate, position),
    }));
    this.#lostDigits.note(rows);
    for (const row of rows) {
      const { candidate } = row;
      for (const { kind, found } of this.#lostDigits.find(row)) {
        if (kind === 'problem') this.#report(candidate, found);
        else candidate.warnings = [...candidate.warnings, found];
      }
    }
  }

  #checkProducts(candidates: readonly Candidate[]): void {
    this.#productWords.note(candidates.map(({ draft }) => draft?.product.id ?? ''));
    for (const candidate of candidates) {
      const found = this.#productWords.find(candidate.draft?.product.id ?? '');
      if (found !== null && !this.#isTyped(candidate, this.#reader.header.indexes.product_id))
        candidate.warnings = [...candidate.warnings, found];
    }
  }

  /** Whether a person typed the cell into a page: no spreadsheet program has changed it. */
  #isTyped({ number }: Candidate, position: number): boolean {
    const { edits, isTyped = false } = this.#options;
    return isTyped || (edits?.isTyped(number, position) ?? false);
  }

  async #checkCreators(candidates: readonly Candidate[]): Promise<void> {
    await this.creators.prepare(candidates.map(({ draft }) => draft));
    for (const candidate of candidates) {
      if (candidate.draft !== null) this.#report(candidate, this.creators.check(candidate.draft));
    }
  }

  #accept(candidate: Candidate, row: Row, { bytesOf }: MediaFacts): AcceptedRow {
    const { line, worksheet, number, post } = candidate;
    const width = this.header.length;
    const cells = candidate.cells.length > width ? candidate.cells.slice(0, width) : candidate.cells;
    const account = this.creators.accept(row.creator);
    const creator = account?.creatorId ?? row.creator;
    const found = this.#warnings.check(row, candidate);
    const mayPost = row.mediaType !== 'VIDEO' || (account?.permissions?.includes(videoPermission) ?? true);
    const others = mayPost ? candidate.warnings : [...candidate.warnings, mayLackPermission(row)];
    const warnings = found.length === 0 ? others : [...found, ...others];
    const again = this.#posts.isWanted(candidate) || undefined;
    const place = { line, worksheet, number, key: row.key };
    return { ...place, cells, row, creator, bytesOf, warnings, post, again };
  }

  #refuse({ key, problems, line, worksheet, number, cells }: Candidate): RefusedRow {
    const place = { line, worksheet };
    return { ...place, number, cells, problems: problems.map((each) => placeProblem(place, key, each)) };
  }

  #report(candidate: Candidate, problem: CellProblem | null): void {
    if (problem === null) return;
    candidate.problems = [...candidate.problems, this.titled(problem, candidate.cells)];
  }

  /** Names the column as the sheet does. */
  titled(problem: CellProblem, cells?: readonly string[]): CellProblem {
    return problem.column === null
      ? problem
      : { ...problem, column: titleOf(this.#reader.header, problem.column, cells, problem.value) };
  }
}

function isAboutKey({ code }: CellProblem): boolean {
  return code === 'duplicate_key';
}
