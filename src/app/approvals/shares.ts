/**
 * Client links: they show the posts of one campaign to people without an account, who may approve them if the link says so. That of a
 * draft shows its plan, and from the start on the campaign that it became.
 */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { mostShares, type Share, type ShareOf } from '../../ledger/access/shares.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { batches } from '../../ledger/ledger-part.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { digestOf, makeSecret } from '../access/credentials.ts';
import { findCampaign } from '../campaigns/find.ts';
import { type Draft, draftRefused, refuseStarted } from '../drafts/draft.ts';
import { findDraft, findDraftOf, listDrafts } from '../drafts/drafts.ts';
import { type Document, isoTime, isoTimeOf } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

const dayMs = 86_400_000;
export const usualShareMs = 14 * dayMs;
/** Longest text that says for whom a link is, in characters. */
export const longestLabel = 80;

export const shareSchema = z
  .strictObject({
    id: z.string(),
    /** Id of the campaign that it opens; null before the draft is started. */
    campaign: z.string().nullable(),
    /** Id of the draft that it was made of. */
    draft: z.string().nullable(),
    mayApprove: z.boolean(),
    label: z.string(),
    by: z.string(),
    at: isoTime,
    expiresAt: isoTime,
  })
  .meta({ id: 'ClientLink' });

export interface NewShare {
  readonly mayApprove: boolean;
  readonly label: string;
  /** Milliseconds from now. */
  readonly forMs: number;
}

/** @param by who makes it. @returns it with its path, which is told once: only a hash of it is kept. @throws {UseCaseError} `campaign_not_found`, `draft_not_found`, `draft_refused`, `draft_changed`, `links_full`. */
export async function makeShare(
  { ledger, now, environment }: Pick<Runtime, 'ledger' | 'now' | 'environment'>,
  of: ShareOf,
  { mayApprove, label, forMs }: NewShare,
  by: string,
): Promise<{
  readonly link: Document<typeof shareSchema>;
  readonly path: string;
  readonly url: string | null;
}> {
  await refuseUnsharable({ ledger, environment }, of);
  const token = makeSecret();
  const share = {
    id: randomBytes(4).toString('hex'),
    ...of,
    mayApprove,
    label,
    by,
    expiresAt: now() + forMs,
  };
  if (!(await ledger.access.shares.add(digestOf(token), share)))
    throw new UseCaseError(
      'links_full',
      `${of.draft === undefined ? `campaign ${of.campaign}` : 'the draft'} already has ${mostShares} client links, the limit`,
      {
        fix: 'Revoke one that is not used.',
      },
    );
  const { consoleOrigin, consoleBase } = environment;
  const path = `/shared/${token}`;
  return {
    link: shareDocument({ ...share, at: now() }),
    path,
    url: consoleOrigin ? `${consoleOrigin}${consoleBase}${path}` : null,
  };
}

async function refuseUnsharable(
  runtime: Pick<Runtime, 'ledger' | 'environment'>,
  { campaign = '', draft: id }: ShareOf,
): Promise<void> {
  if (id === undefined) return void (await findCampaign(runtime, campaign));
  const draft = await findDraft(runtime, id);
  refuseStarted(draft);
  if (draft.into === undefined) return;
  throw draftRefused(
    `the sheet updates campaign ${draft.into}, so it does not become a new campaign`,
    'Make a client link to that campaign.',
  );
}

function shareDocument(share: Share): Document<typeof shareSchema> {
  const { id, campaign = null, draft = null, mayApprove, label, by } = share;
  const [at, expiresAt] = [isoTimeOf(share.at), isoTimeOf(share.expiresAt)];
  return { id, campaign, draft, mayApprove, label, by, at, expiresAt };
}

/** Without a campaign or draft, those of all. @throws {UseCaseError} `campaign_not_found`, `draft_not_found`. */
export async function listShares(
  runtime: ListRuntime,
  of: ShareOf = {},
): Promise<readonly Document<typeof shareSchema>[]> {
  if (of.campaign !== undefined) await findCampaign(runtime, of.campaign);
  if (of.draft !== undefined) await findDraft(runtime, of.draft);
  return (await sharesOf(runtime, of)).map(([, share]) => shareDocument(share));
}

type ListRuntime = Pick<Runtime, 'ledger' | 'environment' | 'settings' | 'now'>;

const listedAtOnce = 100;

/** Those of a draft that was started name its campaign, too. */
async function sharesOf(runtime: ListRuntime, of: ShareOf): Promise<readonly (readonly [string, Share])[]> {
  const { access } = runtime.ledger;
  const found: (readonly [string, Share])[] = [];
  for (const some of batches(await ownersOf(runtime, of), listedAtOnce)) {
    const lists = some.map(async ({ campaign, draft }) => {
      const shares = await access.shares.list(draft === undefined ? { campaign } : { draft });
      return shares.map(([digest, share]) => [digest, { ...share, campaign }] as const);
    });
    found.push(...(await Promise.all(lists)).flat());
  }
  return found;
}

async function ownersOf(runtime: ListRuntime, { campaign, draft }: ShareOf): Promise<readonly ShareOf[]> {
  if (draft !== undefined) return [{ draft }];
  if (campaign !== undefined) {
    const own = await findDraftOf(runtime, { id: campaign });
    return [{ campaign }, ...(own === undefined ? [] : [{ campaign, draft: own.id }])];
  }
  const [ids, { drafts }, ledger] = await Promise.all([
    runtime.ledger.campaigns.ids(),
    listDrafts(runtime),
    runtime.ledger.format.id(),
  ]);
  const started = (draft: Draft) => (draft.ledger === ledger ? draft.campaign : undefined);
  return [
    ...ids.map((id) => ({ campaign: id })),
    ...drafts.map((each) => ({ campaign: started(each), draft: each.id })),
  ];
}

/** Whether a client link opens the campaign now: its guests see all comments. */
export async function hasLink(runtime: ListRuntime, campaign: string): Promise<boolean> {
  return (await sharesOf(runtime, { campaign })).length > 0;
}

/** @param id of the link. @returns what it was. @throws {UseCaseError} `link_not_found`. */
export async function revokeShare(runtime: ListRuntime, id: string): Promise<Document<typeof shareSchema>> {
  const [digest, share] = (await sharesOf(runtime, {})).find(([, each]) => each.id === id) ?? [];
  if (digest === undefined || share === undefined)
    throw new UseCaseError('link_not_found', `there is no client link ${id}`, { fix: 'List the links.' });
  await runtime.ledger.access.shares.remove(share, digest);
  return shareDocument(share);
}

/** What a link opens: the campaign, or a draft that is not started yet. */
export type SharedSheet =
  | { readonly share: Share; readonly campaign: Campaign }
  | { readonly share: Share; readonly campaign?: undefined; readonly draft: Draft };

/** @returns undefined for a token that is unknown, revoked or expired, and if the campaign or draft is gone. */
export async function openShare(
  runtime: Pick<Runtime, 'ledger' | 'environment'>,
  token: string,
): Promise<SharedSheet | undefined> {
  const { access, campaigns, format } = runtime.ledger;
  const share = /^[\w-]{43}$/.test(token) ? await access.shares.find(digestOf(token)) : undefined;
  if (share === undefined) return undefined;
  let id = share.campaign;
  if (share.draft !== undefined) {
    const draft = await findDraft(runtime, share.draft).catch(refuseMissing);
    if (draft === undefined || draft.into !== undefined) return undefined;
    if (draft.campaign === undefined) return { share, draft };
    // Campaigns of other ledgers have the same ids.
    id = draft.ledger === (await format.id()) ? draft.campaign : undefined;
  }
  const campaign = id === undefined ? undefined : await campaigns.find(id);
  return campaign && { share, campaign };
}

function refuseMissing(error: unknown): undefined {
  if (error instanceof UseCaseError && error.code === 'draft_not_found') return undefined;
  throw error;
}
