/** Problem documents (RFC 9457): what happened, to what, what to do. */
import { z } from 'zod';
import { hintsField } from '../../manifest/problems/hint.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../runtime/wording.ts';
import { statusOfError } from '../error-status.ts';
import { cureInAnswer, withCures } from './hints.ts';

/** Codes are stable: scripts depend on them. */
export const problemSchema = z
  .looseObject({
    type: z.string().describe('URN of the code.'),
    title: z.string().describe('What the code means.'),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    cure: z.string().optional().describe('What to do about it.'),
    hints: hintsField,
    errors: z
      .array(
        z.strictObject({ in: z.enum(['query', 'body', 'header']), field: z.string(), problem: z.string() }),
      )
      .optional()
      .describe('The wrong fields of a request.'),
  })
  .meta({ id: 'Problem' });

/** An error of the API itself, not of a use case. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly status: number;
  readonly code: string;
  readonly cure: string | undefined;
  /** More members of the document. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    code: string,
    message: string,
    { cure, ...more }: { readonly cure?: string } & Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.cure = cure;
    this.more = more;
  }
}

export interface ProblemDocument extends z.output<typeof problemSchema> {}

/** @param path of the operation. @returns undefined for a defect or an outage: `internalProblem` answers those. */
export function problemOf(error: unknown, path = ''): ProblemDocument | undefined {
  if (error instanceof ApiProblem) {
    const { status, code, message, cure, more } = error;
    const told = withCures(path, more) as typeof more;
    return { ...documentOf(status, code, message), ...cureInAnswer(path, cure), ...told };
  }
  if (error instanceof UseCaseError) {
    const { code, message, cure } = error;
    return { ...documentOf(statusOfError(code), code, message), ...cureInAnswer(path, cure) };
  }
  return undefined;
}

/** The document for a defect or outage. The message of the error goes to the log only. */
export function internalProblem(): ProblemDocument {
  return {
    ...documentOf(500, 'internal_error', 'something went wrong'),
    cure: 'See the log of the console.',
  };
}

function documentOf(status: number, code: string, message: string): ProblemDocument {
  return {
    type: `urn:campaign-runner:problem:${code}`,
    title: capitalized(code.replaceAll('_', ' ')),
    status,
    detail: sentence(capitalized(message)),
    code,
  };
}
