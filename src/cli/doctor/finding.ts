/** What an examination finds, one thing at a time. */

export interface Finding {
  /** What was looked at: stable, for scripts. */
  readonly check: string;
  /** With a problem a run cannot begin, or cannot end well; with a warning it can. */
  readonly verdict: 'ok' | 'warning' | 'problem';
  readonly text: string;
  readonly cure: string | undefined;
}

export const ok = (check: string, text: string): Finding => ({
  check,
  verdict: 'ok',
  text,
  cure: undefined,
});

export const warning = (check: string, text: string, cure: string): Finding => ({
  check,
  verdict: 'warning',
  text,
  cure,
});

export const problem = (check: string, text: string, cure: string | undefined): Finding => ({
  check,
  verdict: 'problem',
  text,
  cure,
});
