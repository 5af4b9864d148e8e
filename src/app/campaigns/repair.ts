/** How rows that were not posted are repaired, by the code of their error. */

import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { RowError } from '../../ledger/states.ts';
import type { RowErrorCode } from '../../manifest/problems/error-codes.ts';
import { commandField, commandsField, type Hint, hint, hintsField } from '../../manifest/problems/hint.ts';
import type { CampaignView } from '../../processors/runner/campaign-view.ts';
import { forbiddenCode } from '../../service/contract/codes.ts';
import { authorizationExpiredCode } from '../../service/contract/creators.ts';
import { type Document, isoTime, stepName } from '../runtime/documents.ts';

/** `retry`: the same rows again. `edit`: change them in the sheet. `decide`: decide about each. `authorize`: the creator must. */
const repair = z.enum(['retry', 'edit', 'decide', 'authorize']);
export type RepairKind = z.infer<typeof repair>;

/** Rows that ended for the same reason. */
export const causeSchema = z
  .strictObject({
    state: z.enum(['failed', 'review']),
    code: z.string(),
    step: stepName,
    rows: z.int(),
    /** True if there are very many rows and only some were read: `rows` is an estimate. */
    isEstimate: z.boolean(),
    /** The files, products or creators concerned: the few with the most rows. */
    subjects: z.array(z.string()),
    /** When the first row that was read ended so. */
    since: isoTime.optional(),
    message: z.string(),
    /** What the publishing records have said about the first row since. */
    note: z.string().optional(),
    fix: z.string().optional(),
    /** Keys of the first few rows. */
    examples: z.array(z.string()),
    repair,
    /** Commands that repair these rows; if a person must decide about each row, those of the first rows. */
    commands: commandsField,
    hints: hintsField,
    /** Command that decides all of them at once: the call had no effect. Only if there are several to decide about. */
    forMany: commandField.optional(),
  })
  .meta({ id: 'Cause' });
/** Why rows failed or wait in review: rows with the same code, and what can be done about them. */
export type Cause = Document<typeof causeSchema>;

export type FailedRepair = Exclude<RepairKind, 'decide'>;

const repairs: Readonly<Record<RowErrorCode, FailedRepair>> = {
  outcome_unknown: 'retry',
  records_lost: 'retry',
  // In review only.
  posted_twice: 'retry',
  post_of_another_row: 'retry',
  sent_too_late: 'retry',
  malformed_answer: 'retry',
  server_error: 'retry',
  service_unreachable: 'retry',
  already_posted: 'edit',
  showcase_refused: 'edit',
  generation_failed: 'retry',
  generation_cancelled: 'retry',
  generation_expired: 'retry',
  poll_deadline: 'retry',
  poll_refused: 'retry',
  late: 'edit',
  rejected: 'edit',
  // The file can be put where the row expects it, so the row needs no change.
  media_missing: 'retry',
  media_ambiguous: 'retry',
  media_not_regular: 'retry',
  media_unreadable: 'retry',
  media_empty: 'retry',
  media_too_large: 'retry',
  media_cover_too_large: 'retry',
  media_changed: 'retry',
  media_address_refused: 'retry',
  media_download_failed: 'retry',
  media_spool_full: 'retry',
  media_outside_root: 'edit',
  media_type_mismatch: 'edit',
  media_type_unknown: 'edit',
  media_url_invalid: 'edit',
  media_download_refused: 'edit',
  media_url_expired: 'edit',
  media_web_page: 'edit',
  result_expired: 'retry',
  media_not_uploaded: 'retry',
  media_not_known: 'retry',
  reference_without_url: 'edit',
  invalid_request: 'edit',
  not_configured: 'retry',
  upload_failed: 'retry',
  upload_address_refused: 'retry',
  upload_url_expired: 'retry',
  internal_error: 'retry',
  data_damaged: 'retry',
  jobs_lost: 'retry',
  row_unreadable: 'edit',
  // Most causes are temporary. If the cause is in the row, the message says so.
  publishing_failed: 'retry',
  post_unread: 'retry',
};

/** The repair of a failed row with this code. Default: `edit`, because the service refuses a row until it is changed. */
export function repairOf(code: string): FailedRepair {
  if (code === String(authorizationExpiredCode)) return 'authorize';
  // The row is right: somebody lacks a permission.
  if (code === String(forbiddenCode)) return 'retry';
  return (repairs as Readonly<Record<string, FailedRepair | undefined>>)[code] ?? 'edit';
}

/** Whether a refusal may have passed, and the row be right: a status other than 400 alone does not show that the row is wrong. */
export function mayPass(code: string): boolean {
  return /^http_4(?!00)\d\d$/.test(code);
}

export type Decidable = 'post' | 'generation';

/** The subject of the decision that a row in review waits for. */
export function decidableOf({ step }: RowError): Decidable {
  return step === 'post' ? 'post' : 'generation';
}

/** Code of a row with two posts. Nothing is sent: a person names the one that stays. */
export const postedTwice = 'posted_twice';

/** Possible repairs of rows that ended for the same reason. @param rows.keys keys of the first rows. */
export function repairFor(
  campaign: string,
  rows: {
    readonly state: Cause['state'];
    readonly error: RowError;
    readonly subjects: readonly string[];
    readonly keys: readonly string[];
  },
): { readonly kind: RepairKind; readonly commands: readonly Hint[] } {
  const { state, error, subjects, keys } = rows;
  const retry = hint('retry', { campaign, error: error.code });
  const edit = hint('editSheet', { campaign, error: error.code });
  if (state === 'review') {
    const decide = (key: string) =>
      error.code === postedTwice
        ? hint('decideRow', { campaign, key, decision: 'posted POST_ID', unchecked: false })
        : hint('chooseDecision', { campaign, key, about: decidableOf(error) });
    return { kind: 'decide', commands: keys.map(decide) };
  }
  const kind = repairOf(error.code);
  switch (kind) {
    case 'retry':
      // A generation may fail because of its prompt.
      return { kind, commands: error.code === 'generation_failed' ? [retry, edit] : [retry] };
    case 'edit':
      return { kind, commands: mayPass(error.code) ? [edit, retry] : [edit] };
    case 'authorize':
      return { kind, commands: subjects.map((creator) => hint('resumeCreator', { campaign, creator })) };
  }
}

/** Possible filters, if no row matches. */
export const failedKindsSchema = z.strictObject({
  codes: z.array(z.string()),
  creators: z.array(z.string()),
});

const mostRead = 1000;

/** Each code and creator once. Of very many rows, only some are read. */
export async function failedKindsOf(
  ledger: Ledger,
  campaign: Campaign,
  view: CampaignView | undefined,
  state: 'failed' | 'review' = 'failed',
): Promise<Document<typeof failedKindsSchema>> {
  const rows = await ledger.rows.someInState(campaign.id, state, campaign.counts[state], mostRead);
  const errors = await ledger.rows.errors(campaign.id, rows);
  const creators = new Set<string>();
  for (const row of rows) {
    const creator = view && (await view.readableRow(row))?.creator;
    if (creator !== undefined) creators.add(creator);
  }
  const codes = new Set(errors.flatMap((error) => error?.code ?? []));
  return { codes: [...codes].sort(), creators: [...creators].sort() };
}
