/**
 * The steps of a row, in order: each has a queue of its name, and one job does it. Workers, settings, progress and the names that people
 * read derive from this table; `processors/steps/` has what each does.
 */
import type { CallUnit } from '../service/contract/operations.ts';

export interface NeedsOfRow {
  readonly showcase: boolean;
  readonly generation: boolean;
  readonly cover: boolean;
  readonly files: number;
  /** Whether the job of its post uploads its only file first. */
  readonly postUploads: boolean;
}

interface StepFacts {
  /** Name for planners. */
  readonly title: string;
  /** What its jobs do, for operators. */
  readonly about: string;
  /** Whom a job works for: one row, or a group of rows of one creator. */
  readonly worksFor: 'row' | 'group';
  /** What its calls are for: their rate limits hold it up. */
  readonly units: readonly CallUnit[];
  /** Jobs at once in a process, unless the settings say otherwise. */
  readonly atOnce: number;
  readonly isNeeded: (needs: NeedsOfRow) => boolean;
}

export const stepFacts = {
  showcase: {
    title: 'Showcase',
    about: 'Adds products to the showcases of creators',
    worksFor: 'group',
    units: ['addition'],
    atOnce: 32,
    isNeeded: ({ showcase }) => showcase,
  },
  generate: {
    title: 'Generate',
    about: 'Creates AI generations',
    worksFor: 'row',
    units: ['generation'],
    atOnce: 8,
    isNeeded: ({ generation }) => generation,
  },
  poll: {
    title: 'AI result',
    about: 'Waits for AI generations',
    worksFor: 'row',
    units: ['poll'],
    atOnce: 32,
    isNeeded: ({ generation }) => generation,
  },
  upload: {
    title: 'Upload',
    about: 'Uploads media',
    worksFor: 'row',
    units: ['file', 'cover'],
    atOnce: 128,
    isNeeded: () => true,
  },
  post: {
    title: 'Post',
    about: 'Creates each post once all its media are ready',
    worksFor: 'row',
    units: ['post'],
    atOnce: 64,
    isNeeded: () => true,
  },
} as const satisfies Readonly<Record<string, StepFacts>>;

/** What one job does for a row, or for a group of them. */
export type Step = keyof typeof stepFacts;

export const steps = Object.keys(stepFacts) as [Step, ...Step[]];

/** Something of each step, such as a count. */
export function ofSteps<T>(value: (step: Step) => T): Record<Step, T> {
  return Object.fromEntries(steps.map((step) => [step, value(step)])) as Record<Step, T>;
}
