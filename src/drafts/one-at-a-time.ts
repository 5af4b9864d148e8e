/** Serializes work by name, within this process. */

const last = new Map<string, Promise<unknown>>();

/** Runs the work when all earlier work of the same name has ended. */
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
