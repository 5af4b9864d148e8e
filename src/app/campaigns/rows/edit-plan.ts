/** Plans the edit of one row: its changes, its problems, and the calls that it takes. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { checkOne } from '../../../importers/check/check-sheet.ts';
import { createMediaCheck } from '../../../importers/check/local-media-check.ts';
import type { RowOfOwn } from '../../../importers/repeats/repeats.ts';
import { findOutdated, withoutOutdated } from '../../../importers/update/campaign-index.ts';
import { CellAlignment } from '../../../importers/update/cell-alignment.ts';
import type { Campaign, CreatorRef } from '../../../ledger/campaigns/campaign.ts';
import type { OutdatedProgress } from '../../../ledger/imports/update.ts';
import { outputsMissing } from '../../../ledger/rows/row-progress.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import type { RowError } from '../../../ledger/states.ts';
import { approvalDigest } from '../../../ledger/transitions/approvals.ts';
import { handedOverAt, needsApproval } from '../../../manifest/campaign-options.ts';
import { literalCell } from '../../../manifest/cells/formula-guard.ts';
import { type ColumnName, columns } from '../../../manifest/columns.ts';
import { type Header, matchHeader, positionIn, textIn } from '../../../manifest/headers/header.ts';
import { hint } from '../../../manifest/problems/hint.ts';
import { type CellProblem, problemSchema } from '../../../manifest/problems/problem.ts';
import { createImportedRowReader, type ImportedSheet } from '../../../manifest/reader.ts';
import type { Row } from '../../../manifest/row.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { creatorsOf, postsOf } from '../import/check.ts';
import { retrySchema } from '../retry/left-out.ts';
import { type PlannedRow, type RetryPlan, RetryTally } from '../retry/retry-plan.ts';

/** A problem of a row, as a check reports it. */
const cellProblemSchema = problemSchema.omit({ line: true, key: true });

export const editedRowSchema = z.strictObject({
  id: z.string(),
  key: z.string(),
  changes: z.array(
    /** `name`: header of the column in the sheet, else its name. */
    z.strictObject({ column: z.string(), name: z.string(), before: z.string(), after: z.string() }),
  ),
  warnings: z.array(cellProblemSchema),
  /** Calls and AI outputs that posting it takes. */
  plan: retrySchema.shape.plan.unwrap(),
  /** `posted`: its post turned out to be published, so nothing was changed. Null in a dry run. */
  end: z.enum(['saved', 'posted']).nullable(),
  dryRun: z.boolean(),
});

export type CellChange = Document<typeof editedRowSchema>['changes'][number];

/** A row with its new cells, under the columns of the campaign and those that the edit adds. */
export interface EditDraft {
  readonly sheet: ImportedSheet;
  readonly stored: StoredRow;
  readonly cells: readonly string[];
  readonly changes: readonly CellChange[];
}

/** Result of `planEdit`. `problems`: as a check of a sheet reports them. */
export type EditPlan =
  | { readonly kind: 'problems'; readonly problems: readonly CellProblem[] }
  | {
      readonly kind: 'ready';
      readonly outdated: OutdatedProgress;
      readonly creator: readonly [string, CreatorRef] | undefined;
      readonly warnings: readonly CellProblem[];
      readonly takes: RetryPlan;
      /** Its time, as changed: Unix epoch, milliseconds. Undefined: as soon as it may. */
      readonly plannedAt: number | undefined;
      /** What the edited post waits for once its media are ready: nothing, its day, or an approval. */
      readonly waitsFor: 'nothing' | 'day' | 'approval';
      /** Identity of its post, and the version of the index of planned posts that it was compared with; undefined for whatever it has. */
      readonly post: Buffer | undefined;
      readonly postsVersion: string | undefined;
    };

/** Columns that a person can change: all but the key, which identifies the row. */
export const editableColumns = columns.filter(({ name }) => name !== 'key');

/** @param wanted texts by column; columns that are missing stay as they are. */
export function draftEdit(
  campaign: Campaign,
  stored: StoredRow,
  wanted: ReadonlyMap<ColumnName, string>,
): EditDraft {
  const own = createImportedRowReader(campaign).header.indexes;
  const added = [...wanted].flatMap(([column, text]) => (own[column] < 0 && text !== '' ? [column] : []));
  const { header, map } = new CellAlignment(campaign, matchHeader(added));
  const sheet: ImportedSheet = { header, map, timezone: campaign.timezone };
  const read = createImportedRowReader(sheet).header;
  const cells = header.map((_name, position) => stored.cells[position] ?? '');
  const changes: CellChange[] = [];
  for (const [column, text] of wanted) {
    const position = positionIn(read, column, cells);
    if (column === 'key' || cells[position] === undefined) continue;
    const before = textIn(read, column, cells);
    const after = withLineFeeds(text);
    if (withLineFeeds(before) === after) continue;
    // The whole list is in one of them from now on.
    if (column === 'media') for (const other of read.moreMedia) cells[other] = '';
    if (column === 'caption') writeCaption(read, cells, after);
    else cells[position] = literalCell(after);
    changes.push({ column, name: read.names[position] ?? column, before, after });
  }
  return { sheet, stored, cells, changes };
}

/** What is appended to the caption, such as hashtags, stays in its own columns, unless it was edited itself. */
function writeCaption(header: Header, cells: string[], text: string): void {
  const { indexes, moreCaption } = header;
  const appended = withLineFeeds(textIn(header, 'caption', cells.with(indexes.caption, '')));
  const own = literalCell(text.slice(0, text.length - appended.length).trimEnd());
  const isKept = withLineFeeds(textIn(header, 'caption', cells.with(indexes.caption, own))) === text;
  if (!isKept) for (const other of moreCaption) cells[other] = '';
  cells[indexes.caption] = isKept ? own : literalCell(text);
}

/** Browsers send the line breaks of a text as CR and LF. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** @param again although it repeats a post of another campaign. @throws {UseCaseError} `service_*` if creators cannot be looked up. */
export async function planEdit(
  runtime: Pick<Runtime, 'ledger' | 'views' | 'settings' | 'now' | 'prober'> & {
    readonly service: Pick<Runtime['service'], 'need'>;
  },
  campaign: Campaign,
  row: number,
  { sheet, stored, cells }: EditDraft,
  again = false,
): Promise<EditPlan> {
  const { ledger, settings, now } = runtime;
  const postsVersion = again ? undefined : await ledger.posts.version();
  const before = createImportedRowReader(sheet).row(stored);
  const progress = await ledger.rows.progress(campaign.id, row);
  const remaining = (spec: Row) => withoutOutdated(progress, findOutdated(before, spec));
  const isOther = (_key: string, { row: other, state, isSameTime, wasSame }: RowOfOwn) =>
    other !== row && (isSameTime || !wasSame) && state !== 'failed' && state !== 'cancelled';
  const checked = await checkOne(
    sheet,
    { number: stored.number, cells },
    {
      settings,
      now: now(),
      creators: await creatorsOf(runtime),
      media: createMediaCheck({ ...settings.media, mediaRoot: campaign.mediaRoot, prober: runtime.prober }),
      posts: postsOf(runtime, { id: campaign.id, rowOf: () => row, counts: isOther }),
      again,
      outputsOf: (spec) => outputsMissing(remaining(spec), spec.generation),
    },
  );
  if (checked.kind === 'problems') return checked;
  const { row: spec, creator, warnings } = checked;
  const [error] = again ? [] : await ledger.rows.errors(campaign.id, [row]);
  if (error?.code === 'already_posted' && isDeepStrictEqual(before, spec))
    return { kind: 'problems', problems: [isSamePost(error)] };
  return {
    kind: 'ready',
    outdated: findOutdated(before, spec),
    creator: creator && [spec.creator, creator],
    warnings,
    post: checked.post,
    postsVersion,
    plannedAt: spec.schedule?.at,
    takes: await takes(runtime, campaign, { row, spec, progress: remaining(spec) }),
    waitsFor: await waitsFor(runtime, campaign, { row, spec, progress: remaining(spec), creator }),
  };
}

interface EditedRow extends PlannedRow {
  /** Undefined for one that the campaign knows. */
  readonly creator: CreatorRef | undefined;
}

async function waitsFor(
  { ledger, now }: Pick<Runtime, 'ledger' | 'now'>,
  campaign: Campaign,
  planned: EditedRow,
): Promise<'nothing' | 'day' | 'approval'> {
  const { spec } = planned;
  const mayGo = !needsApproval(spec, campaign.approve) || (await isApproved(ledger, campaign, planned));
  if (!mayGo) return 'approval';
  return (handedOverAt(spec, campaign.lead) ?? 0) > now() ? 'day' : 'nothing';
}

/** Whether the post was approved as it will be: an approval covers neither when it is handed over nor the link of its product. */
async function isApproved(
  ledger: Runtime['ledger'],
  { id }: Campaign,
  { row, spec, progress, creator }: EditedRow,
): Promise<boolean> {
  const [approval] = await ledger.approvals.of(id, [row]);
  if (approval?.is !== 'approved') return false;
  const { creatorId } = creator ?? (await ledger.campaigns.creators(id)).get(spec.creator) ?? {};
  return creatorId !== undefined && approvalDigest(spec, creatorId, progress) === approval.digest;
}

/** The row failed for this reason, and is still the same. */
function isSamePost({ message }: RowError): CellProblem {
  const fix = ['Change the row.', hint('postAgain')];
  return { column: null, code: 'already_posted', value: '', problem: message, fix };
}

/** The calls of the edited row. A creator who is new to the campaign has no product in the showcase yet. */
async function takes(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  planned: PlannedRow,
): Promise<RetryPlan> {
  const view = await views.open(campaign.id, campaign.sheetVersion);
  if (!view) return { calls: {}, aiOutputs: 0, paidBefore: 0 };
  const tally = new RetryTally(ledger, view);
  const { spec } = planned;
  const isKnown = (await ledger.campaigns.creators(campaign.id)).has(spec.creator);
  await tally.addRows([isKnown ? planned : { ...planned, spec: { ...spec, showcase: false } }]);
  const { calls, ...outputs } = tally.finish();
  const additions = !isKnown && spec.showcase ? { addSocialShowcaseProducts: 1 } : {};
  return { calls: { ...calls, ...additions }, ...outputs };
}
