/** Orders the changes of one draft. One process serves the drafts of a data directory. */

const last = new Map<string, Promise<unknown>>();

/** Runs the work after all earlier work of the same name has ended. */
export async function oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(name) ?? Promise.resolve();
  const run = before.then(work, work);
  last.set(name, run);
  try {
    return await run;
  } finally {
    if (last.get(name) === run) last.delete(name);
  }
}
