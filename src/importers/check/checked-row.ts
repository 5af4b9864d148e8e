/** The types of a check: its rules, its sink, and accepted, refused and skipped rows. */
import type { Settings } from '../../../config/schema.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import type { ColumnIndexes, Header } from '../../manifest/headers/header.ts';
import { detached } from '../../manifest/printable.ts';
import {
  type CellProblem,
  describePlace,
  type Problem,
  type RowPlace,
} from '../../manifest/problems/problem.ts';
import type { Row } from '../../manifest/row.ts';
import { maxIdLength } from '../../manifest/sheet-bounds.ts';
import type { SheetFormat, SheetOptions, SheetRow } from '../../sheets/sheet.ts';
import type { ComparedPost } from '../repeats/post-identity.ts';
import type { Repeat, RowOfOwn } from '../repeats/repeats.ts';
import type { CreatorLookUp } from './creator-check.ts';
import type { MediaCheck } from './media-check.ts';

export interface CheckRules {
  readonly settings: Settings;
  /** Earliest allowed time, in milliseconds since the epoch. */
  readonly now: number;
  /** `null`: creators are not looked up. */
  readonly creators: CreatorLookUp | null;
  /** `null`: media is not checked. */
  readonly media: MediaCheck | null;
  /** `null`: posts are not compared with other campaigns. */
  readonly posts: PostLookUp | null;
  /** Post rows again that repeat posts of other campaigns. */
  readonly again?: boolean | undefined;
  readonly sheet?: SheetOptions;
  /** The part of `sheet.map` that was given for this sheet, which must have these headers. The rest is remembered of earlier ones. */
  readonly givenMap?: ColumnMap | undefined;
  readonly allowUnknownColumns?: boolean;
  /** Whether all cells are as a person typed them into a page, so that no spreadsheet program has changed an id. */
  readonly isTyped?: boolean;
  /** What a check of all rows found, for one of some rows. Default: judged by the rows so far. */
  readonly found?: SheetFindings;
  readonly edits?: RowEdits | undefined;
  /** Suggests names in problems, for checks without a page where a person picks them. */
  readonly names?: NameLookUp | undefined;
  /** Whether a person can answer on a page: a row that lacks the time that nearly all others have is then a question, else a warning. */
  readonly isAsked?: boolean | undefined;
  /** Ids that are known outside the sheet. */
  readonly products?: ProductLookUp | undefined;
  /** Matches the rows with those of the campaign that the sheet updates. The sheet may then be a results sheet. */
  readonly update?: RowMatcher | undefined;
}

/** Facts that the rows of a sheet show only together. */
export interface SheetFindings {
  /** Positions of the columns whose ids have lost digits. */
  readonly lostDigits: ReadonlySet<number>;
  /** Whether its product ids are long numbers. */
  readonly hasLongIds: boolean;
  readonly usual: UsualFacts | undefined;
}

/** What most rows of a sheet have. */
export interface UsualFacts {
  /** Whether nearly all have a time, so that a row without one lacks it. */
  readonly hasTimes: boolean;
  /** By column with a usual text, in their order: the text; `null` without one. */
  readonly words: readonly (string | null)[];
}

/** Receives each row while the sheet is checked: a draft stores it for its page, an import stages it in the ledger. */
export interface CheckSink {
  /** Takes accepted rows in file order, up to 500 at once. The check waits for it. */
  readonly onAccepted?: ((rows: readonly CheckedRow[]) => void | Promise<void>) | undefined;
  /** Path of the problems file: receives rows with problems, if there are any. */
  readonly problems?: string | undefined;
  /** Called with each batch of rows as read from the file, before they are checked. */
  readonly onRead?: ((rows: readonly SheetRow[]) => void | Promise<void>) | undefined;
  /** Called with each warning, after its row was accepted. */
  readonly onWarning?: ((warning: RowWarning) => void) | undefined;
  /** Called with each row that has problems, in order, for the problems file. */
  readonly onRefused?: ((row: RefusedRow) => void | Promise<void>) | undefined;
  /**
   * Called with the number of each row that is not checked further. `unchanged`: an update leaves it alone. `leftOut`: it is no post, such
   * as a heading, or is skipped by the choice for hidden rows or for the planner's own status.
   */
  readonly onMark?: ((number: number, mark: 'unchanged' | 'leftOut') => void) | undefined;
  readonly onSkipped?: ((row: SkippedRow) => void) | undefined;
  /** Called with the valid header, before any row. */
  readonly onHeader?: ((header: readonly string[], format: SheetFormat) => void | Promise<void>) | undefined;
}

export type CheckOptions = CheckRules & CheckSink;

/** Changes of people to the sheet, which leave its file unchanged. They are applied to each row before its check. */
export interface RowEdits {
  /** The header of the sheet, with columns that were added behind its last one. */
  header(cells: readonly string[]): readonly string[];
  /** @param number of the row in the file, from 1. */
  apply(row: SheetRow, number: number): SheetRow;
  /** Whether a person typed the cell. @param position from 0. */
  isTyped(number: number, position: number): boolean;
  /** Whether to neither check the row nor pass it on. */
  skips(number: number): boolean;
  /** Whether it is skipped because a person skipped it in an earlier version of the sheet. */
  skippedBefore(number: number): boolean;
  /** Codes of the problems with which a person left it out before: with all of them, it is skipped again where a page asks. */
  leftOutWith?(number: number): readonly string[] | undefined;
  /** Whether to post the row again if it repeats a post of another campaign. */
  postsAgain(number: number): boolean;
  /** How many rows have the key of another row in the sheet. An update matches them by what they post. */
  readonly rekeyed: number;
  /** Key of the row of the campaign that this one may be. */
  mayBe(number: number): string | undefined;
}

/** Decides what an update does with each row, before the row is checked against the clock, the service and the media. */
export interface RowMatcher {
  /** Takes the sheet's header, before any row. */
  begin(header: Header): void;
  /** `leave`: the row is neither checked nor passed on. */
  match(row: MatchedRow): 'take' | 'leave' | CellProblem;
  isNew(key: string): boolean;
  /** Whether the sheet has named the row of the campaign with this key so far. */
  isNamed(key: string): boolean;
  /** Whether the sheet has changed that row so far. */
  isChanged(key: string): boolean;
  /** Key of a campaign row not named by the sheet so far that differs from this new key only as spreadsheet programs change keys. */
  similar(key: string): string | undefined;
  /** Position in the campaign of the row with this key, from 0; undefined for a new one. */
  find(key: string): number | undefined;
  /** Whether another row of the campaign with the same post counts as a repeat of the sheet's row with this key. */
  isRepeat(key: string, other: RowOfOwn): boolean;
  /**
   * Takes accepted rows.
   * @returns for each, how many AI outputs are still to be made, without those that exist.
   */
  accept(rows: readonly (NamedCells & { readonly row: Row })[]): Promise<readonly number[]>;
  /** The problem of the whole sheet, if any. */
  end(): CellProblem | null;
}

export interface NamedCells extends RowPlace {
  readonly key: string;
  /** As written in the sheet; of a checked row, at most as many as the header has. */
  readonly cells: readonly string[];
}

export interface MatchedRow extends NamedCells {
  /** Whether the sheet has the key; if not, the key is made from the number. */
  readonly hasOwnKey: boolean;
  /** `null` if the row has problems. */
  readonly content: Row | null;
  /** Whether the planner's own status says that it is not to be posted, unless such rows are to be posted all the same. */
  readonly isHeld: boolean;
  /** Whether that status says that it is posted, unless such rows are to be posted all the same. */
  readonly saysPosted: boolean;
}

/** Finds what a text may mean that is no known name or id. */
export type NameLookUp = (name: UnknownName) => Promise<KnownName | undefined>;

interface UnknownName {
  readonly column: 'creator' | 'product_id';
  readonly code: string;
  readonly value: string;
  readonly cells: readonly string[];
  readonly indexes: ColumnIndexes;
}

export interface KnownName {
  /** Text for the cell. */
  readonly text: string;
  /** Why it may be right, as a sentence. */
  readonly evidence: string;
}

/** The product ids that a name has, or an id itself that a list says is not sold any more, each with a sentence that says where; undefined for none. */
export interface ProductLookUp {
  (name: string): KnownIds | undefined;
  /** The title that a list has for viewers, where a row has a code, a short name or a typo of it. */
  readonly titleOf?: ((row: TitledRow) => KnownTitle | undefined) | undefined;
}

export interface TitledRow {
  readonly title: string;
  /** Its product id; empty, or another text, if it has none yet. */
  readonly id: string;
  /** Whether a person chose the id. */
  readonly isIdTyped: boolean;
}

export interface KnownTitle {
  readonly title: string;
  /** As a sentence. */
  readonly evidence: string;
  /** `sure` for a code or a typo, `likely` for another name; `open` for a text that the list does not have: it may be meant. */
  readonly match: 'sure' | 'likely' | 'open';
}

export interface KnownIds {
  readonly ids: ReadonlyMap<string, string>;
  /** Whether the workbook has them itself, in a list of products. */
  readonly isListed: boolean;
  /** What the list says: "discontinued". */
  readonly ended?: string;
  /** The id in the list that lost its last digits; then `ids` is empty. */
  readonly lost?: { readonly sheet: string; readonly id: string };
}

/** Finds rows of other campaigns with the same posts. */
export interface PostLookUp {
  find(posts: readonly ComparedPost[]): Promise<readonly (Repeat | undefined)[]>;
}

export interface CheckedRow extends NamedCells {
  /** Number of the row in the file, from 1, as for `RowReader.read`. */
  readonly number: number;
  readonly row: Row;
  /** `postIdentity`, if posts are compared. */
  readonly post?: Buffer | undefined;
  /** A person wants it although another row is the same post. */
  readonly again?: boolean | undefined;
}

/** Names a refused row by its key, or by its place if the key is unreliable or too long. */
export function nameOf(row: RefusedRow): string {
  const key = row.problems[0]?.key ?? null;
  return key === null || key.length > maxIdLength ? describePlace(row) : detached(key);
}

export interface SkippedRow extends RowPlace {
  /** Its key; its number or its place if it has none that can be used. */
  readonly name: string;
  readonly hasOwnKey: boolean;
  readonly wasSkipped: boolean;
  /** Of one that was left out with problems, those that it still has. */
  readonly problems?: readonly Problem[];
}

export interface RowWarning {
  /** Number of the row in the file, from 1. */
  readonly number: number;
  readonly warning: CellProblem;
}

export interface RefusedRow extends RowPlace {
  /** Number of the row in the file, from 1. */
  readonly number: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}
