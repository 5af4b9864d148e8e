/** The REST API: authenticates the caller, reads the request, calls the use case, and answers a document or a problem. */
import { type Request, type Response, Router } from 'express';
import { expectSheet, readSheetWithPermit, requireSheetPermit } from '../../app/campaigns/sheets-at-once.ts';
import {
  carryOut,
  Existing,
  type FileReply,
  isFile,
  type Operation,
  Unchanged,
} from '../../app/operations/operation.ts';
import { allOperations, type NamedOperation } from '../../app/operations.ts';
import { refusalOf } from '../../app/runtime/redis.ts';
import type { KeptAnswer } from '../../ledger/kept-answers.ts';
import { printableJson } from '../../manifest/printable.ts';
import { writeJson } from '../../service/contract/json.ts';
import { withFixes } from '../hints.ts';
import { leftSignal } from '../http/callers.ts';
import type { HttpContext } from '../http/context.ts';
import { addressOf, identify, requireProofHeader, requireRight } from '../http/gate.ts';
import { RedisAway, unlessAway } from '../http/outages.ts';
import {
  HttpProblem,
  internalProblem,
  type ProblemDocument,
  problemAnswer,
  problemOf,
  sendProblem,
  sendText,
} from '../http/problem.ts';
import { sendDownload } from '../http/send.ts';
import { describeApi } from './openapi.ts';
import { digestOf, type Keyed, onceFor, readApiRequest } from './read-request.ts';

export interface ApiOptions extends HttpContext {
  /** Path that the API is served on. */
  readonly path: string;
  readonly version: string;
}

/** A router to mount at its path. */
export function createApi(options: ApiOptions): Router {
  const router = Router();
  let description: string | undefined;
  router.get('/openapi.json', (_request, response) => {
    description ??= writeJson(describeApi(options.path, options.version));
    sendText(response, { status: 200, contentType: 'application/json', body: description });
  });
  for (const operation of allOperations) {
    router[operation.method](expressPath(operation.path), (request, response) =>
      serve(options, operation, request, response),
    );
  }
  router.use((_request, response) => {
    const problem = new HttpProblem(404, 'path_unknown', 'the API has no such operation', {
      fix: `See ${options.path}/openapi.json`,
    });
    sendProblem(response, problem);
  });
  return router;
}

/** `/campaigns/{id}` as Express writes it. */
function expressPath(path: string): string {
  return path.replaceAll('{', ':').replaceAll('}', '');
}

async function serve(
  options: ApiOptions,
  operation: NamedOperation,
  request: Request,
  response: Response,
): Promise<void> {
  const { log } = options.tools.runtime;
  const left = leftSignal(response);
  try {
    const answer = await unlessAway(answerTo(options, operation, request, left), options, {
      drop: (late) => ('close' in late ? late.close?.() : undefined),
      failed: (error) => log.warn({ error: String(error), operation: operation.id }, 'api: late'),
    });
    if ('write' in answer) await sendDownload(response, answer, log);
    else sendText(response, answer);
  } catch (error) {
    if (error !== left.reason) sendText(response, problemAnswer(problemFor(options, operation, error)));
  }
}

async function answerTo(
  { tools, gate }: ApiOptions,
  operation: Operation,
  request: Request,
  left: AbortSignal,
): Promise<KeptAnswer | FileReply> {
  const { runtime } = tools;
  const admitted = await identify(gate, request);
  requireRight(admitted, operation.right);
  if (operation.method !== 'get') requireProofHeader(admitted, request);
  const { person } = admitted;
  // Before the sheet is stored.
  if (operation.readsSheet) requireSheetPermit(person.name);
  using _place = operation.takesSheet && !operation.readsSheet ? expectSheet(person.name) : undefined;
  const asked = await readApiRequest(runtime, operation, request);
  await using _sheet = asked.sheet;
  const keyed = keyedRequest(operation, request, { user: person.name, text: asked.text });
  const { pathname } = new URL(request.originalUrl, 'http://console');
  const context = {
    ...tools,
    person,
    source: { from: addressOf(request), by: `${request.method} ${pathname}` },
    left,
    origin: keyed && digestOf(keyed),
    sheet: asked.sheet,
  };
  const input = { ...asked.query, ...asked.body, ...request.params };
  const carriedOut = async () => {
    const reply = await carryOut(operation, context, input);
    const body = reply instanceof Unchanged ? reply.body : reply;
    return documentAnswer(operation, body, reply instanceof Existing ? 1 : 0);
  };
  if (isFile(operation.answer)) return (await carryOut(operation, context, input)) as FileReply;
  const answer = async () =>
    keyed === undefined
      ? await carriedOut()
      : await onceFor(runtime, keyed, () => refusalsAsAnswers(operation, carriedOut));
  return operation.readsSheet ? await readSheetWithPermit(person.name, answer, left) : await answer();
}

/** @returns undefined if the request has no `Idempotency-Key`, or needs none. */
function keyedRequest(
  { startsSomething = false }: Operation,
  request: Request,
  { user, text }: { readonly user: string; readonly text: string },
): Keyed | undefined {
  const key = startsSomething ? request.get('idempotency-key') : undefined;
  if (key === undefined) return undefined;
  const { pathname, search } = new URL(request.originalUrl, 'http://console');
  return { key, user, route: `${request.method} ${pathname}`, asks: [search, text] };
}

/** The problem of an outage; undefined for another error. */
function outageOf({ method, startsSomething = false }: Operation, error: unknown): HttpProblem | undefined {
  if (error instanceof RedisAway) {
    const sameKey = startsSomething ? ', with the same Idempotency-Key' : '';
    // A change that has begun goes on when Redis is back.
    const fix =
      method === 'get'
        ? 'Nothing is lost. Ask again in a moment.'
        : `It is not known yet whether the change was made. Check first, or send it again in a moment${sameKey}.`;
    return new HttpProblem(503, 'redis_away', error.message, { fix });
  }
  const refusal = refusalOf(error);
  if (refusal === undefined) return undefined;
  const what = `Redis takes no writes: ${refusal.why}; the change was not saved`;
  // A change to many rows may be saved in part.
  const fix = `${refusal.fix} Then send the request again. If some of its rows were already changed, only the rest is done.`;
  return new HttpProblem(503, 'redis_refuses', what, { fix });
}

/** Turns refusals into answers, so that they are kept under the key: the same request is refused again. */
async function refusalsAsAnswers(
  { path }: Operation,
  answer: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  try {
    return await answer();
  } catch (error) {
    const problem = problemOf(error, path);
    // A wait for room passes, so it is not kept.
    if (problem === undefined || problem.code === 'sheets_busy') throw error;
    return problemAnswer(problem);
  }
}

function problemFor(
  { tools: { runtime } }: ApiOptions,
  operation: NamedOperation,
  error: unknown,
): ProblemDocument {
  const { id, path } = operation;
  const problem = problemOf(outageOf(operation, error) ?? error, path);
  if (problem) return problem;
  runtime.log.error({ error: error instanceof Error ? error.message : String(error), operation: id }, 'api');
  return internalProblem();
}

function documentAnswer({ statuses = [], path }: Operation, body: unknown, which: 0 | 1): KeptAnswer {
  return {
    status: statuses[which] ?? 200,
    contentType: 'application/json',
    body: printableJson(writeJson(withFixes(path, body))),
  };
}
