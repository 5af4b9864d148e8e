/** The faults of a round, drawn from its seed. */
import type { Random } from '../fuzz/random.ts';
import { answerKinds } from './answers.ts';
import { kinds as otherKinds, type Strike } from './kinds.ts';

const kinds: Readonly<Record<string, (random: Random) => Strike>> = { ...otherKinds, ...answerKinds };
export const kindNames: readonly string[] = Object.keys(kinds);

export interface ScriptedFault {
  /** Milliseconds from the start of the round. */
  readonly at: number;
  readonly kind: string;
  readonly strike: Strike;
}

export interface Script {
  /** The kinds that this round has: with few of them, each meets the others more often. */
  readonly kinds: readonly string[];
  readonly faults: readonly ScriptedFault[];
}

/**
 * @param among kinds to choose from.
 * @param lastsMs when the site heals.
 */
export function writeScript(random: Random, among: readonly string[], lastsMs: number): Script {
  const chosen = among.filter(() => random.once(2));
  const drawn = chosen.length > 0 ? chosen : among;
  const faults: ScriptedFault[] = [];
  for (let at = random.integer(200, 2000); at < lastsMs * 0.9; at += random.integer(100, 1300)) {
    const kind = random.pick(drawn);
    const strike = kinds[kind]?.(random);
    if (strike) faults.push({ at, kind, strike });
  }
  return { kinds: drawn, faults };
}
