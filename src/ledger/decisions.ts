/** Decisions of people about rows in review: what became of a call that nobody else can tell of. */
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import { type PostedResult, packResult } from './results.ts';
import { type Effect, type RowError, type RowState, stateOfLetter } from './states.ts';
import type { RowRef } from './steps.ts';

export type Decision =
  | { readonly kind: 'posted'; readonly result: PostedResult; readonly assets: readonly string[] }
  /** The row goes back to waiting, in its next revision; `fields` is what is known of it from now on. */
  | { readonly kind: 'again'; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly error: RowError };

export interface Decided {
  /** False: the row is not as the decision found it any more (decided by somebody else, or by a late answer). Nothing was changed. */
  readonly taken: boolean;
  /** The row's state afterwards. */
  readonly state: RowState;
}

export class DecisionLedger {
  readonly #decide: RunScript;
  readonly #now: () => number;

  constructor(decide: RunScript, now: () => number) {
    this.#decide = decide;
    this.#now = now;
  }

  /**
   * Decides about a row in review.
   * @param doubt the call that is in doubt, as the decision is about it; undefined for a row without one.
   * @returns undefined when there is no such row.
   */
  async decide(row: RowRef, doubt: Effect | undefined, decision: Decision): Promise<Decided | undefined> {
    const args: ScriptArgument[] = [
      row.campaign,
      row.row,
      row.revision,
      doubt ?? '',
      this.#now(),
      decision.kind,
    ];
    const { payload, extras } = encodeDecision(decision);
    const reply = (await this.#decide([...args, payload, extras.length, ...extras])) as
      | [string, string]
      | null;
    return reply ? { taken: reply[0] === 'decided', state: stateOfLetter(reply[1]) } : undefined;
  }
}

function encodeDecision(decision: Decision): {
  readonly payload: string;
  readonly extras: readonly string[];
} {
  switch (decision.kind) {
    case 'posted': {
      const { result, assets } = decision;
      return { payload: packResult(result), extras: assets.length > 0 ? [JSON.stringify(assets)] : [] };
    }
    case 'again':
      return { payload: '', extras: decision.fields.flat() };
    case 'failed':
      return { payload: JSON.stringify(decision.error), extras: [] };
  }
}
