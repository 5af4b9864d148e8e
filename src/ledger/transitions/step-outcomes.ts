/** What the start of a step says about the row, as `start-step.lua` answers it, and how a step ends, in the words of `finish-step.lua`. */
import type { RowIndex } from '../../manifest/row.ts';
import type { JournalMark } from '../journal-position.ts';
import {
  encodePost,
  type PostedAssets,
  type PostedResult,
  type ScriptEnd,
  unpackResults,
} from '../rows/results.ts';
import { parseRowProgress, type RowProgress } from '../rows/row-progress.ts';
import { type BreakerReason, readBreaker } from '../service/creators.ts';
import { readClaim, type UploadClaim } from '../service/files.ts';
import { type RowError, type RowState, stateOfLetter } from '../states.ts';

export type StartVerdict =
  | {
      readonly kind: 'go';
      readonly progress: RowProgress;
      readonly claim: UploadClaim | undefined;
      /** Whether the journalled call must not be sent any more. Ask right before its first byte leaves. */
      readonly isTooLate: () => boolean;
    }
  /** The effect is confirmed: nothing to send. */
  | { readonly kind: 'known'; readonly progress: RowProgress }
  | { readonly kind: 'gone' }
  /** The campaign has another sheet now: read the row again. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'paused' }
  | { readonly kind: 'ended'; readonly state: RowState }
  | { readonly kind: 'breaker'; readonly reason: BreakerReason }
  /** This job had failed the row, which now goes on in its next revision. */
  | { readonly kind: 'again' }
  /** This job had failed the row, which stays failed because of its creator's breaker. */
  | { readonly kind: 'on-hold' }
  /** An earlier attempt may have sent the call: the row is in review now. */
  | { readonly kind: 'unknown' }
  /** The row's earlier posts must be looked up first. `isUnchecked`: a person sends the row even if they cannot be. */
  | { readonly kind: 'recheck'; readonly earlier: readonly PostedResult[]; readonly isUnchecked: boolean }
  /** Another row has, or may have, the same post. */
  | { readonly kind: 'same'; readonly campaign: string; readonly row: RowIndex }
  /** Its AI outputs are beyond a limit: it waits until a person allows them. */
  | { readonly kind: 'unpaid' }
  /** The journal has lost entries: nothing is sent until a person accepts it. */
  | { readonly kind: 'behind'; readonly found: JournalMark; readonly seen: JournalMark };

/**
 * Reads every verdict but `behind`, which needs the journal's position.
 * @throws {TypeError} for an unknown verdict.
 */
export function readVerdict(
  reply: readonly string[],
  isTooLate: () => boolean,
): Exclude<StartVerdict, { readonly kind: 'behind' }> {
  const [kind, detail = ''] = reply;
  switch (kind) {
    case 'go':
      return {
        kind,
        claim: detail ? readClaim(detail, reply[2] ?? '') : undefined,
        progress: parseRowProgress(reply.slice(4)),
        isTooLate,
      };
    case 'known':
      return { kind, progress: parseRowProgress(reply.slice(1)) };
    case 'ended':
      return { kind, state: stateOfLetter(detail) };
    case 'breaker':
      return { kind, reason: readBreaker(detail) };
    case 'recheck':
      return { kind, earlier: unpackResults(detail), isUnchecked: reply[2] === '1' };
    case 'same':
      return { kind, campaign: detail, row: Number(reply[2]) };
    case 'again':
    case 'on-hold':
    case 'gone':
    case 'outdated':
    case 'paused':
    case 'unknown':
    case 'unpaid':
      return { kind };
    default:
      throw new TypeError(`start-step answered ${JSON.stringify(kind)}`);
  }
}

/** What a ready row waits for. `at` (Unix epoch, milliseconds): when it resumes, or for rows without an approval, their planned time. */
export interface Gate {
  readonly name: 'ready' | 'unapproved' | 'unpaid';
  readonly at: number;
}

export type StepEnd =
  /** `said`: a few words for the row's history. */
  | {
      readonly verdict: 'ok';
      readonly fields: readonly (readonly [string, string])[];
      readonly detail?: string | undefined;
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
      return { payload: end.detail ?? '', extras: end.fields.flat() };
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
