/**
 * Factor by which this process sooner takes over the work of a killed one, runs the rescuer, and gives up a Redis that does not
 * answer: `CAMPAIGNS_HASTE=3` makes each three times as soon. Only for tests, which would otherwise wait. It is not a setting,
 * because a busy machine would lose the locks of its running jobs.
 */
export function readSpeedUp(text: string = process.env.CAMPAIGNS_HASTE ?? ''): number {
  return Math.max(1, Number(text) || 1);
}
