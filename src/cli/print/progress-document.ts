/** The progress of a campaign as JSON. */
import type { CampaignProgress } from '../../campaigns/progress/reader.ts';
import { notesOf } from './progress-notes.ts';
import { workerDocument } from './worker-presence.ts';

/** What `watch --json` tells beside the campaign itself. Durations in milliseconds, rates in calls a second. */
export function progressDocument(progress: CampaignProgress) {
  const { ended, steps, pace, heldBackBy, unreachable, pausedQueues, workers, campaign } = progress;
  return {
    ended,
    asleep: campaign.asleep,
    steps,
    rowsPerMinute: pace?.rowsPerMinute ?? null,
    remainingMs: pace ? { least: pace.remaining.least, most: pace.remaining.most ?? null } : null,
    heldBackBy,
    unreachable: unreachable.map(({ since, at, ...machine }) => ({
      ...machine,
      since: new Date(since).toISOString(),
      at: new Date(at).toISOString(),
    })),
    pausedQueues,
    workers: workers.map(workerDocument),
    notes: notesOf(progress).map(({ text }) => text),
  };
}
