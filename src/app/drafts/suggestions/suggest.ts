/** Finds suggestions for rows with the same problem: in the sheet itself, and for ids also in what is known elsewhere. */

import type { ProductLookUp } from '../../../importers/check/checked-row.ts';
import type { ColumnName } from '../../../manifest/columns.ts';
import { captionMark, noteMark } from '../../../manifest/headers/column-map.ts';
import type { ColumnIndexes } from '../../../manifest/headers/header.ts';
import { maxCaptionLength } from '../../../service/contract/posts.ts';
import { aliasesOf } from '../../campaigns/import/aliases.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { aliasKindOf } from '../aliases.ts';
import type { EditedSheet } from '../check/draft-check.ts';
import { readFiles } from '../files/record.ts';
import type { ProblemGroup } from '../view.ts';
import { readChosenAccounts, suggestAccounts } from './accounts.ts';
import { besideChosen, suggestAliases } from './chosen-before.ts';
import { findIdsElsewhere } from './elsewhere.ts';
import type { SheetEvidence } from './evidence.ts';
import {
  suggestClear,
  suggestNoGeneration,
  suggestOneKind,
  suggestOneSource,
  suggestRowNumber,
} from './keep-one.ts';
import { suggestSeconds, suggestShorter, suggestShorterTitles } from './limits.ts';
import { suggestLinkedFiles, withFolders } from './linked-files.ts';
import { besideLinks, suggestBehind } from './links-behind.ts';
import { isFound, suggestMeant } from './meant.ts';
import { suggestMusic } from './music.ts';
import {
  type IdsElsewhere,
  isNoId,
  lacksId,
  needsId,
  nothingElsewhere,
  suggestIds,
  suggestIdsOfTitles,
  suggestOneProduct,
  suggestTitles,
} from './products.ts';
import { withListedTitles } from './short-titles.ts';
import { type FaultyCell, type Suggestion, withoutRowsOf } from './suggestion.ts';
import { suggestTimes } from './times.ts';
import {
  besideUploaded,
  findUploaded,
  isOfFile,
  readMediaItems,
  suggestSwaps,
  suggestUploaded,
  withUses,
} from './uploaded-files.ts';
import { suggestVersions, suggestWithoutNotes } from './versions.ts';
import { suggestListedTitles, titlesIn } from './viewer-titles.ts';
import { suggestZones } from './zones.ts';

/** Most rows of a suggestion, because they are checked again at once. */
const mostRows = 500;
/** Most text of their cells, in UTF-16 units: a real row has at most some thousand. */
const mostCharacters = 4_000_000;

/** Problems of times that are written, and mean something. */
const timeCodes: ReadonlySet<string> = new Set([
  'ambiguous_time',
  'invalid_time',
  'other_calendar',
  'time_past',
  'time_lacking',
  'time_in_gap',
]);

/** Problems of texts that do not apply to their rows. */
const isCleared: ReadonlySet<string> = new Set([
  'not_for_model',
  'cover_of_photo',
  'pre_check_of_photo',
  'ai_label_of_photo',
  'remark_holds',
]);

/** Warnings that have an answer. */
export const isAnswered: ReadonlySet<string> = new Set(['file_of_other', 'file_replaced', 'title_differs']);

export async function suggestForGroup(
  runtime: Runtime,
  sheet: EditedSheet,
  id: string,
): Promise<readonly Suggestion[]> {
  const { check, edits } = sheet;
  const { facts, findings, rows: stored, knowledge } = check;
  const { columns, indexes } = facts;
  const asked = findings.find(id);
  const isOfMusic = asked?.group.code === 'music_without_id';
  if (asked === undefined || (asked.group.position < 0 && !isOfMusic)) return [];
  const { kind: of, group } = asked;
  if (of === 'warning' && !isAnswered.has(group.code)) return [];
  const column = columns.find(({ position }) => position === group.position)?.column;
  const rows = await stored.read(group.numbers.slice(0, mostRows), mostCharacters);
  const all = rows.flatMap((row): FaultyCell[] => {
    const edited = edits.textsOf(row, row.number);
    const problems = findings.problemsOf(row.number, of);
    // The time of a row that was posted by hand is rightly past: nobody means another year.
    if (group.code === 'time_past' && problems.some(({ code }) => code === 'own_status')) return [];
    return problems
      .filter((problem) => problem.group === id)
      .map(({ position, value, meant }) => ({ row: row.number, position, value, meant, cells: edited }));
  });
  if (isOfMusic || (column === 'music_id' && isNoId.has(group.code)))
    return suggestMusic(runtime, all, knowledge.lists, { ...indexes, width: columns.length });
  const found = await suggestApart(runtime, sheet, group, all);
  const { links = new Map(), accounts } = knowledge;
  if (links.size === 0) return found;
  const places = new Map(rows.map((row) => [row.number, row]));
  const hasFiles = isOfFile.has(group.code) && (await readFiles(runtime, sheet.draft.id)).stored.size > 0;
  const given = { links, places, indexes, accounts, hasFiles };
  return besideLinks(suggestBehind(all, { code: group.code, column }, given), found);
}

/** @param all cells of a group of problems. @returns what is suggested without the links behind texts. */
async function suggestApart(
  runtime: Runtime,
  sheet: EditedSheet,
  group: Pick<ProblemGroup, 'code' | 'position' | 'value'>,
  all: readonly FaultyCell[],
): Promise<readonly Suggestion[]> {
  const { id: draft, into } = sheet.draft;
  const { facts, knowledge } = sheet.check;
  const [{ columns, indexes }, { evidence }] = [facts, knowledge];
  const column = columns.find(({ position }) => position === group.position)?.column;
  const kind = aliasKindOf(column, group.code);
  const aliases = kind && (await aliasesOf(runtime, kind));
  const chosen = aliases ? suggestAliases(all, aliases, group.code, indexes) : [];
  const accounts = kind === 'creator' && {
    service: knowledge.accounts,
    chosen: await readChosenAccounts(sheet),
  };
  const listed = accounts ? await suggestAccounts(all, knowledge.lists, accounts) : [];
  const files = group.code === 'share_link' ? (await readFiles(runtime, draft)).stored : new Map();
  const items = files.size === 0 ? undefined : await readMediaItems(sheet);
  const linked = suggestLinkedFiles(all, files.keys(), items?.keys());
  const first = [...listed, ...linked];
  const sure = linked.filter(({ confidence }) => confidence === 'sure');
  // What people chose before, or wrote into a list, is no guess beside others. Other rows may know another id of a product.
  const cells = kind === 'product' ? all : withoutRowsOf([...chosen, ...listed, ...sure], all);
  if (cells.length === 0) return besideChosen(chosen, first);
  const positionsOf = (name: string) =>
    columns.filter((each) => each.column === name).map(({ position }) => position);
  const [media, appended] = [positionsOf('media'), positionsOf(captionMark)];
  const faulty = {
    code: group.code,
    column: column === noteMark || column === captionMark ? null : column,
    cells,
  };
  const elsewhere = needsId(indexes, group) && (await findIdsElsewhere(runtime, sheet, cells));
  const now = { isUpdate: into !== undefined, now: runtime.now(), timezone: facts.timezone };
  const titleOf = titlesIn(knowledge.lists);
  const context = { evidence, indexes, appended, media, elsewhere: elsewhere || undefined, titleOf, ...now };
  const own = suggest(faulty, context);
  const isList = group.code === 'media_separator';
  const others = isList ? withFolders(own, (await readFiles(runtime, draft)).stored.keys()) : own;
  // A planner who dropped files may mean one of them, not what a link leads to.
  const unsure = files.size > 0 ? others.map(({ confidence: _, ...each }) => each) : others;
  const known = besideChosen(chosen, [...first, ...unsure]);
  const found = kind === 'product' ? withListedTitles(known, all, indexes, knowledge.lists) : known;
  if (!isOfFile.has(group.code) || group.value === '') return found;
  const used = await readMediaItems(sheet);
  const uploaded = await findUploaded(runtime, draft, used);
  const open = cells.filter((cell) => !isFound(cell));
  return besideUploaded(withUses(found, cells, used), await suggestUploaded(open, uploaded, indexes.creator));
}

export interface FaultyCells {
  readonly code: string;
  /** Null or undefined for a problem of the whole row, or of a column that has no meaning. */
  readonly column: ColumnName | null | undefined;
  readonly cells: readonly FaultyCell[];
}

export interface Knowledge {
  readonly evidence: SheetEvidence;
  readonly indexes: ColumnIndexes;
  /** Positions of what is appended to the caption, and of the columns of media; default: the one. */
  readonly appended?: readonly number[];
  readonly media?: readonly number[];
  readonly elsewhere?: IdsElsewhere | undefined;
  readonly titleOf?: ProductLookUp['titleOf'];
  /** Whether the sheet updates a campaign, which finds its rows by their keys. */
  readonly isUpdate?: boolean;
  /** In milliseconds since the epoch. */
  readonly now?: number;
  /** Of times without one. */
  readonly timezone?: string | null;
}

export function suggest(
  { code, column, cells }: FaultyCells,
  {
    evidence,
    indexes,
    appended,
    media = [indexes.media],
    elsewhere = nothingElsewhere,
    titleOf,
    isUpdate = false,
    now,
    timezone = null,
  }: Knowledge,
): readonly Suggestion[] {
  if (column === 'product_id' && lacksId.has(code)) return suggestIds(cells, evidence, indexes, elsewhere);
  if (column === 'product_id' && isNoId.has(code)) {
    const known = suggestIdsOfTitles(cells, evidence, indexes, elsewhere);
    const meant = suggestMeant(cells, code);
    // The number in a link is surer than the title beside it.
    const [likely, other] = code === 'link_as_id' ? [meant, known] : [known, meant];
    return likely.length > 0 ? likely : other;
  }
  if (code === 'product_differs') return suggestOneProduct(cells, indexes, elsewhere);
  if (column === 'product_title' && (code === 'missing_value' || code === 'id_as_title'))
    return suggestTitles(cells, evidence, indexes);
  if (code === 'title_is_code' || code === 'title_differs')
    return titleOf ? suggestListedTitles(cells, indexes.product_id, titleOf) : suggestMeant(cells, code);
  if (column === 'product_title' && code === 'too_long')
    return suggestShorterTitles(cells, evidence, indexes.product_id);
  if (column === 'caption' && code === 'too_long') return suggestShorter(cells, maxCaptionLength, appended);
  if (code === 'file_of_other') return suggestSwaps(cells);
  if (code === 'caption_versions') return suggestVersions(cells);
  if (code === 'caption_note') return suggestWithoutNotes(cells);
  if (timeCodes.has(code)) {
    const times = suggestTimes(cells, code, evidence, indexes, now);
    return [...times, ...suggestZones(cells, indexes, timezone)];
  }
  if (code === 'mixed_media') return suggestOneKind(cells, media);
  if (code === 'media_and_prompt') return suggestOneSource(cells, indexes, media);
  if (code === 'generation_without_prompt') return suggestNoGeneration(cells, indexes, media);
  if (isCleared.has(code)) return suggestClear(cells, code);
  if (column === 'product_link') {
    const known = cells.filter(({ cells: texts }) => (texts[indexes.product_id] ?? '').trim() !== '');
    return [...suggestMeant(cells, code), ...suggestClear(known, column)];
  }
  if (code === 'duplicate_key') return isUpdate ? [] : suggestRowNumber(cells);
  if (code === 'seconds_not_allowed') return suggestSeconds(cells, indexes);
  return suggestMeant(cells, code);
}
