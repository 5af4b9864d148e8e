/**
 * One pass over a sheet that updates a campaign: each row is matched with the campaign, compared with what is there, and staged. The first
 * cells that change are kept with their texts before and after, to show to people.
 */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { StagedNames } from '../../ledger/campaigns/left-out.ts';
import { mostStored } from '../../ledger/imports/staged-rows.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { lineOf } from '../../ledger/rows/stored-rows.ts';
import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { meaningsOf } from '../../manifest/headers/header.ts';
import type { RowPlace } from '../../manifest/problems/problem.ts';
import { createImportedRowReader } from '../../manifest/reader.ts';
import { fileSource } from '../../sheets/sheet.ts';
import { type CheckResult, checkSheet } from '../check/check-sheet.ts';
import { type CheckRules, type CheckSink, nameOf } from '../check/checked-row.ts';
import { writtenDelimiter } from '../import-sheet.ts';
import { fileBytesOf, type ManifestFile } from '../open/manifest-file.ts';
import { CampaignIndex } from './campaign-index.ts';
import type { CellAlignment } from './cell-alignment.ts';
import { type AbsentRows, keysKept } from './match-group.ts';
import { type AlignedRow, SheetMatcher } from './match-rows.ts';
import { SheetUpdate, type UpdateOptions } from './store-rows.ts';

export interface PassOptions
  extends Pick<UpdateOptions, 'ledger' | 'campaign' | 'onRedone' | 'postsVersion'> {
  readonly manifest: ManifestFile;
  /** What the publishing records now say about failed rows that had posts. */
  readonly rechecked: Parameters<typeof CampaignIndex.read>[2];
  readonly isDryRun: boolean;
}

interface NewRows {
  /** Those that have problems. */
  readonly leftOut: StagedNames;
  /** Those that are imported. None if the campaign has left no row out so far. */
  readonly cameIn: StagedNames;
}

export class UpdatePass implements AsyncDisposable {
  readonly matcher: SheetMatcher;
  readonly #ledger: Ledger;
  readonly #campaign: Campaign;
  readonly #manifest: ManifestFile;
  readonly #index: CampaignIndex;
  readonly #update: SheetUpdate;
  /** Undefined for a dry run. */
  readonly #names: NewRows | undefined;
  readonly skippedAgain = new SkippedAgain();
  #added = 0;

  static async open(options: PassOptions): Promise<UpdatePass> {
    const { ledger, campaign, manifest, rechecked } = options;
    const index = await CampaignIndex.read(ledger, campaign, rechecked);
    const matcher = new SheetMatcher({ ...campaign, ledger: await ledger.format.id() }, index, (rows) =>
      ledger.rows.progressOf(campaign.id, rows),
    );
    const mostBytes = mostStored(await fileBytesOf(manifest));
    return new UpdatePass(options, matcher, new SheetUpdate({ ...options, index, mostBytes }), index);
  }

  private constructor(
    { ledger, campaign, manifest, isDryRun }: PassOptions,
    matcher: SheetMatcher,
    update: SheetUpdate,
    index: CampaignIndex,
  ) {
    this.matcher = matcher;
    this.#ledger = ledger;
    this.#campaign = campaign;
    this.#manifest = manifest;
    this.#index = index;
    this.#update = update;
    this.#names = isDryRun ? undefined : { leftOut: ledger.leftOut.stage(), cameIn: ledger.leftOut.stage() };
  }

  /** Checks the sheet and stages its rows. Changes nothing in the campaign. @param rules those for rows of the campaign. */
  read(rules: CheckRules, sink: CheckSink): Promise<CheckResult> {
    const { matcher } = this;
    const { leftOut, cameIn } = this.#names ?? {};
    return checkSheet(fileSource(this.#manifest.path, this.#manifest.file), rules, {
      ...sink,
      onRefused: async (row) => {
        await sink.onRefused?.(row);
        const name = nameOf(row);
        matcher.refuse(name);
        const isNew = matcher.isNew(name);
        matcher.places.refuse(row, row.problems, isNew);
        if (isNew) await leftOut?.add(name);
      },
      onSkipped: ({ name, hasOwnKey, wasSkipped, problems, line, worksheet }) => {
        // A number says nothing: rows are found by it only once they have it as a key.
        if (hasOwnKey) matcher.skip(name);
        // One that was skipped in the last version, too, is no row of the campaign, even if one has its number.
        const at = hasOwnKey && !wasSkipped ? this.#index.find(name) : undefined;
        if (problems === undefined) matcher.places.skip({ line, worksheet }, at);
        else matcher.places.refuse({ line, worksheet }, problems);
        if (wasSkipped) this.skippedAgain.add({ line, worksheet });
        if (at === undefined) leftOut?.push(name);
      },
      onAccepted: async (rows) => {
        if (this.#campaign.leftOut > 0)
          for (const { key } of rows) if (matcher.isNew(key)) await cameIn?.add(key);
        for (const row of rows)
          if (matcher.isNew(row.key)) matcher.places.add(row, this.#campaign.rows + this.#added++);
        await leftOut?.write();
        await sink.onAccepted?.(rows);
        await this.#update.add(rows, matcher.alignment);
      },
    });
  }

  /** The first of the rows that the sheet changes, or of those whose edits are ignored, cell by cell. @param hasNotes also the notes. */
  async changes(rows: 'changed' | 'ignored', hasNotes: boolean): Promise<readonly ChangedRow[]> {
    const of = this.matcher.rowsOf[rows];
    // The matcher of a sheet whose header has problems has no alignment.
    if (of.size === 0) return [];
    const options = { index: this.#index, alignment: this.matcher.alignment, hasNotes };
    return compareRows(this.#ledger, this.#campaign, options, of);
  }

  /** `Campaign.importId` once `apply` has begun. */
  get importId(): string {
    return this.#update.importId;
  }

  /** Rows of the campaign that are not in the sheet, or are skipped there. They stay. */
  async absent(): Promise<AbsentRows> {
    const { absent } = this.matcher;
    const areHeld = absent.map((row) => this.matcher.has(row));
    const held = areHeld.filter(Boolean).length;
    const first = absent.slice(0, keysKept);
    const keys = await Promise.all(first.map((row) => this.#ledger.rowKeys.of(this.#campaign, row)));
    const stored = await Promise.all(first.map((row) => this.#ledger.store.read(this.#campaign, row)));
    const places = stored.map((row) => ({ line: lineOf(row), worksheet: row.worksheet }));
    return { count: absent.length, keys, places, held, areHeld: areHeld.slice(0, keysKept) };
  }

  /** Updates the campaign. @returns how many rows workers started meanwhile; they stay as they are. @throws {CampaignChangedError} */
  async apply(check: CheckResult): Promise<number> {
    const moved = await this.#update.apply({
      sha256: check.sha256 ?? '',
      delimiter: check.format?.kind === 'csv' ? writtenDelimiter(check.format) : undefined,
      creators: check.creators,
    });
    const { leftOut } = this.#ledger;
    if (this.#names && this.matcher.isWholePlan)
      await leftOut.remember(this.#campaign.id, this.#names.leftOut);
    else if (this.#names) await leftOut.count(this.#campaign.id, this.#names);
    return moved;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#update.discard();
    await this.#names?.cameIn[Symbol.asyncDispose]();
    await this.#names?.leftOut[Symbol.asyncDispose]();
  }
}

/** Rows that a person skipped in the last version, and that are skipped again: how many, and the first of them. */
export const skippedRowsSchema = z.strictObject({
  count: z.int(),
  rows: z.array(z.strictObject({ line: z.int(), worksheet: z.string().optional() })),
});

class SkippedAgain {
  count = 0;
  readonly rows: RowPlace[] = [];

  add(row: RowPlace): void {
    this.count += 1;
    if (this.rows.length < keysKept) this.rows.push(row);
  }
}

export const changedRowSchema = z.strictObject({
  line: z.int(),
  worksheet: z.string().optional(),
  key: z.string(),
  cells: z.array(z.strictObject({ column: z.string(), was: z.string(), is: z.string() })),
  note: z.string().optional(),
});
/** A row that an import changes, or whose edits it ignores. */
export type ChangedRow = Readonly<z.infer<typeof changedRowSchema>>;

interface RowComparison {
  readonly index: CampaignIndex;
  readonly alignment: CellAlignment;
  /** Whether to name notes, too. Of a row with a remark they are named in any case: the remark is about one of them. */
  readonly hasNotes: boolean;
}

/** Compares rows of a sheet, by key, with those of the campaign. */
async function compareRows(
  ledger: Pick<Ledger, 'store'>,
  campaign: Campaign,
  { index, alignment, hasNotes }: RowComparison,
  rows: ReadonlyMap<string, AlignedRow>,
): Promise<readonly ChangedRow[]> {
  const changed: ChangedRow[] = [];
  const { header, map } = alignment;
  const own = createImportedRowReader({ header, map, timezone: null }).header;
  const { key: keyColumn } = own.indexes;
  const columns = meaningsOf(own);
  for (const [key, { cells: written, ...row }] of rows) {
    const at = index.find(key);
    const stored = at === undefined ? undefined : await ledger.store.find(campaign, at);
    if (stored === undefined) continue;
    const after = alignment.withNotesOf(written, stored.cells);
    const both = header.map((column, position) => ({
      column,
      was: textOfCell(stored.cells, position),
      is: textOfCell(after, position),
    }));
    const isShown = (position: number) => hasNotes || row.note !== undefined || columns.has(position);
    const cells = both.filter(
      ({ was, is }, position) => was !== is && position !== keyColumn && isShown(position),
    );
    changed.push({ key, ...row, cells });
  }
  return changed;
}
