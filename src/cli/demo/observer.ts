/** Checks a demo from outside: compares each row of the results sheet with the expected result, and with the sandbox's record. */
import { parse } from 'csv-parse/sync';
import { plural } from '../../manifest/wording.ts';

/** A line of a sheet, by header. */
export type SheetRow = Readonly<Record<string, string>>;

interface SandboxRecord {
  readonly posts: readonly { readonly postId: string; readonly title: string }[];
  readonly generations: readonly { readonly request: { readonly params: { readonly prompt: string } } }[];
}

export interface Finding {
  readonly claim: string;
  /** What differs; empty if it holds. */
  readonly differences: readonly string[];
}

/** Key of the row whose post is accepted, but whose answer gets lost. */
export const lostAnswerKey = 'lost-answer';

/** Expected results by key; all other rows should be posted. */
const exceptions: Readonly<Record<string, { readonly status: string; readonly code: string }>> = {
  [lostAnswerKey]: { status: 'review', code: 'outcome_unknown' },
  unavailable: { status: 'failed', code: '16001001' },
  'expired-1': { status: 'failed', code: '40101' },
  'expired-2': { status: 'failed', code: '40101' },
  generation: { status: 'failed', code: 'generation_failed' },
};

export function readSheet(content: string): readonly SheetRow[] {
  return parse(content, { columns: true, bom: true });
}

/** @param rows of the results sheet. */
export function observeDemo(
  rows: readonly SheetRow[],
  { posts, generations }: SandboxRecord,
): readonly Finding[] {
  const meantAs = (status: string) => rows.filter((row) => meant(row).status === status);
  const [toPost, toFail, toReview] = [meantAs('posted'), meantAs('failed'), meantAs('review')];
  const generated = rows.filter(({ ai_prompt = '' }) => ai_prompt !== '');
  const postsOf = ({ caption = '' }: SheetRow) => posts.filter(({ title }) => title === caption);
  const asked = new Set([...toPost, ...toReview].map(({ caption }) => caption));
  return [
    {
      claim: `${plural(toPost.length, 'row')} posted, with exactly one post each in the service`,
      differences: toPost.flatMap((row) => [...statusOf(row), ...onePost(row, postsOf(row))]),
    },
    {
      claim: `${plural(toFail.length, 'row')} failed, each for the intended reason`,
      differences: toFail.flatMap(statusOf),
    },
    {
      claim: `${plural(toReview.length, 'answer')} lost: the row waits for a decision and was not resent`,
      differences: toReview.flatMap((row) => [...statusOf(row), ...once(row, postsOf(row), 'post')]),
    },
    {
      claim: `${plural(generated.length, 'generation')} created, none twice`,
      differences: generated.flatMap((row) => {
        const its = generations.filter(({ request }) => request.params.prompt === row.ai_prompt);
        return once(row, its, 'generation');
      }),
    },
    {
      claim: 'no post without a row',
      differences: posts
        .filter(({ title }) => !asked.has(title))
        .map(({ postId, title }) => `${postId}: ${title}`),
    },
  ];
}

export function isAsMeant(findings: readonly Finding[]): boolean {
  return findings.every(({ differences }) => differences.length === 0);
}

function meant({ key = '' }: SheetRow): { readonly status: string; readonly code: string } {
  return exceptions[key] ?? { status: 'posted', code: '' };
}

function statusOf(row: SheetRow): string[] {
  const wanted = meant(row);
  const { key, status = '', error_code: code = '' } = row;
  if (status === wanted.status && code === wanted.code) return [];
  return [`row ${key} is ${describe(status, code)}; expected ${describe(wanted.status, wanted.code)}`];
}

function onePost({ key, post_id = '' }: SheetRow, posts: SandboxRecord['posts']): string[] {
  if (posts.length === 1 && posts[0]?.postId === post_id) return [];
  const ids = posts.map(({ postId }) => postId).join(', ') || 'none';
  return [`row ${key} names the post ${post_id || '(none)'}; the service has ${ids}`];
}

function once({ key }: SheetRow, found: readonly unknown[], noun: string): string[] {
  return found.length === 1 ? [] : [`row ${key} has ${plural(found.length, noun)} in the service`];
}

function describe(status: string, code: string): string {
  return code === '' ? status : `${status} (${code})`;
}
