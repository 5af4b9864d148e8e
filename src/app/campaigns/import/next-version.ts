/**
 * The next version of a planner's sheet: a comparison of three. A cell that says the same as in her last version keeps what the campaign
 * has, such as a fix of it; any other is her edit. Rows whose keys are not in the sheet, or were fixed, are found by what they post, and
 * get the keys of the campaign.
 */
import { withoutDefaults } from '../../../importers/check/default-rows.ts';
import { NoPosts } from '../../../importers/check/no-posts.ts';
import { unseenAs } from '../../../importers/check/unseen-rows.ts';
import type { ManifestFile } from '../../../importers/open/manifest-file.ts';
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import {
  type ComparedRow,
  comparedOf,
  matchByContent,
  media,
} from '../../../importers/update/match-by-content.ts';
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { textOfCell } from '../../../manifest/cells/formula-guard.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { turn } from '../../../manifest/event-loop.ts';
import { withRemembered } from '../../../manifest/headers/column-map.ts';
import { type Header, isOwnResults } from '../../../manifest/headers/header.ts';
import { type OpenSheet, openSheet } from '../../../sheets/open-sheet.ts';
import { fileSource, type SheetOptions, type SheetRow, UnreadableSheetError } from '../../../sheets/sheet.ts';
import type { OfRuntime } from '../results/own-record.ts';
import { choicesOfOwnSheet, findOwnSheet, findPlan, type OwnSheet } from '../results/own-sheet.ts';
import type { CellEdit, DoubtfulRow, EditEntry, FaultyRow } from './edit.ts';
import { type Fix, headerOf, KeyIndex, LastVersion, productOf } from './last-version.ts';
import { haveKeysMoved, namedContents } from './moved-keys.ts';
import { SkippableRows } from './skipped-rows.ts';

type Carried = Omit<EditEntry, 'at' | 'by' | 'of'>;

/**
 * Reads the last version of the plan, the campaign, and the next version.
 * Results in her own file are a version of the sheet that they were written into. Other results have the texts of the campaign: only rows
 * are skipped again.
 * @returns undefined if nothing is carried over: nothing differs, or this machine has no earlier version.
 */
export async function carryOver(
  runtime: OfRuntime,
  campaign: Campaign,
  { path, file }: Pick<ManifestFile, 'path' | 'file'>,
  options: SheetOptions & { readonly again?: boolean | undefined } = {},
): Promise<Carried | undefined> {
  const given = { ...options, ...(await choicesOfOwnSheet(runtime, campaign, options)) };
  await using opened = new AsyncDisposableStack();
  const map = withRemembered(given.map, campaign.map);
  const open = async () => {
    const sheet = await openSheet(fileSource(path, file), { ...given, map });
    opened.defer(() => sheet.close());
    return sheet;
  };
  try {
    const sheet = await open();
    const header = headerOf(sheet, map);
    const isOwn = isOwnResults(header);
    const plan = await (isOwn ? findOwnSheet(runtime, campaign) : findPlan(runtime, campaign));
    const own = given.again ? plan && withRepeats(plan) : plan;
    const isKeyless = header.indexes.key < 0;
    const isPlainResults = header.results.length > 0 && !isOwn;
    if (isPlainResults && isKeyless) return undefined;
    // A person who wants posts again wants rows with other keys as new ones. Beside results, keys that moved are a problem.
    const hasKeys = !isKeyless && header.results.length === 0 && !given.again;
    const now = hasKeys ? await contentsOf(await open(), header, given) : [];
    const hasMoved = hasKeys && (await haveKeysMoved(await namedContents(runtime, campaign, own), now));
    const doubled = keysOfSeveral(now);
    if (own === undefined && !isKeyless && !isPlainResults && !hasMoved && doubled.size === 0)
      return undefined;
    const keys = await KeyIndex.read(runtime, campaign);
    const last = new LastVersion(runtime, campaign, keys, {
      hasMoved,
      doubled,
      isOwnResults: isOwn && !isKeyless,
    });
    if (own !== undefined && (!isPlainResults || own.skipped.size > 0)) await last.read(own);
    if (isKeyless && !last.mayLackKeys) return undefined;
    if (isKeyless) last.unsure.add('');
    if (isPlainResults || (last.unsure.size === 0 && !hasMoved))
      return await new NextVersion(last, sheet, header, new Map()).compare(sheet);
    const posts = await contentsOf(sheet, header, given, hasMoved ? undefined : last.unsure);
    const { found, doubtful } = await matchByContent(await last.contents(), posts, await last.ended());
    const rows = new Map(posts.map(({ id }) => [id, { at: found.get(id), mayBe: doubtful.get(id) }]));
    return await new NextVersion(last, sheet, header, rows).compare(await open());
  } catch (error) {
    // The check of the sheet says what is wrong.
    if (error instanceof UnreadableSheetError) return undefined;
    throw error;
  }
}

/** Rows that were skipped as repeats only are to be posted now. */
function withRepeats(own: OwnSheet): OwnSheet {
  return { ...own, skipped: new Map([...own.skipped].filter(([place]) => !own.refused.has(place))) };
}

/**
 * Keys of several rows, each with media of its own: one row was copied, and became another post. What they post says which of them the
 * campaign has. Copies with the same media may be the same post: the check asks about them.
 */
function keysOfSeveral(rows: readonly ComparedRow[]): ReadonlySet<string> {
  const mediaOf = new Map<string, Set<number>>();
  const several = new Set<string>();
  const same = new Set<string>();
  for (const { name, content } of rows) {
    const medium = content[media] ?? 0;
    const known = mediaOf.get(name);
    if (known === undefined) mediaOf.set(name, new Set([medium]));
    else (known.has(medium) ? same : several).add(name);
    known?.add(medium);
  }
  for (const name of ['', ...same]) several.delete(name);
  return several;
}

/** The rows that may be posts. @param keys only those with one of them. */
async function contentsOf(
  sheet: OpenSheet,
  header: Header,
  { hidden, noPosts }: SheetOptions,
  keys?: ReadonlySet<string>,
): Promise<readonly ComparedRow[]> {
  const none = noPosts === 'post' || sheet.called === 'key' ? undefined : new NoPosts(header);
  const contents: ComparedRow[] = [];
  let number = 0;
  for await (const rows of withoutDefaults(sheet)) {
    for (const row of rows) {
      if (turn.isFull) await turn.pause();
      number += 1;
      if ((hidden === 'skip' && unseenAs(row) !== undefined) || none?.take(row)) continue;
      const name = textOfCell(row.cells, header.indexes.key);
      if (keys === undefined || keys.has(name))
        contents.push({ id: number, number, name, ...comparedOf(header, row.cells) });
    }
  }
  return contents;
}

interface FoundRow {
  readonly at: number | undefined;
  readonly mayBe: number | undefined;
}

class NextVersion {
  readonly #last: LastVersion;
  readonly #header: Header;
  readonly #skippable: SkippableRows;
  readonly #alignment: CellAlignment;
  /** By number of rows whose key is unsure. */
  readonly #found: ReadonlyMap<number, FoundRow>;
  readonly #key: number;
  readonly #isKeyless: boolean;
  /** Whether it has results, so that its rows are known to be those of the campaign; `ours`: with the texts of the campaign. */
  readonly #results: 'ours' | 'hers' | undefined;
  /** Positions of the columns that it gets, by position in the campaign. */
  readonly #positions = new Map<number, number>();
  readonly #columns: { name: ColumnName }[] = [];
  readonly #at: number;
  readonly #cells: CellEdit[] = [];
  readonly #leaveOut: number[] = [];
  readonly #leaveFaulty: FaultyRow[] = [];
  readonly #mayBe: DoubtfulRow[] = [];
  #rekeyed = 0;
  #lastKey: number;

  constructor(last: LastVersion, sheet: OpenSheet, header: Header, found: ReadonlyMap<number, FoundRow>) {
    this.#last = last;
    this.#results = header.results.length === 0 ? undefined : isOwnResults(header) ? 'hers' : 'ours';
    this.#header = header;
    this.#skippable = new SkippableRows(header, last.campaign, !last.hasMoved);
    this.#alignment = new CellAlignment(last.campaign, header);
    this.#found = found;
    this.#at = sheet.header.cells.length;
    this.#lastKey = last.keys.lastNumber;
    this.#isKeyless = header.indexes.key < 0;
    this.#key = this.#isKeyless ? this.#at : header.indexes.key;
    if (this.#isKeyless) this.#columns.push({ name: 'key' });
    for (const [target, name] of last.added) {
      if (header.indexes[name] >= 0) continue;
      this.#positions.set(target, this.#at + this.#columns.length);
      this.#columns.push({ name });
    }
  }

  async compare(sheet: OpenSheet): Promise<Carried | undefined> {
    let number = 0;
    for await (const rows of withoutDefaults(sheet)) {
      for (const row of rows) {
        if (turn.isFull) await turn.pause();
        number += 1;
        if (!this.#isKeyless || this.#found.has(number)) await this.#add(row, number);
      }
    }
    const inDoubt = { leaveFaulty: this.#leaveFaulty, mayBe: this.#mayBe };
    const rows = { cells: this.#cells, leaveOut: this.#leaveOut, ...inDoubt };
    if (Object.values(rows).every(({ length }) => length === 0)) return undefined;
    const isWider = this.#columns.length > 0 && this.#results !== 'ours';
    const addColumns = isWider ? { addColumns: { at: this.#at, columns: this.#columns } } : {};
    const rekeyed = this.#rekeyed === 0 ? {} : { rekeyed: this.#rekeyed };
    return { ...rows, ...rekeyed, ...addColumns, isCarried: true };
  }

  async #add(row: SheetRow, number: number): Promise<void> {
    const key = this.#isKeyless ? '' : textOfCell(row.cells, this.#key);
    const found = this.#found.get(number);
    const isUnsure = found !== undefined;
    const at = isUnsure ? found.at : this.#last.keys.at(key);
    const isKnown = at !== undefined && at >= 0;
    const skipped = this.#last.skipped.takes(this.#skippable.of(row.cells));
    const skippedAs = skipped?.as;
    for (const [column, text] of skipped?.edits ?? []) {
      const position = this.#positionOf(column);
      if (position >= 0) this.#cells.push({ row: number, position, text });
    }
    const isSkipped = skippedAs === 'skipped';
    const lacksKey = this.#isKeyless || this.#last.hasMoved || this.#last.given.has(key);
    if (isUnsure && (isKnown || (lacksKey && !isSkipped))) {
      const text = isKnown ? await this.#last.keyAt(at) : this.#newKey(key);
      if (text !== key) {
        this.#cells.push({ row: number, position: this.#key, text });
        const isOthers = this.#last.hasMoved || (!isKnown && this.#last.doubled.has(key));
        if (isOthers && this.#last.keys.at(key) !== undefined) this.#rekeyed += 1;
      }
    }
    if (isSkipped) {
      this.#leaveOut.push(number);
      return;
    }
    if (skippedAs !== undefined) this.#leaveFaulty.push({ row: number, codes: skippedAs });
    if (this.#results === 'ours') return;
    if (found?.mayBe !== undefined && found.mayBe >= 0)
      this.#mayBe.push({ row: number, key: await this.#last.keyAt(found.mayBe) });
    const fixes = isKnown ? this.#fixesOf(row, at) : [];
    const edited = fixes.filter((fix) => this.#isHers(row, fix));
    const lost = new Set(edited.flatMap(({ joined }) => joined ?? []));
    const hasOtherProduct = fixes.some((fix) => fix.isOfProduct) && this.#hasOtherProduct(row, at);
    for (const fix of fixes) {
      if (fix.isOfProduct && hasOtherProduct) continue;
      const [source] = this.#alignment.sourcesOf(fix.target);
      const position = source ?? this.#positions.get(fix.target);
      const isLost = edited.includes(fix) || (fix.joined !== undefined && lost.has(fix.joined));
      if (!isLost && position !== undefined) this.#cells.push({ row: number, position, text: fix.is });
    }
  }

  #fixesOf({ cells }: SheetRow, at: number): readonly Fix[] {
    const fixes = this.#last.fixes.get(at) ?? [];
    if (fixes.length === 0 || this.#results !== undefined) return fixes;
    const row = comparedOf(this.#header, cells);
    const words = this.#last.wordsOf(this.#alignment.align(cells));
    return fixes.filter(({ column }) => this.#last.evidence.isOf(at, row, column, words));
  }

  /** Whether she has edited a cell of the product since. */
  #hasOtherProduct({ cells }: SheetRow, at: number | undefined): boolean {
    const was = this.#last.products.get(at ?? -1) ?? [];
    return productOf(this.#header, cells).some(
      (text, index) => (was[index] ?? text) !== (text ?? was[index]),
    );
  }

  /** Whether she has edited the cell of a fix since. */
  #isHers({ cells }: SheetRow, { target, was }: Fix): boolean {
    const [source, ...others] = this.#alignment.sourcesOf(target);
    return source !== undefined && (others.length > 0 || textOfCell(cells, source) !== was);
  }

  /** Of a column that the sheet has, or gets; else -1. */
  #positionOf(column: ColumnName): number {
    const own = this.#header.indexes[column];
    const added = this.#results === 'ours' ? -1 : this.#columns.findIndex(({ name }) => name === column);
    return own < 0 && added >= 0 ? this.#at + added : own;
  }

  /** @param own her key: it stays, unless the campaign has it or may give it to another row. */
  #newKey(own: string): string {
    if (own !== '' && !/^\d+$/.test(own) && this.#last.keys.at(own) === undefined) return own;
    do this.#lastKey += 1;
    while (this.#last.keys.at(String(this.#lastKey)) !== undefined);
    return String(this.#lastKey);
  }
}
