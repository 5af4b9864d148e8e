/** Checks a batch of rows. Each check adds its problems to the rows. */

import { turn } from '../../manifest/event-loop.ts';
import { requireMappedHeaders } from '../../manifest/headers/column-map.ts';
import { type Header, type HeaderOptions, isFilled } from '../../manifest/headers/header.ts';
import { type CellProblem, describePlace, showValue } from '../../manifest/problems/problem.ts';
import { createRowReader, type RowReader } from '../../manifest/reader.ts';
import type { Row } from '../../manifest/row.ts';
import { videoPermission } from '../../service/contract/creators.ts';
import type { SheetRow } from '../../sheets/sheet.ts';
import { type Candidate, Findings, readCandidate, refuse, withKnownNames } from './candidate.ts';
import { CellChecks } from './cell-checks.ts';
import type { CheckedRow, CheckOptions, RefusedRow, UsualFacts } from './checked-row.ts';
import { creatorsIn, RowCreators } from './creator-check.ts';
import { HiddenNotes } from './hidden-notes.ts';
import { type MediaFacts, RowMedia } from './media-check.ts';
import { RowSelection } from './no-posts.ts';
import { OwnStatus } from './own-status.ts';
import { PostComparison } from './post-comparison.ts';
import { mayLackPermission, RowWarnings } from './row-warnings.ts';
import { PlaceIndex } from './text-hashes.ts';
import { describeUnseen, unseenAs, warnOfUnseen } from './unseen-rows.ts';
import { LackingTimes, UsualWords } from './usual-words.ts';

/** An accepted row with the facts that the plan needs. */
export interface AcceptedRow extends CheckedRow {
  /** The same for every spelling of the creator's name. */
  readonly creator: string;
  readonly bytesOf: MediaFacts['bytesOf'];
  readonly warnings: readonly CellProblem[];
}

export class RowChecks {
  readonly #options: CheckOptions;
  readonly #reader: RowReader;
  readonly #keys = new PlaceIndex();
  readonly #posts: PostComparison;
  readonly #media: RowMedia;
  readonly #warnings: RowWarnings;
  readonly #ownStatus: OwnStatus;
  readonly selection: RowSelection;
  readonly #cells: CellChecks;
  readonly #times: LackingTimes;
  readonly #usual: UsualWords;
  readonly #findings: Findings;
  readonly creators: RowCreators;
  /** Notes that look like parts of a post. */
  readonly notes: HiddenNotes;

  /** @throws {HeaderError | ColumnMapError} */
  constructor(
    header: readonly string[],
    named: Pick<HeaderOptions, 'called' | 'doubtful'>,
    options: CheckOptions,
  ) {
    this.#options = options;
    this.creators = new RowCreators(options.creators);
    const { map } = options.sheet ?? {};
    if (options.givenMap !== undefined) requireMappedHeaders(options.givenMap, header);
    this.#reader = createRowReader(header, {
      timezone: options.settings.timezone,
      rejectUnknown: options.allowUnknownColumns !== true,
      rejectResults: options.update === undefined,
      map,
      ...named,
    });
    this.#media = new RowMedia(options.media);
    this.#warnings = new RowWarnings(options.now);
    this.#findings = new Findings(this.#reader.header);
    this.#cells = new CellChecks(options, this.#reader.header.indexes, this.#findings);
    this.#ownStatus = new OwnStatus(this.#reader.header);
    this.#times = new LackingTimes(this.meanings.indexes, options.found?.usual?.hasTimes);
    this.#usual = new UsualWords(this.#reader.header, options.found?.usual?.words);
    this.selection = new RowSelection(this.#reader, options, named.called === 'key');
    this.#posts = new PostComparison({
      ...options,
      hasKeys: this.meanings.indexes.key >= 0,
      idOf: (creator) => this.creators.idOf(creator),
    });
    this.notes = new HiddenNotes(this.#reader.header, map);
    options.update?.begin(this.#reader.header);
  }

  get header(): readonly string[] {
    return this.#reader.header.names;
  }

  get usual(): UsualFacts {
    return { hasTimes: this.#times.isUsual, words: this.#usual.words };
  }

  get meanings(): Header {
    return this.#reader.header;
  }

  async check(
    rows: readonly SheetRow[],
  ): Promise<{ readonly accepted: readonly AcceptedRow[]; readonly refused: readonly RefusedRow[] }> {
    const candidates = await this.#read(rows);
    this.#cells.checkIds(candidates);
    const { isAsked, isTyped = false } = this.#options;
    for (const candidate of candidates) {
      if (turn.isFull) await turn.pause();
      this.#checkTime(candidate);
      const found = isTyped ? undefined : this.#usual.find(candidate, this.#options.edits);
      if (found !== undefined) this.#findings.add(candidate, isAsked ? 'problem' : 'warning', found);
    }
    await this.#checkCreators(candidates);
    const media = await this.#media.check(candidates, this.#findings.add);
    await this.#posts.compare(candidates, media, this.#findings.add);
    const accepted: AcceptedRow[] = [];
    const refused: RefusedRow[] = [];
    for (const candidate of candidates) {
      candidate.problems = candidate.question ?? candidate.problems;
      const { row, problems } = candidate;
      if (row !== null && problems.length === 0) accepted.push(this.#accept(candidate, row, media));
      else if (this.#isLeftOutAgain(candidate)) this.selection.skipAgain(refuse(candidate));
      else refused.push(await this.#refuse(candidate));
    }
    return { accepted, refused };
  }

  /** Reads the rows, and checks each by itself. @returns those that are to be posted. */
  async #read(rows: readonly SheetRow[]): Promise<readonly Candidate[]> {
    const candidates: Candidate[] = [];
    for (const written of rows) {
      if (turn.isFull) await turn.pause();
      const row = this.selection.take(written);
      if (row === undefined) continue;
      this.#times.count(row.cells);
      this.#usual.count(row.cells);
      const candidate = readCandidate(this.#reader, row, this.selection.rowsSeen);
      if (row.isHidden || row.struck) this.#checkUnseen(candidate, row);
      const { problems: ofRow } = candidate;
      this.#checkKey(candidate);
      if (this.#isUnchanged(candidate) || this.#isSkippedByStatus(candidate)) continue;
      if (this.#asksIfPosted(row))
        candidate.question = candidate.problems.filter((each) => !ofRow.includes(each));
      this.#cells.checkAlone(candidate);
      candidates.push(candidate);
    }
    return candidates;
  }

  /** Not if one of its problems is gone, such as a file that was missing: a person then decides about the others. */
  #isLeftOutAgain({ number, problems }: Candidate): boolean {
    const { isAsked, edits } = this.#options;
    const codes = isAsked ? edits?.leftOutWith?.(number) : undefined;
    const has = (code: string) => problems.some((problem) => problem.code === code);
    return (codes?.every(has) ?? false) && !has('key_changed');
  }

  async #refuse(candidate: Candidate): Promise<RefusedRow> {
    const { names } = this.#options;
    const { problems, cells } = candidate;
    if (names) candidate.problems = await withKnownNames(problems, cells, this.#reader.header, names);
    return refuse(candidate);
  }

  /** Finds a missing time. A person who empties the cell wants the row posted at once. */
  #checkTime(candidate: Candidate): void {
    const { isAsked, isTyped = false, edits } = this.#options;
    const found = this.#times.find(candidate.cells);
    const position = this.meanings.indexes.scheduled_at;
    if (found === undefined || isTyped || edits?.isTyped(candidate.number, position)) return;
    this.#findings.add(candidate, isAsked ? 'problem' : 'warning', found);
  }

  /** Hidden and struck rows have a problem, unless a person wants them posted. */
  #checkUnseen(candidate: Candidate, row: SheetRow): void {
    const unseen = unseenAs(row);
    if (unseen !== undefined && this.#options.sheet?.hidden !== 'post') {
      this.#findings.report(candidate, describeUnseen(unseen));
      return;
    }
    for (const found of warnOfUnseen(row, this.#reader.header)) this.#findings.warn(candidate, found);
  }

  #checkKey(candidate: Candidate): void {
    const { key } = candidate;
    // Without a key column, each row has its number as key, which is unique.
    const { indexes } = this.#reader.header;
    if (key === null || indexes.key < 0) return;
    // A note that is checked takes no number that another row has as its key.
    if (candidate.row === null && !isFilled(candidate.cells, indexes.key)) return;
    const earlier = this.#keys.addOrFind(candidate, key);
    if (earlier === undefined) return;
    const isTaken = this.#options.update?.isChanged(key) ?? false;
    this.#findings.report(candidate, {
      column: 'key',
      code: isTaken ? 'key_changed' : 'duplicate_key',
      value: showValue(key),
      problem: `the row on ${describePlace(earlier)} has the same key${isTaken ? ', and already updates this row of the campaign' : ''}`,
      fix: 'Give each row its own key. A row without a key gets its row number as key.',
    });
  }

  /** Whether an update leaves this row alone. Problems with its key are reported anyway. */
  #isUnchanged(candidate: Candidate): boolean {
    const { update, sheet } = this.#options;
    const { line, worksheet, cells, number } = candidate;
    if (update === undefined || cells.length === 0 || candidate.problems.some(isAboutKey)) return false;
    const isMeant = sheet?.ownStatus !== 'post';
    const match = update.match({
      line,
      worksheet,
      key: this.#reader.key(candidate),
      hasOwnKey: isFilled(cells, this.meanings.indexes.key),
      cells,
      content: candidate.row,
      isHeld: isMeant && this.#ownStatus.holds(cells),
      saysPosted: isMeant && this.#ownStatus.saysPosted(cells),
    });
    if (typeof match === 'object') this.#findings.report(candidate, match);
    if (match === 'leave') this.#options.onMark?.(number, 'unchanged');
    return match === 'leave';
  }

  /** Whether the planner's own status says that the row is not to be posted, and a person wants such rows skipped. */
  #isSkippedByStatus(candidate: Candidate): boolean {
    const { isAsked, sheet: { ownStatus } = {} } = this.#options;
    const found = this.#ownStatus.find(candidate.cells, ownStatus, isAsked);
    if (found === undefined) return false;
    const isPosted = ownStatus === 'post' && !(isAsked && found.code === 'remark_holds');
    if (ownStatus === 'skip') this.selection.skip('ownStatus');
    else if (isPosted) this.#findings.warn(candidate, found);
    else this.#findings.report(candidate, found);
    return ownStatus === 'skip';
  }

  /** Whether a page first asks about a row that is posted, as its own status says. Its time is then past, and its creator may be gone. */
  #asksIfPosted({ cells }: SheetRow): boolean {
    const { isAsked, sheet: { ownStatus } = {} } = this.#options;
    return isAsked === true && ownStatus === undefined && this.#ownStatus.saysPosted(cells);
  }

  async #checkCreators(candidates: readonly Candidate[]): Promise<void> {
    await this.creators.prepare(candidates.map(({ draft }) => draft));
    for (const candidate of candidates) {
      const found = candidate.draft && this.creators.check(candidate.draft);
      // Only of an unknown creator: reading the names of each row would take time.
      const isSeveral = () => creatorsIn(candidate.draft?.creator ?? '').length > 1;
      const isOfForm = ({ code }: CellProblem) =>
        ofNames.has(code) || (code === 'invisible_characters' && isSeveral());
      if (found?.code === 'creator_unknown') this.#findings.withdraw(candidate, 'creator', isOfForm);
      this.#findings.report(candidate, found);
    }
  }

  #accept(candidate: Candidate, row: Row, { bytesOf }: MediaFacts): AcceptedRow {
    const { line, worksheet, number, post } = candidate;
    const width = this.header.length;
    const cells = candidate.cells.length > width ? candidate.cells.slice(0, width) : candidate.cells;
    const account = this.creators.accept(row.creator);
    const creator = account?.creatorId ?? row.creator;
    const found = this.#warnings.check(row, candidate).map((warning) => this.titled(warning, cells));
    const mayPost = row.mediaType !== 'VIDEO' || (account?.permissions?.includes(videoPermission) ?? true);
    if (!mayPost) this.#findings.warn(candidate, mayLackPermission(row));
    const warnings = found.length === 0 ? candidate.warnings : [...found, ...candidate.warnings];
    const again = this.#posts.isWanted(candidate) || undefined;
    const { key } = row;
    return { line, worksheet, number, key, cells, row, creator, bytesOf, warnings, post, again };
  }

  /** Names the column as the sheet does. */
  titled(problem: CellProblem, cells?: readonly string[]): CellProblem {
    return this.#findings.titled(problem, cells);
  }
}

/** What unknown display names have is no second problem; nor is the line break between two of them. */
const ofNames: ReadonlySet<string> = new Set(['space_in_id', 'character_in_id']);

function isAboutKey({ code }: CellProblem): boolean {
  return code === 'duplicate_key' || code === 'key_changed';
}
