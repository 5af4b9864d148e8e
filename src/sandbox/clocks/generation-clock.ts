/** The progress of a generation over time: its waiting states, its end, and the words in a prompt that choose another end. */
import {
  type CreateAiGenerationSchedule,
  completedStatus,
  waitingStatuses,
} from '../../api/contract/generation.ts';
import type { StoredSchedule, StoredTask } from '../store/generations.ts';

/** Never ends. */
const stuck = 'stuck';

/** Where each waiting state begins, as a fraction of the whole duration. */
const begins: readonly (readonly [number, string])[] = [
  [0.45, 'PROCESSING'],
  [0.2, 'PENDING'],
  [0.1, 'SUBMITTING'],
];

/** Milliseconds at speed 1. Longer videos take longer. */
const imageDuration = 20_000;
const videoDurationPerSecond = 10_000;

/** Words in a prompt, and the status that they end with. The contract names no failure statuses; these are ours. */
export const promptWords: Readonly<Record<string, string>> = {
  fail: 'FAILED',
  cancel: 'CANCELLED',
  expire: 'EXPIRED',
  stuck,
  unknown: 'ARCHIVED',
};

const word = new RegExp(`\\[(${Object.keys(promptWords).join('|')})(?:( once)|:(\\d+))?\\]`, 'g');

/**
 * How each output of a generation will end, in order. `[fail]` applies to all outputs, `[fail:2]` to the second,
 * `[fail once]` to those of the first generation with that prompt.
 * @param former how many generations had the same prompt before.
 */
export function outcomesOf(request: CreateAiGenerationSchedule, former: number): string[] {
  const outcomes = Array.from({ length: request.nums }, (): string => completedStatus);
  for (const [, name = '', once, position] of request.params.prompt.matchAll(word)) {
    if (once !== undefined && former > 0) continue;
    const outcome = promptWords[name] ?? completedStatus;
    if (position === undefined) outcomes.fill(outcome);
    else if (Number(position) >= 1 && Number(position) <= outcomes.length)
      outcomes[Number(position) - 1] = outcome;
  }
  return outcomes;
}

/** The status of one output. Later outputs of a schedule end a little later. */
export function taskStatus(
  { request, beginAt }: StoredSchedule,
  { position, outcome }: StoredTask,
  now: number,
  speed: number,
): string {
  const whole =
    request.type === 'IMAGE_GENERATION' ? imageDuration : request.params.seconds * videoDurationPerSecond;
  // Negative while the schedule waits for its `execAt`.
  const progress = ((now - beginAt) * speed) / (whole * (1 + position * 0.1));
  if (progress >= 1 && outcome !== stuck) return outcome;
  return begins.find(([from]) => progress >= from)?.[1] ?? waitingStatuses[0];
}
