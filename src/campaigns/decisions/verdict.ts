/** Verdicts of people about rows in review, and their form in a sheet. */
import { longestId } from '../../api/contract/texts.ts';

/** A decision about a row in review: whether the post, or the generation, exists. */
export type Verdict =
  /** The service has the post. */
  | { readonly kind: 'posted'; readonly postId: string }
  | { readonly kind: 'not-posted' }
  /** The service has the generation: it is polled until a new deadline. */
  | { readonly kind: 'generated'; readonly scheduleId: string }
  | { readonly kind: 'not-generated' };

/** A decision that names no id, so that it can be made about many rows at once. */
export type PlainVerdict = Extract<Verdict, { readonly kind: 'not-posted' | 'not-generated' }>;

/** Whether a text can be an id of the service. */
export function isId(text: string): boolean {
  return text.length > 0 && text.length <= longestId && !/\s/.test(text);
}

/** Parses a cell of the column `decision`, ignoring case: `posted ID`, `not-posted`, `generated ID`, `not-generated`. */
export function parseVerdict(cell: string): Verdict | undefined {
  const words = cell.normalize('NFKC').trim();
  const [, plain] = /^not[\s_-]?(posted|generated)$/i.exec(words) ?? [];
  if (plain !== undefined) return { kind: plain.toLowerCase() === 'posted' ? 'not-posted' : 'not-generated' };
  const [, kind, id = ''] = /^(posted|generated)[\s:=]+([^\s:=]\S*)$/i.exec(words) ?? [];
  if (kind === undefined || !isId(id)) return undefined;
  return kind.toLowerCase() === 'posted'
    ? { kind: 'posted', postId: id }
    : { kind: 'generated', scheduleId: id };
}

/** The verdict as written into the column `decision`. */
export function verdictText(verdict: Verdict): string {
  const id = idOf(verdict);
  return id === undefined ? verdict.kind : `${verdict.kind} ${id}`;
}

/** The post id or schedule id of a decision; undefined if it has none. */
export function idOf(verdict: Verdict): string | undefined {
  switch (verdict.kind) {
    case 'posted':
      return verdict.postId;
    case 'generated':
      return verdict.scheduleId;
    case 'not-posted':
    case 'not-generated':
      return undefined;
  }
}

/** Whether a decision is about a post; else it is about a generation. */
export function isAboutPost({ kind }: Verdict): boolean {
  return kind === 'posted' || kind === 'not-posted';
}
