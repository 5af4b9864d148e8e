/**
 * The result of a posted row, packed into a few dozen bytes of text: a Redis hash with values under 64 bytes takes a sixth of
 * the space. Separated by TAB: post id, status, time of the answer (seconds, base 36), file ids by comma, seconds that
 * the row took, base 36 (only for rows that succeeded at the first attempt; the scripts write it, and compare results without
 * it).
 */
export interface PostedResult {
  readonly postId: string;
  /** As given by the service; empty if it gives none. */
  readonly postStatus: string;
  readonly fileIds: readonly string[];
  /** Unix epoch, milliseconds, rounded down to the second. */
  readonly at: number;
  /** Seconds from the end of the row's first step to its post, if it succeeded at the first attempt; else undefined. */
  readonly tookSeconds?: number | undefined;
}

/** Frequent statuses are stored as one letter. The contract shows only the first of them. */
const letters = new Map([
  ['SCHEDULED', 'S'],
  ['PUBLISHED', 'P'],
  ['PUBLISHING', 'I'],
  ['FAILED', 'F'],
]);
const statuses = new Map([...letters].map(([status, letter]) => [letter, status]));

/** Data that a script writes at the end of a row or step: a payload, and further fields or assets. */
export interface ScriptEnd {
  readonly payload: string;
  readonly extras: readonly string[];
}

export function encodePost(post: {
  readonly result: PostedResult;
  readonly assets: readonly string[];
}): ScriptEnd {
  return {
    payload: packResult(post.result),
    extras: post.assets.length > 0 ? [JSON.stringify(post.assets)] : [],
  };
}

export function packResult(result: PostedResult): string {
  const status = letters.get(result.postStatus) ?? `=${result.postStatus.replace(/[\t\n]/g, ' ')}`;
  const seconds = Math.floor(result.at / 1000).toString(36);
  return [result.postId.replace(/[\t\n]/g, ' '), status, seconds, result.fileIds.join(',')].join('\t');
}

export function unpackResult(text: string): PostedResult {
  const [postId = '', status = '', seconds = '0', fileIds = '', took] = text.split('\t');
  return {
    postId,
    postStatus: statuses.get(status) ?? status.slice(1),
    fileIds: fileIds === '' ? [] : fileIds.split(','),
    at: Number.parseInt(seconds, 36) * 1000,
    ...(took !== undefined && { tookSeconds: Number.parseInt(took, 36) }),
  };
}

/** Several results, one a line. */
export function packResults(results: readonly PostedResult[]): string {
  return results.map(packResult).join('\n');
}

export function unpackResults(text: string): readonly PostedResult[] {
  return text.split('\n').map(unpackResult);
}
