/** Approvals: what a person has seen of a post before it is sent, and what they said. The post is made of exactly that. */

import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Row, RowIndex, RowVersion } from '../../manifest/row.ts';
import type { ScriptArgument } from '../../platform/redis/script.ts';
import type { Campaign } from '../campaigns/campaign.ts';
import { batches, LedgerPart, pairs } from '../ledger-part.ts';
import { fileIdsOf, type RowProgress } from '../rows/row-progress.ts';
import type { RowError } from '../states.ts';
import { readStored } from '../stored-json.ts';
import type { Gate } from './step-outcomes.ts';

const approval = z.discriminatedUnion('is', [
  z.looseObject({ is: z.literal('approved'), by: z.string(), at: z.number(), digest: z.string() }),
  z.looseObject({ is: z.literal('rejected'), by: z.string(), at: z.number(), reason: z.string() }),
]);
/** The latest approval or rejection of a row. `at`: Unix epoch, milliseconds. */
export type Approval = Readonly<z.infer<typeof approval>>;

interface RowToApprove extends RowVersion {
  readonly digest: string;
  /** From when on it goes on, once it is approved (Unix epoch, milliseconds). */
  readonly opensAt: number;
}

export interface WaitingRow {
  readonly row: RowIndex;
  /** Its planned time, or when it began to wait. Unix epoch, milliseconds. */
  readonly at: number;
}

/** Rows of a campaign are fewer. */
const mostWaiting = 1_000_000_000;
/** Rows of one script: more would block Redis for too long. */
const rowsAtOnce = 200;

export class ApprovalLedger extends LedgerPart {
  /** Rows that wait for an approval, the nearest planned time first. @param from where the first one stands or stood. */
  async waiting(
    campaign: string,
    { from, most = mostWaiting }: { readonly from?: WaitingRow | undefined; readonly most?: number } = {},
  ): Promise<readonly WaitingRow[]> {
    const args = [campaign, from?.at ?? '', from?.row ?? '', most];
    const flat = await this.run<readonly string[]>('approvals/list-waiting', args);
    return Array.from(pairs(flat), ([row, at]) => ({ row: Number(row), at: Number(at) }));
  }

  /** Rows that are approved and still wait for their day, the nearest first. */
  async approved(campaign: string): Promise<readonly RowIndex[]> {
    const ready = await this.rowsOf(campaign, 'ready');
    const approved: RowIndex[] = [];
    for (const some of batches(ready, rowsAtOnce)) {
      const words = await this.of(campaign, some);
      approved.push(...some.filter((_row, index) => words[index]?.is === 'approved'));
    }
    return approved;
  }

  /** The latest approval or rejection of each row; undefined without one. */
  async of(campaign: string, rows: readonly RowIndex[]): Promise<readonly (Approval | undefined)[]> {
    if (rows.length === 0) return [];
    const found = await this.redis.hmget(this.keys.approvals(campaign), ...rows.map(String));
    return found.map((json) => readStored(approval, json));
  }

  /** Rows whose AI outputs are beyond a limit, the nearest planned time first. */
  unpaid(campaign: string, most?: number): Promise<readonly RowIndex[]> {
    return this.rowsOf(campaign, 'unpaid', most);
  }

  /** AI outputs that all campaigns have asked for in this month (UTC). */
  async outputsOfMonth(): Promise<number> {
    const month = new Date(this.now()).toISOString().slice(0, 7);
    return Number(await this.redis.get(this.keys.outputs(month)));
  }

  /** @returns the rows that make their AI outputs now. */
  allowSpending(campaign: string, rows: readonly RowVersion[], by: string): Promise<ReadonlySet<RowIndex>> {
    const changes = rows.map(({ row, revision }) => [row, revision]);
    return this.#decide('allow-spending', [campaign, this.clock, by], changes);
  }

  async areAt(campaign: string, gate: Gate['name'], rows: readonly RowIndex[]): Promise<readonly boolean[]> {
    if (rows.length === 0) return [];
    const found = await this.redis.zmscore(this.keys.index(campaign, gate), ...rows.map(String));
    return found.map((at) => at !== null);
  }

  /** Whether it has, or may have, approvals or comments. */
  async hasAny({ id, approve, unapproved }: Campaign): Promise<boolean> {
    if (approve !== 'none' || unapproved > 0) return true;
    return (await this.redis.exists(this.keys.approvals(id), this.keys.comments(id))) > 0;
  }

  /** @returns the rows that are approved now; the others have changed, or wait for no approval. */
  approve(campaign: string, rows: readonly RowToApprove[], by: string): Promise<ReadonlySet<RowIndex>> {
    const changes = rows.map(({ row, revision, digest, opensAt }) => [row, revision, digest, opensAt]);
    return this.#decide('approve-rows', [campaign, this.clock, by], changes);
  }

  /**
   * Makes rows wait for another approval, in their next revision.
   * @param rows `plannedAt`: when each is planned to be posted (Unix epoch, milliseconds); undefined: at once.
   * @returns those that were approved and still waited for their day.
   */
  withdraw(
    campaign: string,
    rows: readonly (RowVersion & { readonly plannedAt: number | undefined })[],
    by: string,
  ): Promise<ReadonlySet<RowIndex>> {
    const changes = rows.map(({ row, revision, plannedAt }) => [row, revision, plannedAt ?? '']);
    return this.#decide('withdraw-rows', [campaign, this.clock, by], changes);
  }

  /** Makes rows fail: an edit or a retry resumes them. @returns the rows that are rejected now. */
  reject(
    campaign: string,
    rows: readonly RowVersion[],
    said: { readonly by: string; readonly reason: string; readonly error: Omit<RowError, 'at'> },
  ): Promise<ReadonlySet<RowIndex>> {
    const first = [campaign, this.clock, said.by, said.reason, JSON.stringify(said.error)];
    const changes = rows.map(({ row, revision }) => [row, revision]);
    return this.#decide('reject-rows', first, changes);
  }

  /** Runs a script for some rows at a time. @param first its arguments before those of each row. @returns the rows that it changed. */
  async #decide(
    script: 'approve-rows' | 'reject-rows' | 'withdraw-rows' | 'allow-spending',
    first: readonly ScriptArgument[],
    rows: readonly (readonly ScriptArgument[])[],
  ): Promise<ReadonlySet<RowIndex>> {
    const changed: RowIndex[] = [];
    for (const batch of batches(rows, rowsAtOnce))
      changed.push(...(await this.run<number[]>(`approvals/${script}`, [...first, ...batch.flat()])));
    return new Set(changed);
  }
}

const postParts = ['media', 'caption', 'product', 'creator', 'time', 'options'] as const;
/** In the words of people. */
type PostPart = (typeof postParts)[number];

/** Characters of the digest of one part: 96 bits. */
const digestLength = 16;

/** @param creator id of the account. @returns undefined while a file of the post is not uploaded. */
export function approvalDigest(
  row: Row,
  creator: string,
  progress: Pick<RowProgress, 'files' | 'cover'>,
): string | undefined {
  const fileIds = fileIdsOf(row, progress);
  if (fileIds === undefined || (row.cover?.kind === 'file' && !progress.cover)) return undefined;
  const { id, title, source } = row.product;
  const { mediaType, oauthRegion, isAiGenerated, preCheck, preCheckOvertime, music } = row;
  const post: Readonly<Record<PostPart, unknown>> = {
    // The service keeps a file as it was uploaded.
    media: [mediaType, fileIds, row.cover?.kind === 'file' ? progress.cover : row.cover],
    caption: row.caption,
    product: [id, title, source],
    creator,
    time: [row.schedule?.at, row.schedule?.tz],
    options: [oauthRegion, isAiGenerated, preCheck, preCheckOvertime, music],
  };
  const digests = postParts.map((part) => {
    const text = JSON.stringify(post[part]);
    return createHash('sha256').update(text).digest('base64url').slice(0, digestLength);
  });
  return digests.join('.');
}

/** The parts that differ. @param seen a digest as somebody gives it: of any other text, all parts differ. */
export function changedParts(seen: string, now: string): readonly PostPart[] {
  const [before, after] = [seen.split('.'), now.split('.')];
  return postParts.filter((_part, index) => before[index] !== after[index]);
}
