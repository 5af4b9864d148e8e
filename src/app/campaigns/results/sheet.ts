/**
 * The results sheet: the manifest's own columns in their order, then the result of each row. Streamed in chunks, so that a million
 * rows take no more memory than a thousand.
 */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import { chunkSize } from '../../../ledger/keys.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type RowFilter, shownState } from '../../../ledger/rows/query.ts';
import { type DeliveryRules, deliveryOf } from '../../../ledger/rows/results.ts';
import { emptyRowProgress, orderedFileIds } from '../../../ledger/rows/row-progress.ts';
import type { RowOutcome } from '../../../ledger/rows/rows.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import type { RowError } from '../../../ledger/states.ts';
import { unguardFormula } from '../../../manifest/cells/formula-guard.ts';
import { lacksAiLabel, noLabelForPhotos } from '../../../manifest/cells/post-options.ts';
import { foldHeader } from '../../../manifest/columns.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import {
  approvalColumns,
  countColumns,
  figureColumns,
  insteadColumn,
  noteColumn,
  resultColumns,
} from '../../../manifest/result-columns.ts';
import { postStatusOf } from '../post-status.ts';
import { openApprovalCells } from './approvals.ts';

const unlabelled = `No AI label: ${noLabelForPhotos.problem}. ${noLabelForPhotos.fix}.`;

/** The rows that a sheet has: all, or those that match every given field. */
export type WantedRows = Pick<RowFilter, 'state' | 'delivery' | 'error' | 'rows'>;

export interface EndedRow {
  readonly row: number;
  readonly stored: StoredRow;
  readonly key: string;
  readonly outcome: RowOutcome;
}

/** Header first. Cells without the `'` before texts that look like formulas. @param rules for `post_status`; default: the service's. */
export async function* resultLines(
  ledger: Ledger,
  campaign: Campaign,
  wanted: WantedRows = {},
  rules?: DeliveryRules,
  options?: ResultsOptions,
): AsyncGenerator<readonly string[]> {
  const { header, linesOf } = await openResults(ledger, campaign, rules, options);
  yield header;
  for await (const rows of endedRows(ledger, campaign, wanted)) yield* await linesOf(rows);
}

export interface ResultLines {
  readonly header: readonly string[];
  /** Columns of the campaign that the sheet begins with; those of the runner follow. */
  readonly own: readonly number[];
  linesOf(rows: readonly EndedRow[]): Promise<readonly (readonly string[])[]>;
}

export interface ResultsOptions {
  /** Whether it is the planner's own file: with a column for what the campaign has instead of her cells. */
  readonly isOwn?: boolean;
  /** Whether the sheet has a column for notes of the runner in any case. */
  readonly hasNotes?: boolean;
  /** People read workbooks: their `status` says what is known of an accepted post. Programs read the other formats. */
  readonly isWorkbook?: boolean;
}

/** @param rules as in `resultLines`. */
export async function openResults(
  ledger: Ledger,
  campaign: Campaign,
  rules: DeliveryRules | undefined,
  { isOwn = false, hasNotes = false, isWorkbook = false }: ResultsOptions = {},
): Promise<ResultLines> {
  const [videos, approvals] = await Promise.all([
    ledger.videos.list.size(campaign.id),
    ledger.approvals.hasAny(campaign),
  ]);
  const has = { videos: videos > 0, approvals, instead: isOwn, notes: hasNotes, words: isWorkbook };
  const approvalCells = approvals ? await openApprovalCells(ledger, campaign) : undefined;
  const { header, own, lineOf } = await columnsOf(ledger, campaign, rules, has);
  return {
    header,
    own,
    async linesOf(rows) {
      const keys = rows.map(({ key }) => key);
      const figures = has.videos ? await figuresOf(ledger, campaign, keys) : [];
      const said = (await approvalCells?.(rows)) ?? [];
      return rows.map((row, index) => lineOf(row, figures[index], said[index]));
    },
  };
}

/** The first of the lines of all rows. */
export async function firstLines(
  ledger: Ledger,
  campaign: Campaign,
  { linesOf }: ResultLines,
): Promise<readonly (readonly string[])[]> {
  for await (const rows of endedRows(ledger, campaign, {})) if (rows.length > 0) return linesOf(rows);
  return [];
}

/** The wanted rows in their order, some at a time. */
export async function* endedRows(
  ledger: Ledger,
  campaign: Campaign,
  wanted: WantedRows,
): AsyncGenerator<readonly EndedRow[]> {
  const reader = createImportedRowReader(campaign);
  for await (const found of ledger.query.all(campaign, wanted)) {
    for (const [chunk, positions] of Map.groupBy(found, (row) => Math.floor(row / chunkSize))) {
      const isMeant = new Set(positions);
      const outcomes = await ledger.rows.outcomes(campaign.id, chunk);
      for await (const part of ledger.store.parts(campaign, chunk)) {
        const rows: EndedRow[] = [];
        for (const [row, stored] of part) {
          const outcome = outcomes[row % chunkSize];
          // Its state may have changed since.
          if (!isMeant.has(row) || !outcome || !isStill(campaign, outcome, wanted)) continue;
          rows.push({ row, stored, outcome, key: reader.key(stored) });
        }
        yield rows;
      }
    }
  }
}

function isStill(campaign: Campaign, outcome: RowOutcome, { state, error }: WantedRows): boolean {
  const shown = shownState(campaign, outcome.state);
  const isInState = typeof state === 'string' ? state === shown : (state?.has(shown) ?? true);
  return isInState && (error ?? outcome.error?.code) === outcome.error?.code;
}

async function columnsOf(
  ledger: Ledger,
  campaign: Campaign,
  rules: DeliveryRules | undefined,
  has: Readonly<Record<'videos' | 'approvals' | 'instead' | 'notes' | 'words', boolean>>,
) {
  const reader = createImportedRowReader(campaign);
  const keyColumn = reader.header.indexes.key;
  const hasKey = keyColumn >= 0;
  // An imported results sheet already has result columns; do not repeat them.
  const results = new Set(reader.header.results);
  const kept = campaign.header.flatMap((_name, column) => (results.has(column) ? [] : [column]));
  const own = kept.map((column) => campaign.header[column] ?? '');
  const ledgerId = await ledger.format.id();
  // A planner's own column of this name stays the only one, except beside her cells, where nothing is written into it.
  const hasOwnNote = !has.instead && own.some((name) => foldHeader(name) === noteColumn);
  const needsNote = reader.header.indexes.ai_prompt >= 0 || has.notes;
  const notes = needsNote && !hasOwnNote ? [noteColumn] : [];
  const instead = has.instead ? [insteadColumn] : [];
  const begin = [...own, ...(hasKey ? [] : ['key']), ...instead, ...notes];
  const header = [
    ...[...begin, ...resultColumns],
    ...(has.approvals ? approvalColumns : []),
    ...(has.videos ? figureColumns : []),
  ];

  const lineOf = (
    { stored, key, outcome }: EndedRow,
    figures: RowFigures | undefined,
    said: readonly string[] = [],
  ) => {
    // A row without a key gets the key that the campaign uses, because the sheet may be imported again in another order.
    const cells = kept.map((column) =>
      column === keyColumn ? key : unguardFormula(stored.cells[column] ?? ''),
    );
    const row = reader.row(stored);
    const note = notes.map(() => (row && lacksAiLabel(row) ? unlabelled : ''));
    const scheduledAtUtc = row?.schedule ? new Date(row.schedule.at).toISOString() : '';
    const status = has.words ? wordOf(campaign, outcome, rules) : shownState(campaign, outcome.state);
    const result = describe(campaign, {
      outcome,
      status,
      rules,
      scheduledAtUtc,
      videoUrl: figures?.url ?? '',
    });
    const added = [...result, ...said, ...(figures?.cells ?? [])];
    return [...cells, ...(hasKey ? [] : [key]), ...instead.map(() => ''), ...note, ledgerId, ...added];
  };
  return { header: header.map(unguardFormula), own: kept, lineOf };
}

/** The latest public figures of a row's video, in the order of `figureColumns`. */
interface RowFigures {
  /** Empty if no video of the row is known. */
  readonly url: string;
  readonly cells: readonly string[];
}

/** @param keys of rows. @returns figures in their order. */
async function figuresOf(
  { videos }: Ledger,
  { id }: Campaign,
  keys: readonly string[],
): Promise<readonly RowFigures[]> {
  const ids = await videos.list.ofRows(id, keys);
  const known = ids.filter((video) => video !== undefined);
  const found = await videos.list.read(known);
  const byId = new Map(known.map((video, index) => [video, found[index]]));
  return ids.map((video) => {
    const { facts, summary } = (video === undefined ? undefined : byId.get(video)) ?? {};
    const { counts, at } = summary?.latest ?? {};
    const cells = countColumns.map((_column, index) => String(counts?.[index] ?? ''));
    const time = at === undefined ? '' : new Date(at * 1000).toISOString();
    return { url: facts?.url ?? '', cells: [...cells, time] };
  });
}

interface Outcome {
  readonly outcome: RowOutcome;
  readonly status: string;
  readonly rules: DeliveryRules | undefined;
  readonly scheduledAtUtc: string;
  readonly videoUrl: string;
}

function describe(
  campaign: Campaign,
  { outcome, status, rules, scheduledAtUtc, videoUrl }: Outcome,
): readonly string[] {
  const { result, error, progress } = outcome;
  const fileIds = result?.fileIds ?? orderedFileIds(progress ?? emptyRowProgress);
  const updated = error?.at ?? result?.at;
  return [
    campaign.id,
    status,
    result?.postId ?? '',
    statusOf(outcome, rules),
    scheduledAtUtc,
    fileIds.join('|'),
    outcome.assets.join('|'),
    videoUrl,
    error?.step ?? '',
    error?.code ?? '',
    error ? describeError(error) : '',
    updated === undefined ? '' : new Date(updated).toISOString(),
  ];
}

/** `scheduled`, `live` or `not confirmed` in place of `posted`, where that is known. */
function wordOf(campaign: Campaign, { state, result }: RowOutcome, rules: DeliveryRules | undefined): string {
  const delivery = rules && result && state === 'posted' ? deliveryOf(result, rules) : undefined;
  return delivery === 'unconfirmed' ? 'not confirmed' : (delivery ?? shownState(campaign, state));
}

function statusOf({ state, result }: RowOutcome, rules: DeliveryRules | undefined): string {
  if (result === undefined) return '';
  return rules && state === 'posted' ? postStatusOf(result, rules) : result.postStatus;
}

/** Message, note and fix, as sentences. Messages of a service often lack the full stop. */
function describeError({ message, note, fix }: RowError): string {
  const more = [note, fix].filter((text) => text !== undefined && text !== '');
  if (more.length === 0) return message;
  return [/[.!?。！？]$/.test(message) ? message : `${message}.`, ...more].join(' ');
}
