/** What an honest person decides: what the service knows about the row at this moment. */
import type { ResultRow } from '../support/sheets/sheet.ts';
import type { Service } from './service.ts';

type Effects = Awaited<ReturnType<Service['effects']>>;

export interface Decision {
  readonly key: string;
  /** In words, for the timeline. */
  readonly decision: string;
  /** As an option of `campaigns decide`. */
  readonly option: readonly string[];
}

/** @param row in review. Captions and prompts identify rows. */
export function truthAbout(row: ResultRow, { posts, generations }: Effects): Decision {
  const { key } = row;
  if (row.step === 'post') {
    const post = posts.find(({ title }) => title === row.caption);
    return post
      ? { key, decision: `posted ${post.postId}`, option: ['--posted', post.postId] }
      : { key, decision: 'not-posted', option: ['--not-posted'] };
  }
  const generation = generations.findLast(({ request }) => request.params.prompt === row.ai_prompt);
  return generation
    ? { key, decision: `generated ${generation.scheduleId}`, option: ['--generated', generation.scheduleId] }
    : { key, decision: 'not-generated', option: ['--not-generated'] };
}
