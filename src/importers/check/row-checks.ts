/** Checks a batch of rows. Each check adds its problems to the rows. */
import { videoPermission } from '../../api/contract/creators.ts';
import {
  destroyedText,
  hasMarksInRow,
  isDestroyed,
  marksInRow,
} from '../../manifest/cells/destroyed-text.ts';
import { textOfCell } from '../../manifest/cells/formula.ts';
import { createKeyReader, type KeyReader } from '../../manifest/cells/key.ts';
import { maxIdLength } from '../../manifest/cells/scalars.ts';
import { checkTime, joinTime } from '../../manifest/cells/schedule.ts';
import { columns } from '../../manifest/columns.ts';
import { detached } from '../../manifest/detached.ts';
import { requireMappedHeaders, withRemembered } from '../../manifest/headers/column-map.ts';
import { type HeaderOptions, titleOf } from '../../manifest/headers/header.ts';
import { type CellProblem, placeProblem, showValue } from '../../manifest/problems/problem.ts';
import { createRowReader, type RowDraft, type RowReader } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { comparedPost } from '../repeats/post-identity.ts';
import { isPosted, isPostedAgain, isPostedAtAnotherTime } from '../repeats/repeat-problems.ts';
import type { CheckedRow, CheckOptions, RefusedRow } from './checked-row.ts';
import { RowCreators } from './creators/creator-check.ts';
import { type MediaFacts, RowMedia } from './media/media-check.ts';
import { checkRowNeeds, findFaults, hasZoneOnly, mayLackPermission, RowWarnings } from './row-warnings.ts';
import { LineIndex } from './seen-texts.ts';

/** An accepted row with the facts that the plan needs. */
export interface AcceptedRow extends CheckedRow {
  readonly row: Row;
  /** The same for every spelling of the creator's name. */
  readonly creator: string;
  readonly bytesOf: MediaFacts['bytesOf'];
  readonly warnings: readonly CellProblem[];
}

interface Candidate {
  readonly line: number;
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
  readonly #keys = new LineIndex();
  readonly #media: RowMedia;
  readonly #warnings: RowWarnings;
  readonly creators: RowCreators;
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
    this.#reader = createRowReader(header, {
      timezone: options.settings.timezone,
      allowUnknownColumns: options.allowUnknownColumns ?? false,
      allowResultsSheet: options.into !== undefined,
      map: withRemembered(map, rememberedMap),
      ...named,
    });
    this.#media = new RowMedia(options.media);
    this.#warnings = new RowWarnings(options.now);
    this.#keyReader = createKeyReader(this.#reader);
    options.into?.begin(this.#reader.header);
  }

  get header(): readonly string[] {
    return this.#reader.header.names;
  }

  async check(
    rows: readonly SheetRow[],
  ): Promise<{ readonly accepted: readonly AcceptedRow[]; readonly refused: readonly RefusedRow[] }> {
    const candidates: Candidate[] = [];
    for (const written of rows) {
      if (this.#leavesOut(written)) continue;
      const row = this.#options.mends?.apply(written, this.rowsSeen + 1) ?? written;
      const candidate = this.#read(row);
      this.#checkKey(candidate);
      if (this.#isLeft(candidate)) continue;
      this.#checkAlone(candidate);
      candidates.push(candidate);
    }
    await this.#checkCreators(candidates);
    const media = await this.#media.check(candidates, (candidate, kind, found) => {
      if (kind === 'problem') this.#report(candidate, found);
      else candidate.warnings = [...candidate.warnings, found];
    });
    await this.#comparePosts(candidates, media);
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
  #leavesOut({ line, cells }: SheetRow): boolean {
    const { mends, onLeftOut } = this.#options;
    if (!mends?.leavesOut(this.rowsSeen + 1)) return false;
    this.rowsSeen += 1;
    this.#options.into?.skip();
    const key = this.#keyReader.read(cells, this.rowsSeen);
    onLeftOut?.(key.length > maxIdLength ? `line ${line}` : detached(key));
    return true;
  }

  #read(sheetRow: SheetRow): Candidate {
    this.rowsSeen += 1;
    const number = this.rowsSeen;
    const { line, cells, faults } = sheetRow;
    if (faults && cells.length === 0) {
      return { line, number, cells, key: null, row: null, draft: null, problems: faults, warnings: none };
    }
    const reading = this.#reader.read(cells, number);
    if (faults || sheetRow.cellFaults) {
      const faulty = findFaults(sheetRow, this.#reader.header, reading);
      if (faulty !== null) return { line, number, cells, row: null, ...faulty, warnings: none };
    }
    if ('row' in reading) {
      const { row } = reading;
      return { line, number, cells, key: row.key, row, draft: row, problems: none, warnings: none };
    }
    const { draft, problems } = reading;
    return { line, number, cells, key: draft?.key ?? null, row: null, draft, problems, warnings: none };
  }

  #checkKey(candidate: Candidate): void {
    const { key, line } = candidate;
    // Without a key column, each row has its number as key, which is unique.
    if (key === null || this.#reader.header.indexes.key < 0) return;
    const earlier = this.#keys.seen(line, key);
    if (earlier === undefined) return;
    this.#report(candidate, {
      column: 'key',
      code: 'duplicate_key',
      value: showValue(key),
      problem: `the row on line ${earlier} has the same key`,
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
    if (draft.schedule === undefined && draft.generation?.execAt === undefined) {
      const zone = textOfCell(cells, indexes.scheduled_tz);
      if (zone !== '') candidate.warnings = [...candidate.warnings, hasZoneOnly(zone)];
    }
    if (cells.some(hasMarks)) this.#checkMarks(candidate);
  }

  /** Warns about several `?` in a row: they may be text that lost its encoding. */
  #checkMarks(candidate: Candidate): void {
    const { indexes } = this.#reader.header;
    for (const { name } of columns) {
      const text = candidate.cells[indexes[name]] ?? '';
      if (isDestroyed(text)) this.#report(candidate, destroyedText(name, text));
      else if (hasMarksInRow(text)) {
        candidate.warnings = [...candidate.warnings, marksInRow(name, text)];
      }
    }
  }

  async #checkCreators(candidates: readonly Candidate[]): Promise<void> {
    await this.creators.prepare(candidates.map(({ draft }) => draft));
    for (const candidate of candidates) {
      if (candidate.draft !== null) this.#report(candidate, this.creators.check(candidate.draft));
    }
  }

  /** Looks for rows of other campaigns with the same posts. Rows with problems are not compared. */
  async #comparePosts(candidates: readonly Candidate[], { contentOf }: MediaFacts): Promise<void> {
    const { posts, again, mends, settings, now } = this.#options;
    if (posts === null) return;
    const compared = candidates.flatMap((candidate) => {
      const { row, problems } = candidate;
      if (row === null || problems.length > 0) return [];
      const creator = this.creators.idOf(row.creator);
      const post = comparedPost(row, { account: posts.account, creator, contentOf });
      candidate.post = post.identity;
      return [{ candidate, post }];
    });
    const repeats = await posts.find(compared.map(({ post }) => post));
    const dates = { zone: settings.timezone, now: now ?? 0 };
    for (const [index, { candidate }] of compared.entries()) {
      const repeat = repeats[index];
      if (repeat === undefined) continue;
      const isWanted = (again ?? false) || (mends?.postsAgain(candidate.number) ?? false);
      if (repeat.isSameTime && !isWanted) this.#report(candidate, isPosted(repeat, dates));
      else {
        const warning = repeat.isSameTime
          ? isPostedAgain(repeat, dates)
          : isPostedAtAnotherTime(repeat, dates);
        candidate.warnings = [...candidate.warnings, warning];
      }
    }
  }

  #accept(candidate: Candidate, row: Row, { bytesOf }: MediaFacts): AcceptedRow {
    const { line, number, post } = candidate;
    const width = this.header.length;
    const cells = candidate.cells.length > width ? candidate.cells.slice(0, width) : candidate.cells;
    const account = this.creators.accept(row.creator);
    const creator = account?.creatorId ?? row.creator;
    const found = this.#warnings.check(row, line);
    const mayPost = row.mediaType !== 'VIDEO' || (account?.permissions?.includes(videoPermission) ?? true);
    const others = mayPost ? candidate.warnings : [...candidate.warnings, mayLackPermission(row)];
    const warnings = found.length === 0 ? others : [...found, ...others];
    return { line, number, key: row.key, cells, row, creator, bytesOf, warnings, post };
  }

  #refuse({ line, number, key, cells, problems }: Candidate): RefusedRow {
    return { line, number, cells, problems: problems.map((problem) => placeProblem(line, key, problem)) };
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

function hasMarks(cell: string): boolean {
  return cell.includes('??');
}

function isAboutKey({ code }: CellProblem): boolean {
  return code === 'duplicate_key';
}
