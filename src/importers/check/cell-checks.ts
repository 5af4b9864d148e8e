/** Checks the cells of rows by themselves: their times, the settings that they need, lost digits and encodings, words in place of ids. */

import { textOfCell } from '../../manifest/cells/formula-guard.ts';
import { findLostLetters } from '../../manifest/cells/scalars.ts';
import { checkTime, hasOffset, joinTime } from '../../manifest/cells/schedule.ts';
import { findZoneDoubt, isDoubtful } from '../../manifest/cells/zone.ts';
import { columns } from '../../manifest/columns.ts';
import type { ColumnIndexes } from '../../manifest/headers/header.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { RowDraft } from '../../manifest/reader.ts';
import type { Candidate, Findings } from './candidate.ts';
import type { CheckRules } from './checked-row.ts';
import { KnownProducts, otherTitle } from './known-products.ts';
import { LostDigits } from './lost-digits.ts';
import { captionNote, isOpenCaption, openCaption, twoVersions, versionsIn } from './open-captions.ts';
import { checkRowNeeds, hasZoneOnly } from './row-warnings.ts';

/** Ids of other services may be words, so fewer numbers prove nothing. */
const surelyNumbers = 3;

type CellRules = Pick<
  CheckRules,
  'now' | 'settings' | 'sheet' | 'edits' | 'isTyped' | 'isAsked' | 'found' | 'products'
>;

export class CellChecks {
  readonly #rules: CellRules;
  readonly #indexes: ColumnIndexes;
  readonly #findings: Findings;
  readonly #lostDigits: LostDigits;
  readonly #products: KnownProducts;
  readonly #words = [
    new WordsAsIds('product_id', ({ product }) => product.id),
    new WordsAsIds('music_id', ({ music }) => music?.id),
  ];

  constructor(rules: CellRules, indexes: ColumnIndexes, findings: Findings) {
    this.#rules = rules;
    this.#indexes = indexes;
    this.#findings = findings;
    this.#lostDigits = new LostDigits(indexes, rules.found?.lostDigits);
    this.#products = new KnownProducts(rules.products, rules.found?.hasLongIds);
  }

  /** Checks a row without looking at others. */
  checkAlone(candidate: Candidate): void {
    const { draft, cells } = candidate;
    if (draft === null) return;
    const { now, settings } = this.#rules;
    const indexes = this.#indexes;
    const { oauthRegion = '' } = draft;
    if (oauthRegion.length > 2) this.#findings.warn(candidate, longRegion(oauthRegion));
    const clock = { now, zone: settings.timezone };
    if (checkTime(draft, clock) !== null) {
      this.#findings.report(candidate, checkTime(draft, clock, typedTime(cells, indexes)));
    }
    const time = textOfCell(cells, indexes.scheduled_time);
    if (draft.schedule !== undefined && midnight.test(time)) this.#findings.warn(candidate, noonMeant(time));
    this.#findings.report(candidate, checkRowNeeds(draft, settings.api));
    this.#checkCaption(candidate, draft.caption);
    for (const found of zoneDoubts(draft, { cells, indexes, timezone: settings.timezone })) {
      this.#findings.warn(candidate, found);
    }
    if (!cells.some(hasMarks)) return;
    for (const { name } of columns) {
      const lost = findLostLetters(name, cells[indexes[name]] ?? '');
      if (lost !== undefined) this.#findings.add(candidate, lost.kind, lost.found);
    }
  }

  /** Checks ids beside those of the same column so far. */
  checkIds(candidates: readonly Candidate[]): void {
    this.#checkDigits(candidates);
    for (const words of this.#words) this.#checkWords(candidates, words);
    this.#checkProducts(candidates);
    this.#checkTitles(candidates);
  }

  #checkDigits(candidates: readonly Candidate[]): void {
    if (this.#rules.sheet?.trustIds) return;
    // Of the others, the sheet itself says what is wrong with its cells.
    const reliable = candidates.filter(({ draft, hasFaultyCells }) => draft !== null && !hasFaultyCells);
    this.#lostDigits.count(reliable);
    for (const candidate of reliable) {
      const isTyped = (position: number) => this.#isTyped(candidate, position);
      for (const { kind, found } of this.#lostDigits.find(candidate.cells, isTyped))
        this.#findings.add(candidate, kind, found);
    }
  }

  #checkWords(candidates: readonly Candidate[], words: WordsAsIds): void {
    for (const { draft } of candidates) words.count(draft);
    for (const candidate of candidates) {
      const found = words.find(candidate.draft);
      if (found !== null && !this.#isTyped(candidate, this.#indexes[words.column]))
        this.#findings.warn(candidate, found);
    }
  }

  #checkCaption(candidate: Candidate, caption: string): void {
    // A person who means it types it.
    const isTyped = this.#isTyped(candidate, this.#indexes.caption);
    const kind = this.#rules.isAsked && !isTyped ? 'problem' : 'warning';
    const versions = twoVersions(caption);
    const own = textOfCell(candidate.cells, this.#indexes.caption);
    if (versions !== undefined) this.#findings.add(candidate, versionsIn(own) ? kind : 'warning', versions);
    const note = captionNote(own);
    if (note !== undefined && !isTyped) this.#findings.add(candidate, kind, note);
    const isOpen = own === '' ? caption !== '' : isOpenCaption(own);
    if (isOpen && !isTyped) this.#findings.add(candidate, kind, openCaption(own));
  }

  #checkProducts(candidates: readonly Candidate[]): void {
    if (this.#rules.sheet?.trustIds) return;
    this.#products.count(candidates);
    for (const candidate of candidates) {
      const isTyped = this.#isTyped(candidate, this.#indexes.product_id);
      const finding = this.#products.find(candidate, isTyped);
      if (finding === undefined) continue;
      // That an id is missing, or is a name, is what it says better.
      if (finding.kind === 'problem') this.#findings.withdraw(candidate, 'product_id', isOfName);
      this.#findings.add(candidate, finding.kind, finding.found);
    }
  }

  /** Finds titles that are not those of the list of products. A person who means one types it. */
  #checkTitles(candidates: readonly Candidate[]): void {
    const { isAsked, products: { titleOf } = {} } = this.#rules;
    if (titleOf === undefined) return;
    for (const candidate of candidates) {
      const { product } = candidate.draft ?? {};
      if (product === undefined || this.#isTyped(candidate, this.#indexes.product_title)) continue;
      const isIdTyped = this.#isTyped(candidate, this.#indexes.product_id);
      const known = titleOf({ title: product.title, id: product.id, isIdTyped });
      if (known === undefined) continue;
      if (isAsked && known.match !== 'open')
        this.#findings.withdraw(candidate, 'product_title', ({ code }) => code === 'too_long');
      const isQuestion = isAsked && known.match !== 'open';
      this.#findings.add(candidate, isQuestion ? 'problem' : 'warning', otherTitle(product.title, known));
    }
  }

  /** Whether a person typed the cell into a page: no spreadsheet program has changed it. */
  #isTyped({ number }: Candidate, position: number): boolean {
    const { edits, isTyped = false } = this.#rules;
    return isTyped || (edits?.isTyped(number, position) ?? false);
  }
}

interface TimedCells {
  readonly cells: readonly string[];
  readonly indexes: ColumnIndexes;
  /** Zone of times without one. */
  readonly timezone: string | null;
}

/** Time of the post, as written. */
function typedTime(cells: readonly string[], indexes: ColumnIndexes): string {
  return joinTime(textOfCell(cells, indexes.scheduled_at), textOfCell(cells, indexes.scheduled_time));
}

const none: readonly CellProblem[] = [];

/** Warnings about a zone that has no effect, or may be the wrong one. */
function zoneDoubts(
  { schedule, generation }: Pick<RowDraft, 'schedule' | 'generation'>,
  { cells, indexes, timezone }: TimedCells,
): readonly CellProblem[] {
  const own = textOfCell(cells, indexes.scheduled_tz);
  if (schedule === undefined && generation?.execAt === undefined)
    return own === '' ? none : [hasZoneOnly(own)];
  const zone = own === '' ? timezone : own;
  if (zone === null || !isDoubtful(zone)) return none;
  const exec = textOfCell(cells, indexes.ai_exec_at);
  const [column, at] =
    schedule !== undefined && !hasOffset(typedTime(cells, indexes))
      ? (['scheduled_at', schedule.at] as const)
      : (['ai_exec_at', hasOffset(exec) ? undefined : generation?.execAt] as const);
  const doubt = at === undefined ? null : findZoneDoubt(zone, at);
  if (doubt === null) return none;
  return [{ column: own === '' ? column : 'scheduled_tz', value: showValue(zone), ...doubt }];
}

const midnight = /^\s*12(?::00)? ?a\.?m\b/i;

function noonMeant(time: string): CellProblem {
  return {
    column: 'scheduled_time',
    code: 'time_midnight',
    value: showValue(time.trim()),
    problem: '12 AM is midnight, when the day begins',
    fix: 'If you mean noon, write 12:00 PM.',
  };
}

function longRegion(region: string): CellProblem {
  return {
    column: 'oauth_region',
    code: 'region_name',
    value: showValue(region),
    problem: 'regions usually have a code of two letters',
    fix: 'Write the code as the service has it, such as US, or clear the cell.',
  };
}

function isOfName({ code }: CellProblem): boolean {
  return code === 'space_in_id' || code === 'character_in_id' || code === 'missing_value';
}

/** Whether a cell is worth a look by `findLostLetters`: most are not. */
function hasMarks(cell: string): boolean {
  return /\?\?|[ÃÂâð]/.test(cell);
}

/** Doubts titles in place of ids that have no space: words in a column of numbers. */
class WordsAsIds {
  readonly column: 'product_id' | 'music_id';
  readonly #idOf: (draft: RowDraft) => string | undefined;
  #numbers = 0;
  #words = 0;

  constructor(column: 'product_id' | 'music_id', idOf: (draft: RowDraft) => string | undefined) {
    this.column = column;
    this.#idOf = idOf;
  }

  /** Counts an id, before those of its rows are judged together. */
  count(draft: RowDraft | null): void {
    const id = (draft && this.#idOf(draft)) ?? '';
    if (/^\d+$/.test(id)) this.#numbers += 1;
    else if (isWord(id)) this.#words += 1;
  }

  /** A warning if most ids of the column so far are numbers, and this one has no digit. */
  find(draft: RowDraft | null): CellProblem | null {
    const id = (draft && this.#idOf(draft)) ?? '';
    if (this.#numbers < surelyNumbers || this.#numbers <= this.#words || !isWord(id)) return null;
    return {
      column: this.column,
      code: 'word_as_id',
      value: showValue(id),
      problem: 'this is a word, but most ids in this column are numbers',
      fix:
        this.column === 'music_id'
          ? ['Fill in the id of the music, not its title.', hint('findMusic')]
          : ['Fill in the id of the product, not its title.', hint('findProducts')],
    };
  }
}

function isWord(id: string): boolean {
  return /^[\p{L}\p{M}_-]+$/u.test(id);
}
