/** People's decisions about rows in review: what became of a call whose outcome is unknown. */
import type { RunScript, ScriptArgument } from '../redis/script.ts';
import type { LedgerContext } from './context.ts';
import { encodePost, type PostedResult, type ScriptEnd } from './results.ts';
import { type Effect, type RowError, type RowState, stateOfLetter } from './states.ts';
import type { RowRef } from './steps.ts';

export type Decision =
  | { readonly kind: 'posted'; readonly result: PostedResult; readonly assets: readonly string[] }
  /** The row goes back to waiting, in its next revision. `fields` are added to its progress. */
  | { readonly kind: 'again'; readonly fields: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly error: RowError };

export interface Decided {
  /** False: the row has changed (another decision, or a late answer), and nothing was written. */
  readonly taken: boolean;
  /** The row's state afterwards. */
  readonly state: RowState;
}

export class DecisionLedger {
  readonly #decide: RunScript;
  readonly #now: () => number;

  constructor({ script, now }: LedgerContext) {
    this.#decide = script('decide-row');
    this.#now = now;
  }

  /**
   * Decides about a row in review.
   * @param doubt the call in doubt that the decision is about; undefined for a row without one.
   * @returns undefined when there is no such row.
   */
  async decide(row: RowRef, doubt: Effect | undefined, decision: Decision): Promise<Decided | undefined> {
    const { campaign, row: index, revision } = row;
    const { payload, extras } = encodeDecision(decision);
    const args: ScriptArgument[] = [campaign, index, revision, doubt ?? '', this.#now(), decision.kind];
    args.push(payload, extras.length, ...extras);
    const reply = (await this.#decide(args)) as [string, string] | null;
    return reply ? { taken: reply[0] === 'decided', state: stateOfLetter(reply[1]) } : undefined;
  }
}

function encodeDecision(decision: Decision): ScriptEnd {
  switch (decision.kind) {
    case 'posted':
      return encodePost(decision);
    case 'again':
      return { payload: '', extras: decision.fields.flat() };
    case 'failed':
      return { payload: JSON.stringify(decision.error), extras: [] };
  }
}
