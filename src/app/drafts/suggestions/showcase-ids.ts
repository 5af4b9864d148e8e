/** Product ids that the showcases of the service have for a title. */

import { unlessLate } from '../../runtime/patience.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { RecentLists, showcaseOf } from '../pickers/lists.ts';

/** Most creators whose showcases are looked at for one problem. */
const mostCreators = 10;
/** How long a page waits for a showcase. What comes later is there for the next page. */
const waitMs = 1500;

/** Ids by title. */
type Titled = ReadonlyMap<string, readonly string[]>;

interface AskedShowcase {
  /** Empty until it is answered, and if it cannot be looked up. */
  titled: Titled;
  readonly answered: Promise<void>;
  /** Until when to wait for it. */
  readonly until: number;
}

const asked = new RecentLists<AskedShowcase>();

/** A slow service leaves some out. @param creators names or ids; the first ten. @returns finds the ids of a title in a showcase. */
export async function readShowcases(
  runtime: Runtime,
  creators: readonly string[],
): Promise<(creator: string, title: string) => readonly string[]> {
  const entries = creators.slice(0, mostCreators).map(async (creator) => {
    return [creator, await asked.find(runtime, creator, async () => ask(runtime, creator))] as const;
  });
  const showcases = new Map(await Promise.all(entries));
  const all = [...showcases.values()];
  const left = Math.max(0, ...all.map(({ until }) => until - performance.now()));
  await unlessLate(Promise.all(all.map(({ answered }) => answered)), left);
  return (creator, title) => showcases.get(creator)?.titled.get(title) ?? [];
}

function ask(runtime: Runtime, creator: string): AskedShowcase {
  const look = async () => {
    const titled = new Map<string, string[]>();
    for (const { id, title = '' } of await showcaseOf(runtime, creator)) {
      titled.set(title.trim(), [...(titled.get(title.trim()) ?? []), id]);
    }
    entry.titled = titled;
  };
  const answered = look().catch((error: unknown) => {
    runtime.log.debug({ creator, error: String(error) }, 'showcase not looked up for suggestions');
  });
  const entry: AskedShowcase = { titled: new Map(), answered, until: performance.now() + waitMs };
  return entry;
}
