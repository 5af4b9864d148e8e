/** What a person approves: a digest of all that is posted, part by part, so that people can be told which of them has changed. */
import { createHash } from 'node:crypto';
import type { Row } from '../../manifest/row.ts';
import { fileIdsOf, type RowProgress } from './row-progress.ts';

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
