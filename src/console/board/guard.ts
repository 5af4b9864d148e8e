/**
 * Protects Bull Board, which has no authentication of its own: only people who are signed in see it, only operators change something.
 * Bounds the numbers in its queries: a page of a million jobs would be read whole.
 */
import type { RequestHandler, Response } from 'express';
import { capitalized, sentence } from '../../manifest/wording.ts';
import { noteChange, requireProofHeader, requireRole } from '../http/authorize.ts';
import type { HttpContext } from '../http/context.ts';
import { HttpProblem } from '../http/problem.ts';
import { turnAway } from '../http/turn-away.ts';
import { isSecure } from '../http/web.ts';

/** The board's client sends this cookie back as a header. Other sites cannot. */
const proofCookie = 'XSRF-TOKEN';
const proofHeader = 'x-xsrf-token';

/** @param path of the board, with the base of the console. */
export function guardBoard(context: HttpContext, path: string): RequestHandler {
  const { gate, base, origin, tools } = context;
  return async (request, response, next) => {
    const admission = await gate.admit(request);
    // Jobs are as private as pages. Only the board's own files may be kept.
    if (!request.path.startsWith('/static/')) response.set('cache-control', 'no-store');
    if (admission.kind !== 'admitted') return turnAway(context, request, response);
    const { person, csrf } = admission;
    const refuse = (message: string) =>
      void response.status(403).json({ error: { key: 'ERRORS.FORBIDDEN' }, message });
    if (request.method === 'OPTIONS') return next();
    if (request.method === 'GET' || request.method === 'HEAD') {
      if (csrf !== '') {
        const secure = isSecure(origin, request);
        response.cookie(proofCookie, csrf, { sameSite: 'strict', path, secure });
      }
      return next();
    }
    try {
      requireRole(admission, 'operator');
      requireProofHeader(admission, request, proofHeader);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      const isOld = error.code === 'proof_missing';
      return refuse(isOld ? 'This page is too old. Load it again.' : sentence(capitalized(error.message)));
    }
    const by = request.originalUrl.slice(base.length);
    whenAnswered(response, (status) => {
      // A failed change may have been made in part.
      if (status >= 400 && status < 500) return;
      const failed = status >= 500 ? ' (failed, perhaps in part)' : '';
      const what = `Bull Board: ${request.method} ${decoded(by)}${failed}`;
      void noteChange(tools.runtime, request, { who: person.name, what, by });
    });
    next();
  };
}

/** Tells of the answer, whether or not somebody still waits for it: to somebody who has hung up, no event tells of its end. */
function whenAnswered(response: Response, tell: (status: number) => void): void {
  const end = response.end.bind(response) as (...given: readonly unknown[]) => Response;
  response.end = ((...given: readonly unknown[]) => {
    tell(response.statusCode);
    return end(...given);
  }) as Response['end'];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Most jobs of a page, levels of a flow, and children of a job in it. The board's own pages ask for 50, 20 and 20 at most. */
const most: Readonly<Record<string, number>> = { jobsPerPage: 100, depth: 20, maxChildren: 200 };
/** For any other number, such as `page`: beyond it there are no jobs. */
const mostOfOthers = 1_000_000;

/** The query with every number that is too large lowered to its bound. */
export function boundNumbers(query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const bound = most[name] ?? mostOfOthers;
      return [name, typeof value === 'string' && Number(value) > bound ? String(bound) : value];
    }),
  );
}
