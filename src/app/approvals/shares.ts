/** Client links: they show the posts of one campaign to people without an account, who may approve them if the link says so. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { mostShares, type Share } from '../../ledger/access/shares.ts';
import type { Campaign } from '../../ledger/campaigns/campaign.ts';
import { parts } from '../../ledger/parts.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { digestOf, makeSecret } from '../access/credentials.ts';
import { findCampaign } from '../campaigns/find.ts';
import { type Document, isoTime, isoTimeOf } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';

const dayMs = 86_400_000;
export const usualShareMs = 14 * dayMs;
/** Longest text that says for whom a link is, in characters. */
export const longestLabel = 80;

export const shareSchema = z
  .strictObject({
    id: z.string(),
    /** Id of the campaign. */
    campaign: z.string(),
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

/** @param by who makes it. @returns it with its path, which is told once: only a hash of it is kept. @throws {UseCaseError} `campaign_not_found`, `links_full`. */
export async function makeShare(
  { ledger, now, environment }: Pick<Runtime, 'ledger' | 'now' | 'environment'>,
  campaign: string,
  { mayApprove, label, forMs }: NewShare,
  by: string,
): Promise<{
  readonly link: Document<typeof shareSchema>;
  readonly path: string;
  readonly url: string | null;
}> {
  await findCampaign({ ledger }, campaign);
  const token = makeSecret();
  const share = {
    id: randomBytes(4).toString('hex'),
    campaign,
    mayApprove,
    label,
    by,
    expiresAt: now() + forMs,
  };
  if (!(await ledger.access.shares.add(digestOf(token), share)))
    throw new UseCaseError(
      'links_full',
      `campaign ${campaign} has ${mostShares} client links, the most it may have`,
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

function shareDocument({
  id,
  campaign,
  mayApprove,
  label,
  by,
  at,
  expiresAt,
}: Share): Document<typeof shareSchema> {
  return { id, campaign, mayApprove, label, by, at: isoTimeOf(at), expiresAt: isoTimeOf(expiresAt) };
}

/** @param id of a campaign; default: of all. @throws {UseCaseError} `campaign_not_found`. */
export async function listShares(
  { ledger }: Pick<Runtime, 'ledger'>,
  id?: string,
): Promise<readonly Document<typeof shareSchema>[]> {
  if (id !== undefined) await findCampaign({ ledger }, id);
  return (await sharesOf(ledger, id)).map(([, share]) => shareDocument(share));
}

const campaignsAtOnce = 100;

async function sharesOf({ campaigns, access }: Runtime['ledger'], id: string | undefined) {
  const found: Awaited<ReturnType<typeof access.shares.list>>[] = [];
  for (const ids of parts(id === undefined ? await campaigns.ids() : [id], campaignsAtOnce))
    found.push(...(await Promise.all(ids.map((each) => access.shares.list(each)))));
  return found.flat();
}

/** @param id of the link. @returns what it was. @throws {UseCaseError} `link_not_found`. */
export async function revokeShare(
  { ledger }: Pick<Runtime, 'ledger'>,
  id: string,
): Promise<Document<typeof shareSchema>> {
  const [digest, share] = (await sharesOf(ledger, undefined)).find(([, each]) => each.id === id) ?? [];
  if (digest === undefined || share === undefined)
    throw new UseCaseError('link_not_found', `there is no client link ${id}`, { fix: 'List the links.' });
  await ledger.access.shares.remove(share.campaign, digest);
  return shareDocument(share);
}

/** @returns undefined for a token that is unknown, revoked or expired, and if the campaign is gone. */
export async function openShare(
  { ledger }: Pick<Runtime, 'ledger'>,
  token: string,
): Promise<{ readonly share: Share; readonly campaign: Campaign } | undefined> {
  const share = /^[\w-]{43}$/.test(token) ? await ledger.access.shares.find(digestOf(token)) : undefined;
  const campaign = share && (await ledger.campaigns.find(share.campaign));
  return share && campaign && { share, campaign };
}
