/** Posts of other campaigns, for the check of a mend: people wait for it, also while Redis is away. */
import type { PostLookUp } from '../../importers/check/checked-row.ts';

const patienceMs = 1000;

/**
 * Gives up when an answer takes long, and asks no more: then no row counts as a repeat until the whole sheet is checked.
 * @param open opens the look-up.
 */
export function promptPosts(account: string, open: () => PostLookUp): PostLookUp {
  let isAway = false;
  let posts: PostLookUp | undefined;
  return {
    account,
    async find(given) {
      if (isAway || given.length === 0) return [];
      const { promise, resolve } = Promise.withResolvers<undefined>();
      const timer = setTimeout(() => resolve(undefined), patienceMs);
      try {
        posts ??= open();
        const found = await Promise.race([promise, posts.find(given)]);
        isAway = found === undefined;
        return found ?? [];
      } catch {
        isAway = true;
        return [];
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
