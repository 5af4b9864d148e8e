/** Decisions of people about rows in review: their forms, and why they are refused. */

import { findIdFault } from '../../manifest/cells/id.ts';
import { type Fix, type FixPart, type Hint, hint } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { describeDuration } from '../../manifest/wording.ts';
import { longestId } from '../../service/contract/texts.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { ReviewRow } from './review-rows.ts';

export type DecisionRuntime = Pick<Runtime, 'ledger' | 'queues' | 'views' | 'settings' | 'now' | 'log'> & {
  readonly service: Pick<Runtime['service'], 'isConfigured' | 'need'>;
};

export interface DecideOptions {
  /** Accepts ids without looking them up in the service. */
  readonly unchecked?: boolean | undefined;
}

/** A row in review with a verdict about what it waits for. */
export interface DecidedRow {
  readonly row: ReviewRow;
  readonly verdict: Verdict;
}

export interface KeyedDecision extends DecidedRow {
  readonly key: string;
}

/** What a person does before a decision that sends something again. */
export const whereToLook = "Check the creator's profile, or the service's dashboard";

/** To make a decision about one row. @param unchecked without looking up its id. */
export function decideHint(campaign: string, key: string, verdict: Verdict, unchecked = false): Hint {
  return hint('decideRow', { campaign, key, decision: verdictText(verdict), unchecked });
}

/** What to do if a decision is right although the records contradict it. */
export function insist(campaign: string, { key, verdict }: KeyedDecision): readonly FixPart[] {
  return [
    'If it is right, decide without the look-up (the publishing records may lag):',
    decideHint(campaign, key, verdict, true),
  ];
}

/** A decision that would send a call again that may still be under way. @param from when it is taken: Unix epoch, milliseconds. */
export function decisionEarly(key: string, from: number, now: number): UseCaseError {
  return new UseCaseError('decision_early', `the request of row ${key} may still be running`, {
    fix: `Wait ${describeDuration(Math.max(1000, from - now))}. ${whereToLook}, then decide. If the post or generation exists by now, you can give its id right away.`,
  });
}

/** Whether ids of posts can be looked up. If not, a mistyped id counts as a post. */
export function looksUpPosts({ service, settings }: Pick<DecisionRuntime, 'service' | 'settings'>): boolean {
  return settings.api.listPosts !== null && service.isConfigured;
}

export function refused(message: string, fix: Fix | undefined): UseCaseError {
  return new UseCaseError('decision_refused', message, { fix });
}

/** A decision about a row in review: whether the post, or the generation, exists. */
export type Verdict =
  /** The service has the post. */
  | { readonly decision: 'posted'; readonly postId: string }
  | { readonly decision: 'not-posted' }
  /** The service has the generation: it is polled until a new deadline. */
  | { readonly decision: 'generated'; readonly scheduleId: string }
  | { readonly decision: 'not-generated' };

/** A decision that names no id, so that it can be made about many rows at once. */
export type PlainVerdict = Extract<Verdict, { readonly decision: 'not-posted' | 'not-generated' }>;

export function isId(text: string): boolean {
  return text !== '' && text.length <= longestId && findIdFault(text) === null;
}

/** The verdict in words: `posted ID`, `not-posted`, `generated ID`, `not-generated`. */
export function verdictText(verdict: Verdict): string {
  const id = idOf(verdict);
  return id === undefined ? verdict.decision : `${verdict.decision} ${id}`;
}

/** The post id or schedule id of a decision; undefined if it has none. */
export function idOf(verdict: Verdict): string | undefined {
  switch (verdict.decision) {
    case 'posted':
      return verdict.postId;
    case 'generated':
      return verdict.scheduleId;
    case 'not-posted':
    case 'not-generated':
      return undefined;
  }
}

/** Whether a decision is about a post; else it is about a generation. */
export function isAboutPost({ decision }: Verdict): boolean {
  return decision === 'posted' || decision === 'not-posted';
}
