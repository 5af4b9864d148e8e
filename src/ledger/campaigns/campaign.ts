/** A campaign as the ledger has it: one imported manifest with its rows, options and results. */
import { z } from 'zod';
import { type ApproveRule, approveRules } from '../../manifest/campaign-options.ts';
import type { ColumnMap } from '../../manifest/headers/column-map.ts';
import { storedHint } from '../../manifest/problems/hint.ts';
import { ofSteps, type Step } from '../../manifest/steps.ts';
import { plannedEveryMs } from '../rows/results.ts';
import { type RowState, rowStates } from '../states.ts';
import { readStored, texts, UnreadableRecordError } from '../stored-json.ts';

export const campaignState = z.enum(['running', 'paused', 'cancelling', 'ended']);
/** `cancelling`: the campaign was cancelled, but not all of its rows are yet. */
export type CampaignState = z.infer<typeof campaignState>;

/** Why a campaign is paused: `code` is stable (`paused`, `key_refused`, `refused_for_everyone`, `canary`, `stop_after`). */
export const pauseReason = z.object({
  code: z.string(),
  message: z.string(),
  hints: z.array(storedHint).readonly().optional(),
});
export type PauseReason = Readonly<z.infer<typeof pauseReason>>;

/** The person who paused, resumed or released a campaign, and when. */
const pausedBy = z.object({
  did: z.enum(['paused', 'resumed', 'released']),
  by: z.string(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
});
export type PausedBy = Readonly<z.infer<typeof pausedBy>>;

/** Delimiters of CSV from spreadsheet programs, by the region of the computer. */
export type SheetDelimiter = ',' | ';';

/** Facts of a campaign from its creation. Only an update changes them. */
export interface CampaignFacts {
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly rows: number;
  readonly store: string;
  /** The store, and the random id of the latest update or edit. Never the same for two sheets, even if campaign ids restart. */
  readonly sheetId: string;
  /** `sheetId`, and how often its header, creators or rows were changed. */
  readonly sheetVersion: string;
  /** The store, and the random id of the latest update: edits of single rows do not change it. */
  readonly importId: string;
  readonly header: readonly string[];
  /** Which column each header stands for, as mapped at import. */
  readonly map: ColumnMap;
  /** Absolute path that local media are relative to. */
  readonly mediaRoot: string;
  /** Time zone for times without one, as set at import. */
  readonly timezone: string | null;
  /** Path of the manifest, as given by the user. */
  readonly source: string;
  /** Delimiter of its sheets in CSV: that of the manifest, if spreadsheet programs use it. */
  readonly delimiter: SheetDelimiter;
  /** Rows in flight at once. */
  readonly window: number;
  /** Rows of the manifest that had problems and were not imported. */
  readonly leftOut: number;
  /** Pause once after this many rows; null for never. */
  readonly canary: number | null;
  /** What the rows of the canary are, in a few words; undefined if they are the first ones. */
  readonly canaryOf: string | undefined;
  readonly startedBy: string | undefined;
  /** Pause when more than this percentage of the ended rows failed or need a decision; null for never. */
  readonly stopAfter: number | null;
  /** How long before their time the service gets its posts, in milliseconds; `null`: at once. */
  readonly lead: number | null;
  readonly approve: ApproveRule;
  /** Unix epoch, milliseconds. */
  readonly createdAt: number;
}

export interface Campaign extends CampaignFacts {
  readonly state: CampaignState;
  readonly pauseReason: PauseReason | undefined;
  readonly endedAt: number | undefined;
  /** How long it had run, neither paused nor ended, at its last end or pause. Milliseconds. */
  readonly workedMs: number | undefined;
  readonly cancelledAt: number | undefined;
  /** Rows that neither wait nor were cancelled: those of its canary so far. */
  readonly begun: number;
  /** How many waiting rows may still be admitted before the canary pauses the campaign; undefined without one, or after it. */
  readonly canaryWindow: number | undefined;
  readonly resumedAt: number | undefined;
  /** Who paused or resumed it last. Undefined if that was not a person. */
  readonly pausedBy: PausedBy | undefined;
  readonly released: PausedBy | undefined;
  readonly counts: Readonly<Record<RowState, number>>;
  /** The last planned time of its accepted posts; undefined if none has one. Unix epoch, milliseconds. */
  readonly plannedUntil: number | undefined;
  /** Running rows that wait until their generation is due. They do not count towards the window. */
  readonly asleep: number;
  /** Ready rows that wait for an approval. */
  readonly unapproved: number;
  /** Ready rows whose AI outputs are beyond a limit. */
  readonly unpaid: number;
  /** AI outputs that it has asked for. */
  readonly outputs: number;
  /** Waiting rows that were decided moments ago, and are not admitted yet. */
  readonly held: number;
  /** All rows before this one have been admitted at least once. */
  readonly cursor: number;
  readonly admissions: number;
  readonly done: Readonly<Record<Step, number>>;
}

/** Whether its rows may be running: it is neither ended nor paused. */
export function isUnderWay({ state }: Pick<Campaign, 'state'>): boolean {
  return state === 'running' || state === 'cancelling';
}

/** A creator's account, as the import found it. */
export const creatorRef = z.looseObject({
  /** Account id: a number, or its digits beyond 2^53. */
  id: z.union([z.number(), z.string()]),
  creatorId: z.string(),
  username: z.string(),
  oauthRegion: z.string().optional().catch(undefined),
});
type StoredCreator = z.infer<typeof creatorRef>;
export type CreatorRef = Readonly<Pick<StoredCreator, 'id' | 'creatorId' | 'username' | 'oauthRegion'>>;

/** As `sheet.lua` compares it. */
export function sheetIdOf(store: string | null | undefined, sheet: string | null | undefined): string {
  return `${store ?? ''} ${sheet ?? ''}`;
}

const columnPairs = z.array(z.tuple([z.string(), z.string()]));
/** @throws {UnreadableRecordError} */
export function parseCampaign(key: string, fields: Readonly<Record<string, string>>): Campaign {
  const header = readStored(texts, fields.header ?? '[]');
  const map = readStored(columnPairs, fields.map ?? '[]');
  const state = campaignState.safeParse(fields.state);
  if (!header || !map || !state.success) throw new UnreadableRecordError(key);
  const number = (name: string) => {
    const read = Number(fields[name] ?? 0);
    if (Number.isNaN(read)) throw new UnreadableRecordError(key);
    return read;
  };
  const optional = (name: string) => (fields[name] ? Number(fields[name]) : undefined);
  const canary = optional('canary');
  const sheetId = sheetIdOf(fields.store, fields.sheet);
  const rows = number('rows');
  const counts = Object.fromEntries(rowStates.map((state) => [state, number(state)])) as Campaign['counts'];
  // As `begun_rows` in `campaign-rules.lua`.
  const begun = rows - counts.waiting - counts.cancelled;
  const isHeld = fields['canary-held'] !== undefined;
  return {
    id: fields.id ?? '',
    name: fields.name ?? '',
    sha256: fields.sha256 ?? '',
    rows,
    store: fields.store ?? '',
    sheetId,
    sheetVersion: `${sheetId} ${fields.sheet_version ?? '0'}`,
    importId: sheetIdOf(fields.store, fields.import),
    header,
    map: new Map(map) as ColumnMap,
    mediaRoot: fields.mediaRoot ?? '',
    timezone: fields.timezone || null,
    source: fields.source ?? '',
    delimiter: fields.delimiter === ';' ? ';' : ',',
    window: number('window'),
    leftOut: number('leftOut'),
    canary: canary ?? null,
    canaryOf: fields['canary-of'] || undefined,
    startedBy: fields['started-by'] || undefined,
    stopAfter: optional('stop-after') ?? null,
    lead: optional('lead') ?? null,
    approve: approveRules.find((rule) => rule === fields.approve) ?? 'none',
    createdAt: number('created'),
    state: state.data,
    pauseReason: readStored(pauseReason, fields.paused),
    endedAt: optional('ended'),
    workedMs: optional('worked'),
    cancelledAt: optional('cancelled-at'),
    resumedAt: optional('resumed'),
    pausedBy: readStored(pausedBy, fields.paused_by),
    released: readStored(pausedBy, fields.released),
    begun,
    canaryWindow: canary === undefined || isHeld ? undefined : Math.max(0, canary - begun),
    counts,
    plannedUntil: number('planned-until') * plannedEveryMs || undefined,
    asleep: number('asleep'),
    unapproved: number('unapproved'),
    unpaid: number('unpaid'),
    outputs: number('outputs'),
    held: number('held'),
    cursor: number('cursor'),
    admissions: number('admissions'),
    done: ofSteps((step) => number(`done:${step}`)),
  };
}
