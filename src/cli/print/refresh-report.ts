/** What a look into the publishing records has brought, in words and as JSON. */
import type { FollowedPost } from '../../processors/records/follow-posts.ts';
import type { Reconciled } from '../../processors/records/reconcile.ts';
import { type Output, plural } from './output.ts';

/** Posts that went from one state to the same other one. */
export interface PostTransition {
  readonly before: string;
  readonly after: string;
  readonly posts: number;
  /** The first few of them. */
  readonly examples: readonly Pick<FollowedPost, 'key' | 'postId' | 'failure'>[];
}

const examplesShown = 5;

/** Counts changes of state as they come, however many. */
export class PostTransitions {
  readonly #transitions = new Map<string, PostTransition & { posts: number; examples: FollowedPost[] }>();

  add(post: FollowedPost): void {
    const { before, after } = post;
    const name = `${before}\0${after}`;
    const found = this.#transitions.get(name) ?? { before, after, posts: 0, examples: [] };
    found.posts += 1;
    if (found.examples.length < examplesShown) found.examples.push(post);
    this.#transitions.set(name, found);
  }

  list(): readonly PostTransition[] {
    return [...this.#transitions.values()].map(({ examples, ...transition }) => ({
      ...transition,
      examples: examples.map(({ key, postId, failure }) => ({ key, postId, failure })),
    }));
  }
}

export function printRefresh(
  output: Output,
  id: string,
  rows: readonly Reconciled[],
  posts: readonly PostTransition[],
): void {
  if (rows.length === 0 && posts.length === 0) {
    output.print('The publishing records tell nothing new.');
    return;
  }
  for (const row of rows) {
    const lead = `row ${row.key}  `;
    if (row.state === 'posted') output.print(`${lead}review -> posted as ${row.postId}`);
    else output.printText(`${lead}in review  `, row.note);
  }
  for (const { before, after, posts: count, examples } of posts) {
    const keys = examples.map(({ key }) => key).join(', ');
    const more = count > examples.length ? ', ...' : '';
    output.print(`${plural(count, 'post')} ${before || '(no state)'} -> ${after}: ${keys}${more}`);
    for (const { key, failure } of examples) if (failure) output.printText(`  ${key}  `, failure);
  }
  output.print(`Write the sheet anew with: campaigns report ${id} --out FILE`);
}
