/** Refusals of requests as problem documents (RFC 9457), for programs: what happened, to what, what to do. */
import type { Response } from 'express';
import { z } from 'zod';
import type { KeptAnswer } from '../../ledger/kept-answers.ts';
import { printableJson } from '../../manifest/printable.ts';
import { hintsField } from '../../manifest/problems/hint.ts';
import {
  kindOfRefusal,
  type RefusalKind,
  UseCaseError,
  type UseCaseErrorCode,
} from '../../manifest/problems/use-case-error.ts';
import { asSentence, capitalized } from '../../manifest/wording.ts';
import { writeJson } from '../../service/contract/json.ts';
import { fixInAnswer, withFixes } from '../hints.ts';

const statuses: Readonly<Record<RefusalKind, number>> = {
  missing: 404,
  conflict: 409,
  invalid: 422,
  settings: 500,
  service: 502,
  busy: 503,
  full: 507,
};

export function statusOfError(code: UseCaseErrorCode): number {
  return statuses[kindOfRefusal(code)];
}

/** Codes are stable: scripts depend on them. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('URN of the code.'),
    title: z.string().describe('What the code means.'),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    fix: z.string().optional().describe('What to do about it.'),
    hints: hintsField,
    errors: z
      .array(
        z.strictObject({ in: z.enum(['query', 'body', 'header']), field: z.string(), problem: z.string() }),
      )
      .optional()
      .describe('The wrong fields of a request.'),
  })
  .meta({ id: 'Problem' });

export interface ProblemDocument extends z.output<typeof problemSchema> {}

/** A refusal by the console itself, not by a use case. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem';
  readonly status: number;
  readonly code: string;
  readonly fix: string | undefined;
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { fix, ...more }: { readonly fix?: string } & Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fix = fix;
    this.more = more;
  }
}

/** @param path of the operation. @returns undefined for a defect or an outage: `internalProblem` answers those. */
export function problemOf(error: unknown, path = ''): ProblemDocument | undefined {
  if (!(error instanceof HttpProblem || error instanceof UseCaseError)) return undefined;
  const { code, message, fix } = error;
  const isOurs = error instanceof HttpProblem;
  const document = documentOf(isOurs ? error.status : statusOfError(error.code), code, message);
  const more = withFixes(path, isOurs ? error.more : error.details) as object;
  return { ...document, ...fixInAnswer(path, fix), ...more };
}

/** The document for a defect or outage. The message of the error goes to the log only. */
export function internalProblem(): ProblemDocument {
  return {
    ...documentOf(500, 'internal_error', 'something went wrong'),
    fix: 'See the log of the console.',
  };
}

function documentOf(status: number, code: string, message: string): ProblemDocument {
  return {
    type: `urn:campaign-runner:problem:${code}`,
    title: capitalized(code.replaceAll('_', ' ')),
    status,
    detail: asSentence(message),
    code,
  };
}

export function problemAnswer(problem: ProblemDocument): KeptAnswer {
  const { status } = problem;
  return { status, contentType: 'application/problem+json', body: printableJson(writeJson(problem)) };
}

/** Answers a program that its request is refused. */
export function sendProblem(response: Response, error: HttpProblem): void {
  const answer = problemAnswer(problemOf(error) ?? internalProblem());
  begin(response, answer).end(answer.body);
}

/** When to ask a busy console again. */
export const retrySeconds = 10;

export function sendText(response: Response, answer: KeptAnswer): void {
  begin(response, answer).send(answer.body);
}

function begin(response: Response, { status, contentType }: KeptAnswer): Response {
  response.status(status).set({ 'content-type': contentType, 'cache-control': 'no-store' });
  if (status === 401) response.set('www-authenticate', 'Bearer');
  if (status === 503 && !response.hasHeader('retry-after')) response.set('retry-after', String(retrySeconds));
  // The rest of an unread body must not be taken for the next request.
  if (!response.req.complete) response.set('connection', 'close');
  return response;
}
