/** Checks a demo from outside: compares each row of the results sheet with the expected result, and with the sandbox's record. */
import { parse } from 'csv-parse/sync';
import { plural } from '../../runtime/wording.ts';

/** A line of a sheet, by header. */
export type SheetRow = Readonly<Record<string, string>>;

/** What the sandbox has recorded. */
export interface SandboxRecord {
  readonly posts: readonly { readonly postId: string; readonly title: string }[];
  readonly generations: readonly { readonly request: { readonly params: { readonly prompt: string } } }[];
}

export interface Finding {
  /** What should hold. */
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
export function observeDemo(rows: readonly SheetRow[], record: SandboxRecord): readonly Finding[] {
  const isMeant = (status: string) => (row: SheetRow) => meant(row).status === status;
  const toPost = rows.filter(isMeant('posted'));
  const toFail = rows.filter(isMeant('failed'));
  const toReview = rows.filter(isMeant('review'));
  const generated = rows.filter((row) => cell(row, 'ai_prompt') !== '');
  return [
    {
      claim: `${plural(toPost.length, 'row')} posted, with exactly one post each in the service`,
      differences: toPost.flatMap((row) => [...statusOf(row), ...onePost(row, record)]),
    },
    {
      claim: `${plural(toFail.length, 'row')} failed, each for the intended reason`,
      differences: toFail.flatMap(statusOf),
    },
    {
      claim: `${plural(toReview.length, 'answer')} lost: the row waits for a decision and was not sent again`,
      differences: toReview.flatMap((row) => [...statusOf(row), ...sentOnce(row, record)]),
    },
    {
      claim: `${plural(generated.length, 'generation')} created, none twice`,
      differences: generated.flatMap((row) => generatedOnce(row, record)),
    },
    { claim: 'no post without a row', differences: unaskedPosts(rows, record) },
  ];
}

export function isAsMeant(findings: readonly Finding[]): boolean {
  return findings.every(({ differences }) => differences.length === 0);
}

function meant(row: SheetRow): { readonly status: string; readonly code: string } {
  return exceptions[cell(row, 'key')] ?? { status: 'posted', code: '' };
}

function statusOf(row: SheetRow): string[] {
  const wanted = meant(row);
  const [status, code] = [cell(row, 'status'), cell(row, 'error_code')];
  if (status === wanted.status && code === wanted.code) return [];
  return [
    `row ${cell(row, 'key')} is ${describe(status, code)}; expected ${describe(wanted.status, wanted.code)}`,
  ];
}

function onePost(row: SheetRow, { posts }: SandboxRecord): string[] {
  const its = posts.filter(({ title }) => title === cell(row, 'caption'));
  if (its.length === 1 && its[0]?.postId === cell(row, 'post_id')) return [];
  const ids = its.map(({ postId }) => postId).join(', ') || 'none';
  return [
    `row ${cell(row, 'key')} names the post ${cell(row, 'post_id') || '(none)'}; the service has ${ids}`,
  ];
}

function sentOnce(row: SheetRow, { posts }: SandboxRecord): string[] {
  const count = posts.filter(({ title }) => title === cell(row, 'caption')).length;
  return count === 1 ? [] : [`row ${cell(row, 'key')} has ${plural(count, 'post')} in the service`];
}

function generatedOnce(row: SheetRow, { generations }: SandboxRecord): string[] {
  const its = generations.filter(({ request }) => request.params.prompt === cell(row, 'ai_prompt'));
  if (its.length === 1) return [];
  return [`row ${cell(row, 'key')} has ${plural(its.length, 'generation')} in the service`];
}

function unaskedPosts(rows: readonly SheetRow[], { posts }: SandboxRecord): string[] {
  const asked = new Set(
    rows.filter((row) => meant(row).status !== 'failed').map((row) => cell(row, 'caption')),
  );
  return posts.filter(({ title }) => !asked.has(title)).map(({ postId, title }) => `${postId}: ${title}`);
}

function cell(row: SheetRow, name: string): string {
  return row[name] ?? '';
}

function describe(status: string, code: string): string {
  return code === '' ? status : `${status} (${code})`;
}
