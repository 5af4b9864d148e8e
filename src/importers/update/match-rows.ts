/**
 * Matches the rows of a sheet with those of the campaign that it is imported into, and counts what becomes of them. Rows are matched by key;
 * where the sheet has none, it was matched by content before, and has the keys of the campaign.
 */
import { isGenerating, outputsMissing, type RowProgress } from '../../ledger/rows/row-progress.ts';
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { foldHeader } from '../../manifest/columns.ts';
import { type Header, isProblemsFile } from '../../manifest/headers/header.ts';
import type { CellProblem, RowPlace } from '../../manifest/problems/problem.ts';
import { HeaderError, type ImportedSheet } from '../../manifest/reader.ts';
import { type ResultColumn, skippedStatus } from '../../manifest/result-columns.ts';
import type { Row } from '../../manifest/row.ts';
import { mostColumns } from '../../manifest/sheet-bounds.ts';
import type { MatchedRow, NamedCells, RowMatcher } from '../check/checked-row.ts';
import type { RowOfOwn } from '../repeats/repeats.ts';
import { SheetPlaces } from '../sheet-places.ts';
import type { CampaignIndex } from './campaign-index.ts';
import { CellAlignment } from './cell-alignment.ts';
import { keysKept, type MatchedRows, MatchGroup, NamedRows, PlanDigest } from './match-group.ts';
import {
  belongsElsewhere,
  hasManyColumns,
  hasOthersResults,
  isOfOtherLedger,
  keepsItsPost,
  lacksKey,
  lacksKeys,
  lostItsKey,
  needsDecision,
} from './matching-faults.ts';
import {
  isNewlyHeld,
  isSameContent,
  type Match,
  matches,
  matchRow,
  mayChange,
  notHeld,
  taken,
} from './row-match.ts';

/** A row of the sheet with its cells in the columns of the campaign. */
export interface AlignedRow extends RowPlace {
  readonly cells: readonly string[];
  /** Why it is ignored, if that has to be said. */
  readonly note?: string | undefined;
}

/** What a sheet means to each row of the campaign that it is imported into. */
export type SheetMatches = Readonly<Record<Match | 'edited', MatchedRows>>;

/** Rows whose ignored edits are kept to be told on their pages. */
const mostIgnored = 200;

type ReadProgress = (rows: readonly number[]) => Promise<readonly RowProgress[]>;

interface MatchedCampaign extends ImportedSheet {
  readonly id: string;
  /** Id of its ledger. */
  readonly ledger: string;
}

export class SheetMatcher implements RowMatcher {
  readonly #campaign: MatchedCampaign;
  readonly #index: CampaignIndex;
  readonly #readProgress: ReadProgress;
  readonly #groups = Object.fromEntries(matches.map((match) => [match, new MatchGroup()])) as Record<
    Match,
    MatchGroup
  >;
  /** Edited rows that are left alone. */
  readonly #edited = new MatchGroup();
  /** The first rows that change, and the first edited ones that are left alone, by key. */
  readonly rowsOf = { changed: new Map<string, AlignedRow>(), ignored: new Map<string, AlignedRow>() };
  /** Of the sheet's rows that are in the campaign. */
  readonly places = new SheetPlaces();
  readonly digest = new PlanDigest();
  #hasKeys = false;
  #isPart = false;
  #results: ReadonlyMap<string, number> = new Map();
  readonly #named: NamedRows;
  #alignment: CellAlignment | undefined;

  constructor(campaign: MatchedCampaign, index: CampaignIndex, readProgress: ReadProgress) {
    this.#campaign = campaign;
    this.#index = index;
    this.#readProgress = readProgress;
    this.#named = new NamedRows(index.rows);
  }

  get matches(): SheetMatches {
    return { ...this.#groups, edited: this.#edited };
  }

  skip(key: string): void {
    const at = this.#index.find(key);
    if (at !== undefined) this.#named.skip(at);
  }

  refuse(key: string): void {
    const at = this.#index.find(key);
    if (at !== undefined) this.#named.refuse(at, key);
  }

  /** Rows of the campaign, without cancelled ones, that a whole plan no longer has, skips or holds. A results sheet or a problems file may have some rows only. */
  get absent(): readonly number[] {
    if (this.#alignment === undefined || this.#isPart) return [];
    return this.#named.absent.filter((row) => this.#index.stateOf(row) !== 'cancelled');
  }

  /** Whether the sheet names a row of the campaign. */
  has(row: number): boolean {
    return this.#named.has(row);
  }

  /** Whether it is a plan with most rows of the campaign, and no supplement. Known once all rows were read. */
  get isWholePlan(): boolean {
    const named = Object.values(this.#groups).reduce((sum, { count }) => sum + count, 0);
    return !this.#isPart && this.#named.lacking < named;
  }

  /** Maps the sheet's cells to the campaign's columns; known after `begin`. */
  get alignment(): CellAlignment {
    if (this.#alignment === undefined) throw new TypeError('rows come after the header');
    return this.#alignment;
  }

  begin(header: Header): void {
    const { indexes, names, results } = header;
    this.#hasKeys = indexes.key >= 0;
    this.#isPart = results.length > 0 || isProblemsFile(names);
    this.#results = new Map(results.map((position) => [foldHeader(names[position] ?? ''), position]));
    this.#alignment = new CellAlignment(this.#campaign, header);
    if (this.#alignment.header.length > mostColumns) {
      throw new HeaderError([hasManyColumns(this.#campaign.id)]);
    }
  }

  match(row: MatchedRow): 'take' | 'leave' | CellProblem {
    const at = this.#index.find(row.key);
    const fault = this.#findFault(row, at);
    if (fault !== null) {
      this.refuse(row.key);
      return fault;
    }
    const match = at === undefined ? 'new' : matchRow(this.#index, at, row);
    if (at !== undefined) {
      this.places.add(row, at);
      this.#named.name(at, match === 'changed');
    }
    // Taken rows are counted later, once they are accepted.
    if (taken.has(match)) return 'take';
    this.#groups[match].add(row.key, row);
    const note = at !== undefined && isNewlyHeld(this.#index, at, row) ? notHeld[match] : undefined;
    if (at !== undefined && note !== undefined && match === 'unchanged') this.#named.hold(at);
    const isEdited = match !== 'unchanged' && at !== undefined && !isSameContent(this.#index, at, row);
    if (isEdited || note !== undefined) {
      this.#edited.add(row.key, row);
      this.#keep('ignored', row, note);
    }
    return 'leave';
  }

  #keep(of: 'changed' | 'ignored', { key, line, worksheet, cells }: NamedCells, note?: string): void {
    if (this.rowsOf[of].size < (of === 'ignored' ? mostIgnored : keysKept))
      this.rowsOf[of].set(key, { line, worksheet, cells: this.alignment.align(cells), note });
  }

  async accept(rows: readonly (NamedCells & { readonly row: Row })[]): Promise<readonly number[]> {
    const known = rows.map(({ row, ...named }) => {
      const { key } = named;
      const at = this.#index.find(key);
      const isSame = at !== undefined && this.#index.isSame(at, row);
      const match = at === undefined ? 'new' : isSame ? 'redone' : 'changed';
      this.#groups[match].add(key, named);
      this.digest.add(key, match, at === undefined ? '' : this.#index.contentOf(at));
      if (match === 'changed') this.#keep(match, named);
      return at !== undefined && this.#index.hasOutputsOf(at, row) ? at : undefined;
    });
    return this.#outputsLeft(rows, known);
  }

  isNew(key: string): boolean {
    return this.#index.find(key) === undefined;
  }

  isNamed(key: string): boolean {
    const at = this.#index.find(key);
    return at !== undefined && this.#named.has(at);
  }

  isChanged(key: string): boolean {
    const at = this.#index.find(key);
    return at !== undefined && this.#named.isChanged(at);
  }

  similar(key: string): string | undefined {
    const other = this.isNew(key) ? this.#index.similar(key) : undefined;
    const at = other === undefined ? undefined : this.#index.find(other);
    return at === undefined || this.#named.has(at) ? undefined : other;
  }

  find(key: string): number | undefined {
    return this.#index.find(key);
  }

  isRepeat(key: string, { row, state, isSameTime, wasSame }: RowOfOwn): boolean {
    const at = this.#index.find(key);
    // The whole sheet is refused.
    if (!this.#hasKeys) return false;
    if (at === row) return false;
    if (this.#named.frees(row, key)) return false;
    if (at === undefined) return true;
    // A changed row: its key may stand beside the content of another. A row that is only retried was compared before.
    return this.#named.isChanged(at) && !mayChange.has(state) && (isSameTime || !wasSame);
  }

  /** @param known positions of rows with an unchanged generation. */
  async #outputsLeft(
    rows: readonly { readonly row: Row }[],
    known: readonly (number | undefined)[],
  ): Promise<readonly number[]> {
    const asked = known.filter((at) => at !== undefined);
    const records = asked.length === 0 ? [] : await this.#readProgress(asked);
    const progressOf = new Map(asked.map((at, index) => [at, records[index]]));
    return rows.map(({ row }, index) => {
      const count = row.generation?.count ?? 0;
      const progress = progressOf.get(known[index] ?? -1);
      if (progress === undefined) return count;
      // As its flow does: a new generation is made only if the last one ended without all its outputs.
      return isGenerating(progress) ? 0 : outputsMissing(progress, { count });
    });
  }

  end(): CellProblem | null {
    if (!this.#hasKeys) return lacksKeys(this.#campaign.id);
    const { keeper } = this.#named;
    return keeper === undefined ? null : keepsItsPost(keeper.key, keeper.taker, this.#campaign.id);
  }

  #findFault(row: MatchedRow, at: number | undefined): CellProblem | null {
    const { id, ledger } = this.#campaign;
    const otherLedger = this.#cell(row, 'ledger');
    if (otherLedger !== '' && otherLedger !== ledger) return isOfOtherLedger(otherLedger, ledger);
    const owner = this.#cell(row, 'campaign');
    if (owner !== '' && owner !== id) return belongsElsewhere(owner, id);
    if (this.#hasKeys && !row.hasOwnKey) return lacksKey();
    const post = this.#cell(row, 'post_id');
    if (at === undefined) {
      const hasResults = post !== '' || !['', skippedStatus].includes(this.#cell(row, 'status'));
      return hasResults ? lostItsKey(row.key, this.similar(row.key), id) : null;
    }
    if (post === '' || this.#index.hasPost(at, post)) return null;
    const isUndecided = this.#index.stateOf(at) === 'review';
    return isUndecided ? needsDecision(row.key, post, id) : hasOthersResults(row.key, post, id);
  }

  #cell({ cells }: MatchedRow, column: ResultColumn): string {
    return textOfCell(cells, this.#results.get(foldHeader(column)) ?? -1);
  }
}
