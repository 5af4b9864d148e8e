/** Client links: each opens the posts of one campaign or draft to anyone with its token, kept as SHA-256 only. Redis drops expired ones. */
import { z } from 'zod';
import { LedgerPart } from '../ledger-part.ts';
import { readStored } from '../stored-json.ts';

const stored = z.object({
  id: z.string(),
  /** What it was made of: a campaign, or a draft. */
  campaign: z.string().optional(),
  draft: z.string().optional(),
  /** Whether its guests may approve and reject. */
  mayApprove: z.boolean(),
  /** Name of its receiver; may be empty. */
  label: z.string(),
  by: z.string(),
  /** Unix epoch, milliseconds. */
  at: z.number(),
  expiresAt: z.number(),
});
export type Share = Readonly<z.infer<typeof stored>>;

export type ShareOf = Pick<Share, 'campaign' | 'draft'>;

/** Links of one campaign or draft at the same time. */
export const mostShares = 50;

export class ShareLedger extends LedgerPart {
  /** @param digest SHA-256 of the token, in hex. @returns whether there was room. */
  async add(digest: string, share: Omit<Share, 'at'>): Promise<boolean> {
    const [now, expiresAt] = [this.now(), Math.ceil(share.expiresAt)];
    const json = JSON.stringify({ ...share, at: now });
    const args = [ownerOf(share), digest, json, expiresAt, now, mostShares];
    return (await this.run('access/add-share', args)) === 1;
  }

  /** Undefined for one that is unknown, revoked or expired. */
  async find(digest: string): Promise<Share | undefined> {
    const share = readStored(stored, await this.redis.get(this.keys.share(digest)));
    return share && share.expiresAt > this.now() ? share : undefined;
  }

  /** The valid links of a campaign or draft, by their expiry. */
  async list(of: ShareOf): Promise<readonly (readonly [digest: string, share: Share])[]> {
    const digests = await this.redis.zrange(this.keys.shares(ownerOf(of)), '0', '-1');
    const found = await Promise.all(digests.map((digest) => this.find(digest)));
    return digests.flatMap((digest, index) => {
      const share = found[index];
      return share === undefined ? [] : [[digest, share] as const];
    });
  }

  async remove(of: ShareOf, digest: string): Promise<void> {
    const pipeline = this.redis.pipeline().del(this.keys.share(digest));
    await this.exec(pipeline.zrem(this.keys.shares(ownerOf(of)), digest));
  }
}

/** As their keys name it. */
function ownerOf({ campaign, draft }: ShareOf): string {
  return draft === undefined ? `c:${campaign}` : `d:${draft}`;
}
