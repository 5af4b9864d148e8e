/** What the model and the ledger are compared by. */
import { shardOf } from '../../src/ledger/transitions/publishing.ts';
import type { TestLedger } from '../support/ledger.ts';
import { type Entry, rejected, type World } from './world.ts';

/** Of a row. */
interface Projection {
  readonly state: string;
  readonly revision: number;
  readonly entry: string | null;
  readonly late: readonly string[];
  readonly post: string | null;
  readonly earlier: readonly string[];
  readonly place: string;
  /** Digest that was approved, or `rejected`. */
  readonly said: string | null;
}

interface Projected {
  readonly rows: readonly Projection[];
  readonly holders: readonly (string | null)[];
  readonly unapproved: number;
}

export const postOf = (campaign: string, post: number): string => `${campaign}-p${post}`;

export const digestOf = (content: number): string => `content ${content}`;

export function ofModel(world: World, campaign: string): Projected {
  return {
    rows: world.rows.map(
      (row): Projection => ({
        state: row.state,
        revision: row.revision,
        entry: entryText(row.entry),
        late: row.late.map((post) => postOf(campaign, post)),
        post: row.post < 0 ? null : postOf(campaign, row.post),
        earlier: row.earlier.map((post) => postOf(campaign, post)),
        place: row.place === 'first' ? '' : row.place,
        said: row.said === -1 ? null : row.said === rejected ? 'rejected' : digestOf(row.said),
      }),
    ),
    holders: world.calls.map((_, post) => {
      const held = world.holders[post] ?? -1;
      return held < 0 ? null : `${campaign} ${held >> 1}${held % 2 === 1 ? ' a' : ''}`;
    }),
    unapproved: world.rows.filter(({ place }) => place === 'unapproved').length,
  };
}

export async function ofLedger(
  { redis, ledger }: TestLedger,
  id: string,
  { rows: { length: rows }, calls: { length: posts } }: World,
): Promise<Projected> {
  const { keys } = ledger;
  const pipeline = redis.pipeline();
  for (let row = 0; row < rows; row += 1) {
    pipeline.getrangeBuffer(keys.states(id), row * 2, row * 2 + 1);
    pipeline.hmget(keys.progress(id, row), 'journal:post', 'late');
    pipeline.hget(keys.results(id, 0), String(row));
    pipeline.hget(keys.earlier(id), String(row));
    pipeline.zscore(keys.index(id, 'redo'), row);
    pipeline.zscore(keys.held(id), row);
    pipeline.zscore(keys.index(id, 'ready'), row);
    pipeline.zscore(keys.index(id, 'unapproved'), row);
    pipeline.hget(keys.approvals(id), String(row));
  }
  pipeline.hget(keys.campaign(id), 'unapproved');
  for (let post = 0; post < posts; post += 1) {
    pipeline.hget(keys.posts(shardOf(postOf(id, post))), postOf(id, post));
  }
  const replies = ((await pipeline.exec()) ?? []).map(([, reply]) => reply);
  const projections = Array.from({ length: rows }, (_, row): Projection => {
    const [bytes, work, result, earlier, redo, held, ready, unapproved, said] = replies.slice(
      row * 9,
      row * 9 + 9,
    );
    const places = { redo, held, ready, unapproved };
    const [entry, late] = work as [string | null, string | null];
    const [letter = 0, revision = 0] = bytes as Buffer;
    return {
      state: String.fromCharCode(letter),
      revision,
      entry: entry?.split(' ').slice(0, 2).join(' ') ?? null,
      late: postsOf(late as string | null),
      post: postsOf(result as string | null)[0] ?? null,
      earlier: postsOf(earlier as string | null),
      place: Object.entries(places)
        .flatMap(([place, score]) => (score === null ? [] : [place]))
        .join(' '),
      said: saidIn(said as string | null),
    };
  });
  const [unapproved, ...holders] = replies.slice(rows * 9);
  return { rows: projections, holders: holders as (string | null)[], unapproved: Number(unapproved) };
}

function saidIn(json: string | null): string | null {
  if (json === null) return null;
  const { is, digest } = JSON.parse(json);
  return is === 'approved' ? digest : is;
}

function entryText(entry: Entry | undefined): string | null {
  return entry ? `${entry.state} ${entry.by < 0 ? '-' : `t${entry.by}`}` : null;
}

/** Post ids of packed results, one a line. */
function postsOf(packed: string | null): string[] {
  return packed ? packed.split('\n').map((line) => line.split('\t')[0] ?? '') : [];
}
