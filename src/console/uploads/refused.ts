/** The answer to a program when its files are refused: a status, and a text for people. */
import type { Request } from 'express';
import { refusalOf } from '../../app/runtime/redis.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { capitalized, sentence } from '../../manifest/wording.ts';
import { cureOnDraft } from '../hints.ts';
import { sessionCookie } from '../http/gate.ts';
import { HttpProblem, statusOfError } from '../http/problem.ts';

export interface Refused {
  readonly status: number;
  readonly text: string;
}

/** Unexpected errors are logged. */
export function refusedBy({ log }: Pick<Runtime, 'log'>, error: unknown, request: Request): Refused {
  if (error instanceof UseCaseError) {
    const { code, message, cure } = error;
    const text = [sentence(capitalized(message)), cureOnDraft(cure)].filter(Boolean).join(' ');
    return { status: statusOfError(code), text };
  }
  if (error instanceof HttpProblem) return { status: error.status, text: textOf(error, request) };
  const { status = 500 } = error as { readonly status?: number };
  if (status < 500) return { status: 400, text: 'The request cannot be read.' };
  const refusal = refusalOf(error);
  if (refusal) return { status: 503, text: `Redis takes no writes: ${refusal.why}. ${refusal.cure}` };
  log.error({ error: String(error) }, 'upload');
  return { status: 500, text: 'Something went wrong. See the log.' };
}

const byToken = 'A program sends Authorization: Bearer TOKEN. An operator makes tokens on the page Users.';

function textOf({ code, message }: HttpProblem, request: Request): string {
  const proof = request.get('x-csrf-token') ?? '';
  if (code === 'proof_missing')
    return proof === ''
      ? `The header x-csrf-token is missing. A page sends the field _csrf of its forms in it. ${byToken}`
      : 'This page is too old. Load it again, and drop the same files once more.';
  if (code !== 'sign_in_required') return sentence(capitalized(message));
  if (request.get('authorization') !== undefined) return `The token is not valid. ${byToken}`;
  // A page still sends its CSRF token when its cookie is gone because somebody signed out in another tab.
  return !(request.get('cookie') ?? '').includes(sessionCookie) && proof === ''
    ? `The request has no token. ${byToken}`
    : 'Your session has ended. Sign in, and drop the same files again: only the rest is sent.';
}
