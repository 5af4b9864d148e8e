/** What a check is given, and what it hands on: rows that may be sent, and rows that may not. */
import type { Settings } from '../../../config/schema.ts';
import type { Header } from '../../manifest/header.ts';
import type { CellProblem, Problem } from '../../manifest/problem.ts';
import type { Row } from '../../manifest/row.ts';
import type { SheetOptions } from '../../sheets/sheet.ts';
import type { CreatorLookUp } from './creator-check.ts';
import type { MediaCheck } from './media-check.ts';

export interface CheckOptions {
  readonly settings: Settings;
  /** Milliseconds since the epoch that times must be after; `null`: times that have passed are taken. */
  readonly now: number | null;
  /** `null`: creators are not looked up. */
  readonly creators: CreatorLookUp | null;
  /** `null`: media is not looked at. */
  readonly media: MediaCheck | null;
  /** `null`: posts are not compared with those of other campaigns. */
  readonly posts: PostLookUp | null;
  /** How the file is to be read. */
  readonly sheet?: SheetOptions;
  readonly allowUnknownColumns?: boolean;
  /** The campaign that the sheet is imported into; it may be a results sheet then. */
  readonly into?: RowMatcher | undefined;
  /** Called with each row that has problems, in order: the file of problems is made of them. */
  readonly onRefused?: (row: RefusedRow) => void | Promise<void>;
  /** Called with the header once it is found to be right, before any row. */
  readonly onHeader?: (header: readonly string[]) => void | Promise<void>;
}

/** Says what an import into a campaign makes of each row, before the row is compared with the clock, the service and the media. */
export interface RowMatcher {
  /** Takes the sheet's header, before any row. */
  begin(header: Header): void;
  /** A row that is left is neither checked nor handed on. */
  match(row: MatchedRow): 'take' | 'leave' | CellProblem;
  /** Whether the campaign has no row with this key. */
  isNew(key: string): boolean;
  /**
   * Takes rows that are right, and will go into the campaign.
   * @returns for each, how many outputs of AI are left to be made: those that are there are not made again.
   */
  accept(rows: readonly { readonly key: string; readonly row: Row }[]): Promise<readonly number[]>;
  /** What only the whole sheet shows. */
  end(): CellProblem | null;
}

/** A row of the sheet as it is matched. */
export interface MatchedRow {
  readonly number: number;
  readonly key: string;
  /** Whether the sheet names the key: else it is made of the number. */
  readonly hasOwnKey: boolean;
  readonly cells: readonly string[];
  /** `null` where there are problems in it. */
  readonly content: Row | null;
}

/** The newest campaign that has each of these posts (`postIdentity`), in their order; undefined where none has. */
export type PostLookUp = (posts: readonly Buffer[]) => Promise<readonly (string | undefined)[]>;

/** What the ledger keeps of a creator. */
export interface RegisteredCreator {
  /** Account table id: for showcase operations. */
  readonly id: number;
  /** For posting. */
  readonly creatorId: string;
  /** The `creatorId` where the account has no username. */
  readonly username: string;
  readonly oauthRegion: string | undefined;
}

export interface CheckedRow {
  readonly line: number;
  /** Counts the rows of the file from 1; what `RowReader.read` takes. */
  readonly number: number;
  readonly key: string;
  /** As the sheet writes them; as many as the header has. */
  readonly cells: readonly string[];
  /** What makes its post what it is: `postIdentity`; none where posts are not compared. */
  readonly post?: Buffer | undefined;
}

/** A row with problems, by its key; by its line where it has none that can be relied on. */
export function nameOf({ line, problems }: RefusedRow): string {
  return problems[0]?.key ?? `line ${line}`;
}

export interface RefusedRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}
