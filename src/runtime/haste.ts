/**
 * How much sooner this process takes over the work of a killed one, runs the keeper, and gives up a Redis that does not answer:
 * `CAMPAIGNS_HASTE=3` makes each three times as soon. Tests set it, which would otherwise sit these waits out. It is no setting:
 * a busy machine would lose the locks of jobs that it still runs.
 */
export function readHaste(text: string = process.env.CAMPAIGNS_HASTE ?? ''): number {
  return Math.max(1, Number(text) || 1);
}
