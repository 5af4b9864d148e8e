/** Changes one row of a campaign by the rules of a check: a waiting row goes out as changed, a failed or cancelled one is sent again. */
import type { Campaign } from '../../../ledger/campaigns/campaign.ts';
import type { EditRefusal } from '../../../ledger/imports/update.ts';
import { chunkSize } from '../../../ledger/keys.ts';
import type { StoredRow } from '../../../ledger/rows/stored-rows.ts';
import type { RowState } from '../../../ledger/states.ts';
import { type ColumnName, columns } from '../../../manifest/columns.ts';
import { positionIn, textIn } from '../../../manifest/headers/header.ts';
import { shortened } from '../../../manifest/printable.ts';
import type { Fix } from '../../../manifest/problems/hint.ts';
import { UseCaseError } from '../../../manifest/problems/use-case-error.ts';
import { createImportedRowReader } from '../../../manifest/reader.ts';
import type { Document } from '../../runtime/documents.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { findCampaign, findRow, rowNotFound } from '../find.ts';
import { postAgain, type RecordRuntime, recheckRows } from '../retry/recheck.ts';
import {
  type CellChange,
  draftEdit,
  type EditDraft,
  type EditPlan,
  editableColumns,
  type editedRowSchema,
  planEdit,
} from './edit-plan.ts';

export interface RowEdit {
  readonly campaign: string;
  readonly key: string;
  /** Revision of the row as the person saw it. */
  readonly revision: number;
  /** Texts by column; columns that are missing stay as they are. */
  readonly cells: ReadonlyMap<ColumnName, string>;
  /** Post the row even if it repeats a post of another campaign. */
  readonly again?: boolean | undefined;
}

export interface EditedRow {
  /** The state of the row before the edit: a waiting or ready row goes out as changed, a failed or cancelled one is sent again. */
  readonly state: RowState;
  readonly changes: readonly CellChange[];
  readonly plan: EditPlan;
  /** Undefined while it is only planned, or has problems. `posted`: its post turned out to be published, so nothing was changed. */
  readonly end: 'saved' | 'posted' | undefined;
}

export interface EditField {
  readonly column: ColumnName;
  /** Header of the column in the sheet, else its name. */
  readonly name: string;
  readonly explanation: string;
  readonly text: string;
}

export type EditRuntime = RecordRuntime & Pick<Runtime, 'queues' | 'prober'>;

/** All editable fields of a row, including empty ones. */
export function editFields(campaign: Campaign, stored: StoredRow): readonly EditField[] {
  const { header } = createImportedRowReader(campaign);
  return editableColumns.map(({ name: column, explanation }) => {
    const position = positionIn(header, column, stored.cells);
    const text = textIn(header, column, stored.cells);
    return { column, explanation, name: header.names[position] ?? column, text };
  });
}

/** Whether an edit sends a row again that had come to an end, also without a change. */
export function isResent(state: RowState): boolean {
  return state === 'failed' || state === 'cancelled';
}

/** Why a row in this state cannot be edited now; undefined if it can. */
export function whyNotEditable({ cancelledAt }: Campaign, state: RowState): string | undefined {
  if (cancelledAt !== undefined) return 'The campaign was cancelled: its rows are not resent.';
  return reasons[state];
}

const reasons: Readonly<Partial<Record<RowState, string>>> = {
  running: 'The row is running with its current texts. You can edit it if it fails.',
  posted: 'The row is posted. Change the post in the service.',
  review: 'Decide this row before you edit it.',
};

/**
 * Plans an edit; with `dryRun: false`, also saves it and retries a failed row, by one script.
 * @param by name of the person.
 * @throws {UseCaseError} `campaign_not_found`, `row_not_found`; `edit_refused` when the row cannot be edited now, has changed since, or an
 *   import into the campaign runs; `service_*` when creators cannot be looked up.
 */
export async function editRow(
  runtime: EditRuntime,
  edit: RowEdit,
  { dryRun, by }: { readonly dryRun: boolean; readonly by: string },
): Promise<EditedRow> {
  for (let attempt = 1; ; attempt += 1) {
    const tried = await tryEdit(runtime, edit, { dryRun, by });
    if (tried !== 'changed') return tried;
    // Somebody else edited another row of the sheet in between.
    if (attempt === mostAttempts) throw refusal('changed', edit.key);
  }
}

const mostAttempts = 5;

async function tryEdit(
  runtime: EditRuntime,
  edit: RowEdit,
  { dryRun, by }: { readonly dryRun: boolean; readonly by: string },
): Promise<EditedRow | 'changed'> {
  const { ledger, queues } = runtime;
  const campaign = await findCampaign(runtime, edit.campaign);
  const { row, state } = await findEditable(runtime, campaign, edit);
  const stored = await ledger.store.read(campaign, row);
  const draft = draftEdit(campaign, stored, edit.cells);
  const { changes } = draft;
  if (!isResent(state) && changes.length === 0)
    throw refused(`row ${edit.key} was not changed: the texts are the same`);
  const plan = await planEdit(runtime, campaign, row, draft, edit.again);
  if (dryRun || plan.kind === 'problems') return { state, changes, plan, end: undefined };
  if (await isPostedAfterAll(runtime, campaign, { row, state }))
    return { state, changes, plan, end: 'posted' };
  const why = await save(runtime, campaign, { edit, row, draft, plan, by });
  if (why === 'changed') return 'changed';
  if (why !== undefined) throw refusal(why, edit.key);
  if (isResent(state)) await queues.removeFlow({ campaign: campaign.id, row, revision: edit.revision });
  if (campaign.state !== 'paused') await queues.wakeAdmission(campaign.id);
  return { state, changes, plan, end: 'saved' };
}

async function findEditable(
  runtime: Pick<Runtime, 'ledger'>,
  campaign: Campaign,
  { key, revision }: RowEdit,
): Promise<{ readonly row: number; readonly state: RowState }> {
  const { ledger } = runtime;
  const row = await findRow(runtime, campaign, key);
  const [status] = await ledger.rows.statusesOf(campaign.id, [row]);
  if (status === undefined) throw rowNotFound(campaign.id, key);
  const why = whyNotEditable(campaign, status.state);
  if (why !== undefined) throw refused(`row ${key} cannot be edited`, why);
  if (status.revision !== revision) throw refusal('moved', key);
  if (await ledger.edits.isImporting(campaign.id)) throw refusal('importing', key);
  return { row, state: status.state };
}

/** Whether the failed post of a row has been published since. If that cannot be found out, refuses the edit. */
async function isPostedAfterAll(
  runtime: EditRuntime,
  campaign: Campaign,
  { row, state }: { readonly row: number; readonly state: RowState },
): Promise<boolean> {
  if (state !== 'failed') return false;
  const had = await runtime.ledger.failedPosts.all(campaign.id);
  const rechecked = await recheckRows(runtime, campaign, [row], had);
  const found = rechecked.get(row);
  if (found?.kind === 'unread') {
    throw refused(`it is not known whether an earlier post of the row was published: ${found.why}`);
  }
  return (await postAgain(runtime, campaign, rechecked)).length > 0;
}

async function save(
  { ledger }: EditRuntime,
  campaign: Campaign,
  change: {
    readonly edit: RowEdit;
    readonly row: number;
    readonly draft: EditDraft;
    readonly plan: Extract<EditPlan, { readonly kind: 'ready' }>;
    readonly by: string;
  },
): Promise<EditRefusal | undefined> {
  const { edit, row, draft, plan, by } = change;
  const { sheet, cells, changes } = draft;
  const chunk = Math.floor(row / chunkSize);
  async function* rows(): AsyncGenerator<StoredRow> {
    for await (const part of ledger.store.parts(campaign, chunk)) {
      for (const [at, each] of part) yield at === row ? { ...each, cells } : each;
    }
  }
  return ledger.edits.edit(campaign, {
    row,
    chunk,
    revision: edit.revision,
    outdated: plan.outdated,
    again: edit.again || (changes.length === 0 ? undefined : false),
    creator: plan.creator,
    post: changes.length === 0 ? undefined : plan.post,
    postsVersion: plan.postsVersion,
    header: sheet.header,
    map: sheet.map,
    rows: changes.length === 0 ? undefined : rows(),
    what: describeEdit(by, changes),
  });
}

function describeEdit(by: string, changes: readonly CellChange[]): string {
  const short = (text: string) => shortened(text, shortText);
  const what = changes.map(({ name, before, after }) => `${name}: “${short(before)}” → “${short(after)}”`);
  return `${by}: ${what.join('; ') || 'nothing'}`;
}

const shortText = 60;

function refusal(why: EditRefusal, key: string): UseCaseError {
  switch (why) {
    case 'importing':
      return refused(
        `row ${key} cannot be edited while a sheet is imported into the campaign`,
        'Nothing was changed. Wait until the import has ended, then save again.',
      );
    case 'moved':
      return refused(
        `row ${key} has changed since its page was opened`,
        'Nothing was changed. Load the page of the row again.',
      );
    case 'changed':
      return refused(
        `row ${key} was not changed, because the campaign keeps changing`,
        'Save again in a moment.',
      );
  }
}

function refused(message: string, fix?: Fix): UseCaseError {
  return new UseCaseError('edit_refused', message, { fix });
}

export function isEditable(name: string): name is ColumnName {
  return name !== 'key' && columns.some((column) => column.name === name);
}

/** The result of an edit whose plan is ready. */
export function editedRowDocument(
  row: { readonly id: string; readonly key: string },
  { changes, end }: EditedRow,
  plan: Extract<EditedRow['plan'], { readonly kind: 'ready' }>,
  dryRun: boolean,
): Document<typeof editedRowSchema> {
  return { ...row, changes, warnings: plan.warnings, plan: plan.takes, end: end ?? null, dryRun };
}
