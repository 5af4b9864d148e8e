/**
 * The result of a posted row, packed into a few dozen bytes of text: Redis keeps a hash whose values stay under 64 bytes at
 * a sixth of the size. TAB separates: post id, status, time of the answer (seconds, base 36), file ids by comma.
 */
export interface PostedResult {
  readonly postId: string;
  /** As the service named it; empty where it did not. */
  readonly postStatus: string;
  readonly fileIds: readonly string[];
  /** Unix epoch, milliseconds, rounded down to the second. */
  readonly at: number;
}

/** Statuses that come often take one letter. The contract shows the first one only; the others mean nothing here. */
const letters = new Map([
  ['SCHEDULED', 'S'],
  ['PUBLISHED', 'P'],
  ['PUBLISHING', 'I'],
  ['FAILED', 'F'],
]);
const statuses = new Map([...letters].map(([status, letter]) => [letter, status]));

export function packResult(result: PostedResult): string {
  const status = letters.get(result.postStatus) ?? `=${result.postStatus.replaceAll('\t', ' ')}`;
  const seconds = Math.floor(result.at / 1000).toString(36);
  return [result.postId.replaceAll('\t', ' '), status, seconds, result.fileIds.join(',')].join('\t');
}

export function unpackResult(text: string): PostedResult {
  const [postId = '', status = '', seconds = '0', fileIds = ''] = text.split('\t');
  return {
    postId,
    postStatus: statuses.get(status) ?? status.slice(1),
    fileIds: fileIds === '' ? [] : fileIds.split(','),
    at: Number.parseInt(seconds, 36) * 1000,
  };
}
