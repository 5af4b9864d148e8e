/**
 * What must hold after any fault: the results sheet agrees with the sandbox's own record. Captions and prompts identify the
 * rows, so a manifest must not repeat them.
 */
import { expect } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { ResultRow, ResultSheet } from './sheets/sheet.ts';

export interface AgreementOptions {
  /** How many generations a row may have; more than one only if the test ends one explicitly. */
  readonly generationsPerRow?: number;
  /** A person may have named the post of a row of which Redis had lost uploads: then not all of its files are known. */
  readonly mayLackFiles?: boolean;
}

/**
 * At most one post and one generation per row. Every confirmed effect is in the record. Every effect without a known answer
 * is in review. No row is unfinished. The key went to no storage, download or redirect.
 */
export function expectAgreement(sandbox: Sandbox, sheet: ResultSheet, options: AgreementOptions = {}): void {
  expect(disagreements(sandbox, sheet, options)).toEqual([]);
}

/** Everything that disagrees, as text. What is about a row begins with `row <key> `. */
export function disagreements(
  sandbox: Pick<Sandbox, 'effects' | 'calls'>,
  { rows }: ResultSheet,
  { generationsPerRow = 1, mayLackFiles = false }: AgreementOptions = {},
): readonly string[] {
  const { posts, generations } = sandbox.effects();
  const postsOf = Map.groupBy(posts, ({ title }) => title);
  const generationsOf = Map.groupBy(generations, ({ request }) => request.params.prompt);
  const found = rows.flatMap((row) => [
    ...postFaults(row, postsOf.get(row.caption ?? '') ?? [], mayLackFiles),
    ...generationFaults(row, generationsOf.get(row.ai_prompt ?? '')?.length ?? 0, generationsPerRow),
  ]);
  const captions = new Set(rows.map((row) => row.caption));
  for (const { title } of posts) if (!captions.has(title)) found.push(`a post of no row: ${title}`);
  for (const operation of ['putFile', 'getAsset', 'decoy'] as const) {
    const leaks = sandbox.calls(operation).filter((call) => call.withKey).length;
    if (leaks > 0) found.push(`the key went to ${operation} ${leaks} times`);
  }
  return found;
}

type Post = ReturnType<Sandbox['effects']>['posts'][number];

function postFaults(row: ResultRow, posts: readonly Post[], mayLackFiles: boolean): string[] {
  const [post, ...more] = posts;
  const what = `row ${row.key} is ${row.status} (${row.error_code})`;
  if (more.length > 0) return [`${what} and has ${posts.length} posts`];
  switch (row.status) {
    case 'posted':
      if (!post) return [`${what}, but no post is in the record`];
      return [
        ...(post.postId === row.post_id ? [] : [`${what} as ${row.post_id}, the record has ${post.postId}`]),
        ...(filesOf(post) === row.file_ids || (mayLackFiles && isPartOf(row.file_ids ?? '', filesOf(post)))
          ? []
          : [`${what} with ${row.file_ids}, the record has ${filesOf(post)}`]),
      ];
    case 'review':
      return [];
    case 'failed':
      // A post that was not published is its row's, too.
      return post && post.postId !== row.post_id ? [`${what}, but a post is in the record`] : [];
    case 'cancelled':
    case 'skipped':
      return post ? [`${what}, but a post is in the record`] : [];
    default:
      return [`${what}: it has not ended`];
  }
}

function filesOf({ request }: Post): string {
  return request.mediaType === 'PHOTO' ? request.socialShopPhoto.businessIds.join('|') : request.businessId;
}

/** Whether all ids of the first list are in the second one. */
function isPartOf(ids: string, all: string): boolean {
  const known = new Set(['', ...all.split('|')]);
  return ids.split('|').every((id) => known.has(id));
}

function generationFaults(row: ResultRow, generations: number, most: number): string[] {
  if (!row.ai_prompt) return [];
  const what = `row ${row.key} is ${row.status} (${row.error_code})`;
  if (generations > most) return [`${what} and has ${generations} generations`];
  if (row.status === 'posted' && generations === 0) return [`${what}, but no generation is in the record`];
  if (row.status === 'failed' && row.step === 'generate' && generations === most) {
    return [`${what} at its generation, but a generation is in the record`];
  }
  return [];
}
