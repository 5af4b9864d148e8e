/** Compares the rows of a sheet with its other rows and with the rows of campaigns: which are the same post, or have nearly the same key. */
import type { CellProblem, Report } from '../../manifest/problems/problem.ts';
import { comparedPost } from '../repeats/post-identity.ts';
import {
  type DateContext,
  isPosted,
  isPostedAgain,
  isPostedAtAnotherTime,
  isPostedUnder,
  isSameAs,
  mayBeRow,
} from '../repeats/repeat-problems.ts';
import type { Repeat } from '../repeats/repeats.ts';
import type { Candidate } from './candidate.ts';
import type { CheckRules } from './checked-row.ts';
import type { MediaFacts } from './media-check.ts';
import { hasSimilarKey } from './row-warnings.ts';
import { PlaceIndex } from './text-hashes.ts';

interface PostComparisonOptions
  extends Pick<CheckRules, 'posts' | 'settings' | 'now' | 'again' | 'edits' | 'update'> {
  readonly hasKeys: boolean;
  /** Id of a creator, the same for every spelling of the name. */
  readonly idOf: (creator: string) => string;
}

export class PostComparison {
  readonly #options: PostComparisonOptions;
  readonly #posts = new PlaceIndex();

  constructor(options: PostComparisonOptions) {
    this.#options = options;
  }

  /** Compares rows without problems but those of their keys, and sets the identities of their posts. */
  async compare(
    rows: readonly Candidate[],
    { contentOf }: MediaFacts,
    report: Report<Candidate>,
  ): Promise<void> {
    const { posts, settings, now, idOf } = this.#options;
    if (posts === null) return;
    const compared = rows.flatMap((row) => {
      if (row.row === null || row.problems.some(({ code }) => code !== 'duplicate_key')) return [];
      const post = comparedPost(row.row, { creator: idOf(row.row.creator), contentOf });
      row.post = post.identity;
      const earlier = this.#posts.addOrFind(row, post.identity.toString('latin1'));
      if (earlier !== undefined && !this.isWanted(row)) report(row, 'problem', isSameAs(earlier));
      return [{ row, post }];
    });
    const repeats = await posts.find(compared.map(({ post }) => post));
    const dates = { zone: settings.timezone, now };
    for (const [index, { row }] of compared.entries()) {
      const repeat = repeats[index];
      if (repeat === undefined) this.#compareKey(row, report);
      else if (this.#isAnotherPost(row, repeat)) report(row, 'warning', isPostedAtAnotherTime(repeat, dates));
      else if (this.isWanted(row)) report(row, 'warning', isPostedAgain(repeat, dates));
      else report(row, 'problem', this.#repeated(row, repeat, dates));
    }
  }

  /** Whether a person wants the row although another one is the same post. */
  isWanted({ number }: Candidate): boolean {
    const { again = false, edits } = this.#options;
    return again || (edits?.postsAgain(number) ?? false);
  }

  /** A changed row that has become the post of another one has probably got the key of its neighbour, whatever its time. */
  #isAnotherPost({ key }: Candidate, { isSameTime, isOwn }: Repeat): boolean {
    const { update } = this.#options;
    const isChanged = isOwn && update !== undefined && key !== null && !update.isNew(key);
    return !isSameTime && !isChanged;
  }

  #repeated({ key }: Candidate, repeat: Repeat, dates: DateContext): CellProblem {
    const { hasKeys, update } = this.#options;
    // The key of a row that the sheet has beside this one is not meant: two rows would have it.
    const isRenamed = hasKeys && repeat.isOwn && update?.isNamed(repeat.row) === false;
    return isRenamed && key !== null && update?.isNew(key)
      ? isPostedUnder(key, repeat, dates)
      : isPosted(repeat, dates);
  }

  /** Tells of a new row that may be another row of the campaign, or whose key may be that of one. */
  #compareKey(row: Candidate, report: Report<Candidate>): void {
    const { key, number } = row;
    const { update, edits, hasKeys } = this.#options;
    if (key === null || !hasKeys) return;
    const mayBe = update?.isNew(key) ? edits?.mayBe(number) : undefined;
    if (mayBe !== undefined && !this.isWanted(row)) report(row, 'problem', mayBeRow(mayBe));
    const other = update?.similar(key);
    if (other !== undefined) report(row, 'warning', hasSimilarKey(key, other));
  }
}
