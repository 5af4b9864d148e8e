/** The answer to a program when its files are refused: a status, and a text for people. */
import type { Request } from 'express';
import { mostFiles } from '../../drafts/files/offer.ts';
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { cureOnDraft } from '../hints.ts';
import { sessionCookie } from '../http/gate.ts';
import { HttpProblem, statusOfError } from '../http/problem.ts';
import { cookie } from '../http/web.ts';

export interface Refused {
  readonly status: number;
  readonly text: string;
}

export const unreadable = `The list of files cannot be read, or has more than ${mostFiles}.`;

/** Unexpected errors are logged. */
export function refusedBy({ log }: Pick<Runtime, 'log'>, error: unknown, request: Request): Refused {
  if (error instanceof UseCaseError) {
    const { code, message, cure } = error;
    const text = [sentence(capitalized(message)), cureOnDraft(cure)].filter(Boolean).join(' ');
    return { status: statusOfError(code), text };
  }
  if (error instanceof HttpProblem) return { status: error.status, text: textOf(error, request) };
  const { status = 500 } = error as { readonly status?: number };
  if (status < 500) return { status: 400, text: unreadable };
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
  return cookie(request, sessionCookie) === undefined && proof === ''
    ? `The request has no token. ${byToken}`
    : 'Your session has ended. Sign in, and drop the same files again: only the rest is sent.';
}
