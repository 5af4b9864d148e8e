/** The publishing records: searches, each in three moments, and posts that are not published. */

import { recordRecheck } from './decisions.ts';
import * as posts from './posts.ts';
import { type At, indexes, lua, type Rules } from './rule.ts';
import { type Entry, lookCounts, type Row, type Search, type World } from './world.ts';

/** The only record that fits a row and that no row has; -1 for none or several. Records lag, so there may always be none. */
function fitting({ world, concern }: At, row: number): number {
  const free = world.calls.flatMap((call, post) =>
    (call.served === 'posted' || call.served === 'unpublished') &&
    (concern.rows > 1 || call.row === row) &&
    world.holders[post] === -1
      ? [post]
      : [],
  );
  return free.length === 1 ? (free[0] ?? -1) : -1;
}

/** A record may also be that of an earlier call: it tells nothing of one that is under way. */
function isEarly({ world, on }: At, row: number, entry: Entry): boolean {
  return on('age of a search') && posts.overOf(world, row, entry);
}

function setSearch(world: World, at: number, search: Search | undefined): void {
  world.searches = world.searches.map((one, index) => (index === at ? search : one));
}

export const recordEvents: Rules = {
  search: {
    source: [
      'src/processors/publishing-records/reconcile.ts',
      'const isOnly = row.matches.size === 1 && !row.hasMoreMatches;',
    ],
    options: (at) =>
      indexes(at.world.searches, (search) => search === undefined).flatMap(([search]) =>
        indexes(
          at.world.rows,
          ({ state, entry }, row) =>
            state === 'v' && entry !== undefined && !isEarly(at, row, entry) && fitting(at, row) >= 0,
        ).map(([row]): [number, number] => [search, row]),
      ),
    apply: (at, search, row) => {
      const { revision, entry } = at.world.rows[row] as Row;
      if (!entry) return;
      const post = fitting(at, row);
      setSearch(at.world, search, { claimed: false, row, revision, entry, post });
    },
    says: (search, row) => `search ${search + 1} finds one record that fits row ${row + 1}`,
  },
  claim: {
    source: lua('transitions/claim-record', 'return claim_post(ARGV[3],'),
    options: ({ world }) => indexes(world.searches, (search) => search?.claimed === false),
    apply: ({ world, on }, at) => {
      const search = world.searches[at];
      if (search)
        setSearch(world, at, posts.claim(world, search, on) ? { ...search, claimed: true } : undefined);
    },
    says: (search) => `search ${search + 1} claims it`,
  },
  take: {
    source: lua(
      'transitions/reconcile-post',
      "if holder_of(post) ~= id .. ' ' .. row then return 'taken' end",
    ),
    options: ({ world }) => indexes(world.searches, (search) => search?.claimed === true),
    apply: ({ world, on }, at) => {
      const search = world.searches[at];
      if (search) posts.reconcile(world, search, on);
      setSearch(world, at, undefined);
    },
    says: (search) => `search ${search + 1} takes it`,
  },
  unpublish: {
    options: ({ world, has }) =>
      has('unpublished') ? indexes(world.calls, ({ served }) => served === 'posted') : [],
    apply: ({ world }, post) => Object.assign(world.calls[post] as object, { served: 'unpublished' }),
    says: (post) => `post ${post + 1} is not published`,
  },
  /** Before its row is sent again, and not within a minute after the last look, unless the concern drops that. */
  publish: {
    options: ({ world, has }) =>
      indexes(world.calls, ({ served, row: at }, post) => {
        const row = world.rows[at] as Row;
        const isOutdated = !row.entry && (row.state === 'w' || row.state === 'r') && row.looked > lookCounts;
        const isWatched =
          row.post === post || ((row.state === 'f' || isOutdated) && row.earlier.includes(post));
        return served === 'unpublished' && (isWatched || has('published after it was sent again'));
      }),
    apply: ({ world }, post) => Object.assign(world.calls[post] as object, { served: 'posted' }),
    says: (post) => `post ${post + 1} is published after all`,
  },
  /** Before a row that had a post is sent again. */
  recheck: {
    source: lua('rows/record-recheck', "redis.call('HSET', campaign .. ':work:' .. row, 'looked', now)"),
    options: ({ world }) =>
      indexes(
        world.rows,
        ({ state, earlier, looked }) =>
          state === 'r' &&
          looked > lookCounts &&
          earlier.length > 0 &&
          earlier.every((post) => world.calls[post]?.served === 'unpublished'),
      ),
    apply: ({ world }, row) => recordRecheck(world, row),
    says: (row) => `the records say that no earlier post of row ${row + 1} is published`,
  },
  failPost: {
    source: lua(
      'transitions/fail-posts',
      "if state ~= 'p' or split_result(stored) ~= packed then return false end",
    ),
    options: ({ world }) =>
      indexes(world.rows, ({ state, post }) => state === 'p' && world.calls[post]?.served === 'unpublished'),
    apply: ({ world }, row) => posts.failPost(world.rows[row] as Row),
    says: (row) => `the records say that the post of row ${row + 1} was not published`,
  },
  postAgain: {
    source: lua(
      'transitions/post-again',
      "local is_due = state == 'f' or (state == 'r' and not unknown_effect(",
    ),
    options: ({ world }) =>
      world.rows.flatMap(({ state, earlier, entry }, row) =>
        state === 'f' || (state === 'r' && !entry)
          ? earlier
              .filter((post) => world.calls[post]?.served === 'posted')
              .map((post): [number, number] => [row, post])
          : [],
      ),
    apply: ({ world }, row, post) => posts.postAgain(world.rows[row] as Row, post),
    says: (row, post) => `the records say that post ${post + 1} of row ${row + 1} was published after all`,
  },
};
