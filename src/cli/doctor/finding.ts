/** A finding of an examination. */

export interface Finding {
  /** What was examined; stable, for scripts. */
  readonly check: string;
  /** `problem`: a run cannot start, or cannot end well. `warning`: it can. */
  readonly verdict: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly cure: string | undefined;
}

export const ok = (check: string, text: string) => finding('ok', check, text);

export const warning = (check: string, text: string, cure: string) => finding('warning', check, text, cure);

export const problem = (check: string, text: string, cure?: string) => finding('problem', check, text, cure);

function finding(verdict: Finding['verdict'], check: string, text: string, cure?: string): Finding {
  return { check, verdict, text, cure };
}
