/** Posts that wait for an approval: as they will be posted, with the digest that an approval names. */
import { z } from 'zod';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import type { RowProgress } from '../../ledger/rows/row-progress.ts';
import { approvalDigest, type WaitingRow } from '../../ledger/transitions/approvals.ts';
import { isUrl } from '../../manifest/cells/media-source.ts';
import { costOfOutputs, costSchema } from '../../manifest/money.ts';
import type { Row, RowIndex } from '../../manifest/row.ts';
import { identifyMedia } from '../../service/media/source.ts';
import { listMedia, mediumSchema } from '../campaigns/rows/media.ts';
import { ofCreator, type PageOptions, type RowsPage, readPage, rowsAtOnce } from '../campaigns/rows/pages.ts';
import { type Document, isoTime, isoTimeOrNull } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { commentDocument, commentSchema } from './comments.ts';
import { fateOf } from './fates.ts';

export const waitingPostSchema = z
  .strictObject({
    /** Id of the campaign. */
    campaign: z.string(),
    campaignName: z.string(),
    key: z.string(),
    /** In the campaign, from 0. */
    position: z.int(),
    revision: z.int(),
    /** Stands for all that will be posted: an approval names it. Null for a post that cannot be approved as it is. */
    seen: z.string().nullable(),
    /** Why it cannot be approved as it is. */
    fault: z.string().nullable(),
    creator: z.string(),
    caption: z.string(),
    product: z.string(),
    productId: z.string(),
    /** What else of the post an approval covers, for people: product id and source, music, AI label, pre-check, cover, region, time zone. */
    details: z.array(z.string()),
    /** What an approval does: the service gets it at once; it waits for its day; it is too late to send it (`post.late`). */
    fate: z.enum(['now', 'later', 'late']),
    mediaType: z.enum(['VIDEO', 'PHOTO']),
    scheduledAt: isoTime.nullable(),
    media: z.array(mediumSchema),
    /** URLs of generated media. */
    assets: z.array(z.string()),
    /** AI outputs that another generation would make; 0 for given media. */
    outputs: z.int(),
    /** What they cost; null without prices in the settings. */
    cost: costSchema.nullable(),
    /** The oldest first. */
    comments: z.array(commentSchema),
  })
  .meta({ id: 'WaitingPost' });

/** A post as programs get it, and what pages need besides. */
export interface WaitingPost extends Document<typeof waitingPostSchema> {
  /** `line 5`, of a row without a key of its own. */
  readonly place: string | undefined;
}

export type ApprovalRuntime = Pick<Runtime, 'ledger' | 'views' | 'settings' | 'now'>;

/** A row must match every given field. */
export interface WaitingFilter {
  readonly campaign?: string | undefined;
  /** As written in the sheet. */
  readonly creator?: string | undefined;
  /** Planned within this span: Unix epoch, milliseconds, the end excluded. */
  readonly between?: readonly [from: number, to: number] | undefined;
}

export type WaitingPage = RowsPage<WaitingPost>;

/** Campaign by campaign, the nearest planned time first. */
export function listWaitingPosts(
  runtime: ApprovalRuntime,
  options: PageOptions<WaitingFilter> = {},
): Promise<WaitingPage> {
  const { filter = {} } = options;
  const { approvals } = runtime.ledger;
  const list = {
    countOf: ({ unapproved }: Campaign) => unapproved,
    async *partsOf({ id }: Campaign, place: string | undefined) {
      for (let next = readPlace(place); ; ) {
        const rows = await approvals.waiting(id, { from: next, most: rowsAtOnce + 1 });
        yield rows.slice(0, rowsAtOnce);
        next = rows[rowsAtOnce];
        if (next === undefined) break;
      }
    },
    fits: (campaign: Campaign, rows: readonly WaitingRow[]) =>
      ofCreator(runtime, campaign, timely(rows, filter), filter.creator),
    describe: (campaign: Campaign, rows: readonly WaitingRow[]) =>
      describeWaiting(runtime, campaign, inOrder(rows)),
    placeOf: writePlace,
  };
  return readPage(runtime, list, options);
}

/** The place of a row among those of its campaign. It stays the same when others leave the list. */
export function writePlace({ at, row }: WaitingRow): string {
  return `${at}-${row}`;
}

/** @returns undefined for the begin of the list. */
export function readPlace(place: string | undefined): WaitingRow | undefined {
  const [, at, row] = /^(\d{1,16})-(\d{1,9})$/.exec(place ?? '') ?? [];
  return at === undefined ? undefined : { at: Number(at), row: Number(row) };
}

/** Those of one time in the order of the sheet, as far as a page goes. */
export function inOrder(rows: readonly WaitingRow[]): readonly RowIndex[] {
  return rows.toSorted((one, other) => one.at - other.at || one.row - other.row).map(({ row }) => row);
}

function timely(rows: readonly WaitingRow[], { between }: WaitingFilter): readonly WaitingRow[] {
  return rows.filter(({ at }) => !between || (at >= between[0] && at < between[1]));
}

/** A row that waits for an approval, as far as that is about it. */
export interface ShownPost {
  readonly row: RowIndex;
  readonly revision: number;
  readonly spec: Row;
  readonly progress: RowProgress;
  /** Undefined for one that cannot be approved as it is, with the reason. */
  readonly digest: string | undefined;
  readonly fault: string | undefined;
}

/** A row is approved or rejected at the one, and loses its approval at the other. */
export type DecidedGate = 'unapproved' | 'ready';

/** @returns those of the rows that wait for an approval, or have one and are `ready`, and can be read, in their order. */
export async function readShownPosts(
  { ledger, views }: Pick<Runtime, 'ledger' | 'views'>,
  campaign: Campaign,
  rows: readonly RowIndex[],
  gate: DecidedGate = 'unapproved',
): Promise<readonly ShownPost[]> {
  const { id, sheetVersion, mediaRoot } = campaign;
  const [statuses, waits, words, records, view] = await Promise.all([
    ledger.rows.statusesOf(id, rows),
    ledger.approvals.areAt(id, gate, rows),
    gate === 'ready' ? ledger.approvals.of(id, rows) : undefined,
    ledger.rows.progressOf(id, rows),
    views.open(id, sheetVersion),
  ]);
  const shown = rows.map(async (row, index): Promise<readonly ShownPost[]> => {
    const [status, progress] = [statuses[index], records[index]];
    if (status?.state !== 'ready' || !waits[index] || !progress) return [];
    if (words && words[index]?.is !== 'approved') return [];
    const read = await view?.readableWithCreator(row);
    if (!read) return [];
    const { row: spec, creator } = read;
    const isOther = await isOtherFile(ledger, spec, progress, mediaRoot);
    const digest = isOther ? undefined : approvalDigest(spec, creator.creatorId, progress);
    return [{ row, revision: status.revision, spec, progress, digest, fault: faultOf(isOther, digest) }];
  });
  return (await Promise.all(shown)).flat();
}

/** Why a post cannot be approved as it is; undefined if it can. @param isOther as `isOtherFile` found. */
function faultOf(isOther: boolean, digest: string | undefined): string | undefined {
  if (isOther)
    return 'A file has changed since it was uploaded, or the record of its upload is lost: what you see may not be what would be posted.';
  return digest === undefined ? 'A file of the post is not uploaded.' : undefined;
}

/** Whether a file on disk, which is what people are shown, is not the one that was uploaded. A URL is shown as it is now, too: nobody can tell. */
async function isOtherFile(
  { files }: Runtime['ledger'],
  { media, generation, cover }: Row,
  progress: RowProgress,
  mediaRoot: string,
): Promise<boolean> {
  const given = generation === undefined ? media : [];
  const uploads = given.map((source, index) => ({ source, fileId: progress.files.get(index) }));
  if (cover?.kind === 'file') uploads.push({ source: cover.source, fileId: progress.cover?.fileId });
  const local = uploads.filter(({ source }) => !isUrl(source));
  const identities = await Promise.all(local.map(({ source }) => identifyMedia(source, mediaRoot)));
  const known = await files.findBySource(identities.map((identity) => identity ?? ''));
  return local.some(({ fileId }, at) => known[at]?.fileId !== fileId);
}

/** Those that `readShownPosts` finds. */
export async function describeWaiting(
  runtime: ApprovalRuntime,
  campaign: Campaign,
  rows: readonly RowIndex[],
  gate?: DecidedGate,
): Promise<readonly WaitingPost[]> {
  const described: WaitingPost[] = [];
  for (const some of batches(rows, postsAtOnce))
    described.push(
      ...(await describePosts(runtime, campaign, await readShownPosts(runtime, campaign, some, gate))),
    );
  return described;
}

/** Their files are looked at together. */
export const postsAtOnce = 200;

/** What the picture of a post does not show, but its digest is made of. */
export function detailsOf(row: Row): string[] {
  const { product, music, cover, schedule, oauthRegion, isAiGenerated, preCheck, preCheckOvertime } = row;
  const label = isAiGenerated === true ? 'AI label' : 'No AI label';
  const check = preCheckOvertime === undefined ? 'Pre-check' : `Pre-check, up to ${preCheckOvertime} s`;
  return [
    product.id && `Product ${product.id} from the ${product.source === 'SHOP' ? 'shop' : 'showcase'}`,
    music && `Music: ${[music.title, music.author, music.id].filter(Boolean).join(', ')}`,
    isAiGenerated !== undefined && label,
    preCheck !== undefined && (preCheck ? check : 'No pre-check'),
    cover?.kind === 'frame' && `Cover: frame at ${cover.timestampMs / 1000} s`,
    // A cover from a file is in the picture.
    cover?.kind === 'uploaded' && `Cover: uploaded file ${cover.fileId}, ${cover.uri}`,
    oauthRegion && `Region ${oauthRegion}`,
    schedule?.tz && `Time zone ${schedule.tz}`,
  ].filter((text): text is string => Boolean(text));
}

/** As they will be posted: told by what their digests are made of. */
async function describePosts(
  runtime: ApprovalRuntime,
  campaign: Campaign,
  shown: readonly ShownPost[],
): Promise<readonly WaitingPost[]> {
  const comments = await runtime.ledger.comments.of(
    campaign.id,
    shown.map(({ row }) => row),
  );
  return Promise.all(
    shown.map(async ({ row, revision, spec, progress, digest, fault }, index): Promise<WaitingPost> => {
      runtime.ledger.rowKeys.remember(campaign, spec.key, row);
      return {
        campaign: campaign.id,
        campaignName: campaign.name,
        key: spec.key,
        place: await runtime.ledger.rowKeys.placeOf(campaign, row),
        position: row,
        revision,
        seen: digest ?? null,
        fault: fault ?? null,
        creator: spec.creator,
        caption: spec.caption,
        product: spec.product.title || spec.product.id,
        productId: spec.product.id,
        details: detailsOf(spec),
        fate: fateOf(runtime, campaign, spec),
        mediaType: spec.mediaType,
        scheduledAt: isoTimeOrNull(spec.schedule?.at),
        media: await listMedia(runtime, campaign, row),
        assets: [...progress.assets],
        outputs: spec.generation?.count ?? 0,
        cost:
          spec.generation === undefined
            ? null
            : costOfOutputs([[spec.generation.model, spec.generation.count]], runtime.settings.spend),
        comments: (comments[index] ?? []).map(commentDocument),
      };
    }),
  );
}
