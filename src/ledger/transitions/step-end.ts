/** How a step ends, and its words for `finish-step.lua`. */
import { encodePost, type PostedAssets, type PostedResult, type ScriptEnd } from '../rows/results.ts';
import type { RowError } from '../states.ts';

/** What a ready row waits for. `at` (Unix epoch, milliseconds): from when on it goes on, or its planned time, by which rows without an approval are sorted. */
export interface Gate {
  readonly name: 'ready' | 'unapproved' | 'unpaid';
  readonly at: number;
}

export type StepEnd =
  /** `said`: a few words for the row's history. */
  | {
      readonly verdict: 'ok';
      readonly fields: readonly (readonly [string, string])[];
      readonly said?: string | undefined;
    }
  /** All is there, but a gate of the row is closed. `fields`: a file that the job has uploaded. */
  | {
      readonly verdict: 'ready';
      readonly gate: Gate;
      readonly fields: readonly (readonly [string, string])[];
    }
  /** The journalled call had no effect (not sent, or refused with a retry to come). */
  | { readonly verdict: 'cleared' }
  | ({ readonly verdict: 'posted'; readonly result: PostedResult } & PostedAssets)
  /** `cut-off`: as `review`, of a call that may still be under way, because this process ended it itself. */
  | {
      readonly verdict: 'failed' | 'review' | 'cut-off';
      readonly error: RowError;
      readonly fields?: readonly (readonly [string, string])[];
    };

/** The arguments of `finish-step.lua` that depend on the verdict. */
export function encodeEnd(end: StepEnd): ScriptEnd {
  switch (end.verdict) {
    case 'ok':
      return { payload: end.said ?? '', extras: end.fields.flat() };
    case 'cleared':
      return { payload: '', extras: [] };
    case 'ready':
      return { payload: `${end.gate.name} ${end.gate.at}`, extras: end.fields.flat() };
    case 'posted':
      return encodePost(end);
    case 'failed':
    case 'review':
    case 'cut-off':
      return { payload: JSON.stringify(end.error), extras: (end.fields ?? []).flat() };
  }
}
