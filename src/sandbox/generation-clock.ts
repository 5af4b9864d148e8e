/** How a generation goes on in time: its waiting states, its end, and the words of a prompt that choose another end. */
import {
  type CreateAiGenerationSchedule,
  completedStatus,
  waitingStatuses,
} from '../api/contract/generation.ts';

/** Never ends. */
const stuck = 'stuck';

/** Where each waiting state begins, as a part of the whole duration. */
const begins: readonly (readonly [number, string])[] = [
  [0.45, 'PROCESSING'],
  [0.2, 'PENDING'],
  [0.1, 'SUBMITTING'],
];

/** Milliseconds at speed 1. Videos take longer the longer they are. */
const imageDuration = 20_000;
const videoDurationPerSecond = 10_000;

/** Words in a prompt, and the status that they end with. The names of failure are ours: the contract does not show them. */
export const promptWords: Readonly<Record<string, string>> = {
  fail: 'FAILED',
  cancel: 'CANCELLED',
  expire: 'EXPIRED',
  stuck,
  unknown: 'ARCHIVED',
};

const word = new RegExp(`\\[(${Object.keys(promptWords).join('|')})(?:( once)|:(\\d+))?\\]`, 'g');

/**
 * How each output of a generation will end, in order. `[fail]` ends all of them so, `[fail:2]` the second only,
 * `[fail once]` only those of the first generation with that prompt.
 * @param former how many generations were made of the same prompt before.
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

export class GenerationClock {
  readonly #speed: number;

  /** @param speed how many times faster than at a leisurely pace generations go. */
  constructor(speed: number) {
    this.#speed = speed;
  }

  /**
   * The status of one output. Later outputs of a schedule end a little later.
   * @param elapsed milliseconds since the schedule began; negative while it waits for its `execAt`.
   */
  statusOf(request: CreateAiGenerationSchedule, position: number, outcome: string, elapsed: number): string {
    const whole =
      request.type === 'IMAGE_GENERATION' ? imageDuration : request.params.seconds * videoDurationPerSecond;
    const progress = (elapsed * this.#speed) / (whole * (1 + position * 0.1));
    if (progress >= 1 && outcome !== stuck) return outcome;
    return begins.find(([from]) => progress >= from)?.[1] ?? waitingStatuses[0];
  }
}
