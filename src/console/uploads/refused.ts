/** The answer to a program when its files are refused: a status, and a text for people. */
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { statusOfError } from '../error-status.ts';
import { cureOnDraft } from '../hints.ts';

export interface Refused {
  readonly status: number;
  readonly text: string;
}

/** Unexpected errors are logged. */
export function refusedBy({ log }: Pick<Runtime, 'log'>, error: unknown): Refused {
  if (error instanceof UseCaseError) {
    const { code, message, cure } = error;
    const text = [sentence(capitalized(message)), cureOnDraft(cure)].filter(Boolean).join(' ');
    return { status: statusOfError(code), text };
  }
  const refusal = refusalOf(error);
  if (refusal) return { status: 503, text: `Redis takes no writes: ${refusal.why}. ${refusal.cure}` };
  log.error({ error: String(error) }, 'upload');
  return { status: 500, text: 'Something went wrong. See the log.' };
}
