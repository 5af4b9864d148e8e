/**
 * The results sheet: the manifest's own columns in their order, then the result of each row. Streamed in chunks, so that a million
 * rows take no more memory than a thousand.
 */
import type { Campaign } from '../../ledger/campaigns/campaigns.ts';
import { chunkSize } from '../../ledger/keys.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { emptyRowProgress, orderedFileIds } from '../../ledger/rows/row-progress.ts';
import type { RowOutcome } from '../../ledger/rows/rows.ts';
import type { RowError, RowState } from '../../ledger/states.ts';
import { unguardFormula } from '../../manifest/cells/formula.ts';
import { createKeyReader } from '../../manifest/cells/key.ts';
import { lacksAiLabel, noLabelForPhotos } from '../../manifest/cells/post-options.ts';
import {
  figureColumns,
  foldHeader,
  noteColumn,
  resultColumns,
  reviewColumns,
} from '../../manifest/columns.ts';
import { createImportedRowReader } from '../../manifest/imported-sheet.ts';
import { shownState } from '../shown-states.ts';
import { figuresOfRows } from './figures.ts';

const unlabelled = `No AI label: ${noLabelForPhotos.problem}. ${noLabelForPhotos.cure}.`;

/** Rows must match every given field. */
export interface WantedRows {
  readonly only?: ReadonlySet<RowState> | undefined;
  /** Error code. */
  readonly error?: string | undefined;
  /** Positions in the campaign. */
  readonly rows?: ReadonlySet<number> | undefined;
}

/**
 * The lines of the sheet, as cells: the header, then one line per row. The cells are as the planner meant them, without the `'`
 * that sheets may have before texts that look like formulas.
 */
export async function* resultLines(
  ledger: Ledger,
  campaign: Campaign,
  wanted: WantedRows = {},
): AsyncGenerator<readonly string[]> {
  const reader = createImportedRowReader(campaign);
  const keys = createKeyReader(reader);
  const hasKey = keys.column >= 0;
  // An imported results sheet already has result columns; do not repeat them.
  const results = new Set(reader.header.results);
  const kept = campaign.header.flatMap((_name, column) => (results.has(column) ? [] : [column]));
  const own = kept.map((column) => campaign.header[column] ?? '');
  const ledgerId = await ledger.format.id();
  // Only a sheet of rows in review has a column to decide in.
  const toDecide = wanted.only?.size === 1 && wanted.only.has('review') ? reviewColumns : [];
  const hasVideos = (await ledger.videos.list.size(campaign.id)) > 0;
  const figures = hasVideos ? figureColumns : [];
  // A planner's own column of this name stays the only one.
  const hasOwnNote = own.some((name) => foldHeader(name) === noteColumn);
  const notes = reader.header.indexes.ai_prompt >= 0 && !hasOwnNote ? [noteColumn] : [];
  const begin = [...own, ...(hasKey ? [] : ['key']), ...notes];
  yield [...begin, ...resultColumns, ...figures, ...toDecide].map(unguardFormula);

  const chunks = wanted.rows && new Set([...wanted.rows].map((row) => Math.floor(row / chunkSize)));
  for (let chunk = 0; chunk * chunkSize < campaign.rows; chunk++) {
    if (chunks && !chunks.has(chunk)) continue;
    let position = chunk * chunkSize - 1;
    const outcomes = (await ledger.rows.outcomes(campaign.id, chunk)).values();
    for await (const rows of ledger.store.parts(campaign, chunk)) {
      const rowKeys = rows.map(({ cells, number }) => keys.read(cells, number));
      const found = hasVideos ? await figuresOfRows(ledger, campaign.id, rowKeys) : [];
      for (const [index, stored] of rows.entries()) {
        const outcome = outcomes.next().value;
        position += 1;
        if (wanted.rows && !wanted.rows.has(position)) continue;
        if (!outcome || !isWanted(campaign, outcome, wanted)) continue;
        const key = rowKeys[index] ?? '';
        const video = found[index];
        // A row without a key gets the key that the campaign uses, because the sheet may be imported again in another order.
        const cells = kept.map((column) =>
          column === keys.column ? key : unguardFormula(stored.cells[column] ?? ''),
        );
        const reading = reader.read(stored.cells, stored.number);
        const row = 'row' in reading ? reading.row : undefined;
        const result = describe(campaign, outcome, {
          scheduledAtUtc: row?.schedule ? new Date(row.schedule.at).toISOString() : '',
          videoUrl: video?.url ?? '',
        });
        const added = [...result, ...(video?.cells ?? []), ...toDecide.map(() => '')];
        const note = notes.map(() => (row && lacksAiLabel(row) ? unlabelled : ''));
        yield [...cells, ...(hasKey ? [] : [key]), ...note, ledgerId, ...added];
      }
    }
  }
}

function isWanted(campaign: Campaign, { state, error }: RowOutcome, wanted: WantedRows): boolean {
  if (wanted.only && !wanted.only.has(shownState(campaign, state))) return false;
  return wanted.error === undefined || error?.code === wanted.error;
}

function describe(
  campaign: Campaign,
  outcome: RowOutcome,
  { scheduledAtUtc, videoUrl }: { readonly scheduledAtUtc: string; readonly videoUrl: string },
): readonly string[] {
  const { result, error, progress } = outcome;
  const fileIds = result?.fileIds ?? orderedFileIds(progress ?? emptyRowProgress);
  const updated = error?.at ?? result?.at;
  return [
    campaign.id,
    shownState(campaign, outcome.state),
    result?.postId ?? '',
    result?.postStatus ?? '',
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

/** Message, note and cure, as sentences. Messages of a service often lack the full stop. */
function describeError({ message, note, cure }: RowError): string {
  const more = [note, cure].filter((text) => text !== undefined && text !== '');
  if (more.length === 0) return message;
  return [/[.!?。！？]$/.test(message) ? message : `${message}.`, ...more].join(' ');
}
