/** The REST API: authenticates the caller, reads the request, calls the use case, and answers a document or a problem. */
import { type Request, type Response, Router } from 'express';
import { writeJson } from '../../api/contract/json.ts';
import { expectSheet, readSheetInTurn, requireSheetTurn } from '../../campaigns/sheet-turns.ts';
import type { KeptAnswer } from '../../ledger/kept-answers.ts';
import { presentableJson } from '../../manifest/presentable.ts';
import { refusalOf } from '../../runtime/redis.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { noteChange } from '../audit.ts';
import { addressOf, type Gate, isProven } from '../gate.ts';
import type { Person } from '../request.ts';
import { unlessAway } from '../routing/away.ts';
import type { ConsoleTools } from '../tools.ts';
import { attachment, leftSignal } from '../web.ts';
import { withCures } from './hints.ts';
import { notedChange } from './noted.ts';
import { digestOf, type Keyed, onceFor } from './once.ts';
import { describeApi } from './openapi.ts';
import type { ApiRequest, FileReply, Operation, Reply } from './operation.ts';
import { operations } from './operations.ts';
import { ApiProblem, internalProblem, type ProblemDocument, problemOf } from './problem.ts';
import { readApiRequest } from './read-request.ts';

/** Proof that a change comes from a page of ours. Tokens need none. */
const proofHeader = 'X-CSRF-Token';
const retrySeconds = 10;
const problemType = 'application/problem+json';

export interface ApiOptions {
  readonly tools: ConsoleTools;
  readonly gate: Gate;
  /** Path that the API is served on. */
  readonly path: string;
  readonly version: string;
  /** Whether Redis answers; it never rejects. */
  readonly answers: () => Promise<boolean>;
  /** Milliseconds between two calls of `answers` while a request is carried out. */
  readonly patienceMs: number;
}

/** A router to mount at its path. */
export function createApi(options: ApiOptions): Router {
  const router = Router();
  let description: string | undefined;
  router.get('/openapi.json', (_request, response) => {
    description ??= writeJson(describeApi(options.path, options.version));
    sendText(response, { status: 200, contentType: 'application/json', body: description });
  });
  for (const operation of operations) {
    router[operation.method](expressPath(operation.path), (request, response) =>
      serve(options, operation, request, response),
    );
  }
  router.use((_request, response) => {
    const problem = new ApiProblem(404, 'path_unknown', 'the API has no such operation', {
      cure: `See ${options.path}/openapi.json`,
    });
    sendText(response, problemAnswer(problemOf(problem, 'api') ?? internalProblem()));
  });
  return router;
}

/** `/campaigns/{id}` as Express writes it. */
function expressPath(path: string): string {
  return path.replaceAll('{', ':').replaceAll('}', '');
}

async function serve(
  options: ApiOptions,
  operation: Operation,
  request: Request,
  response: Response,
): Promise<void> {
  const left = leftSignal(response);
  try {
    const work = answerTo(options, operation, request, left);
    const answer = await unlessAway(work, options.answers, options.patienceMs);
    if (answer === undefined) {
      work
        .then((late) => ('close' in late ? late.close?.() : undefined))
        .catch((error) =>
          options.tools.runtime.log.warn({ error: String(error), operation: operation.id }, 'api: late'),
        );
      throw awayProblem(operation);
    }
    if ('write' in answer) await sendFile(response, answer);
    else sendText(response, answer);
  } catch (error) {
    if (error === left.reason) return;
    if (response.headersSent) {
      // Only a part of the file was sent: the caller must notice.
      response.destroy();
      if (!left.aborted) {
        const { log } = options.tools.runtime;
        log.warn({ error: String(error), operation: operation.id }, 'api: answer broken off');
      }
      return;
    }
    sendText(response, problemAnswer(problemFor(options, operation, error)));
  }
}

async function answerTo(
  { tools, gate }: ApiOptions,
  operation: Operation,
  request: Request,
  left: AbortSignal,
): Promise<KeptAnswer | FileReply> {
  const { runtime } = tools;
  const person = await personOf(gate, operation, request);
  // Before the sheet is stored.
  if (operation.readsSheet) requireSheetTurn(person.name);
  using _place = operation.takesSheet && !operation.readsSheet ? expectSheet(person.name) : undefined;
  const asked = await readApiRequest(runtime, operation, request);
  await using _sheet = asked.sheet;
  const { query, body, sheet } = asked;
  const params = request.params as Record<string, string>;
  const keyed = keyedRequest(operation, request, { user: person.name, text: asked.text });
  const origin = keyed && digestOf(keyed);
  const given = { ...tools, left, person, origin, params, query, body, sheet } as ApiRequest;
  const carryOut = async () => {
    const reply = (await operation.handle(given)) as Reply;
    await note(runtime, operation, request, given, reply.body);
    return documentAnswer(operation, reply);
  };
  if (operation.answer === undefined) return (await operation.handle(given)) as FileReply;
  const answer = async () =>
    keyed === undefined
      ? await carryOut()
      : await onceFor(runtime, keyed, () => refusalsAsAnswers(operation, carryOut));
  return operation.readsSheet ? await readSheetInTurn(person.name, answer, left) : await answer();
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

/** The problem of a write that Redis refused; undefined for another error. A change to many rows may be saved in part. */
function refusedWrite(error: unknown): ProblemDocument | undefined {
  const refusal = refusalOf(error);
  return (
    refusal &&
    problemOf(
      new ApiProblem(
        503,
        'redis_refuses',
        `Redis takes no writes: ${refusal.why}; the change was not saved`,
        {
          cure: `${refusal.cure} Then send the request again. If a part of its rows was changed already, it does the rest.`,
        },
      ),
    )
  );
}

/** The problem while Redis is away. A change that has begun goes on when Redis is back. */
function awayProblem({ method, startsSomething = false }: Operation): ApiProblem {
  const sameKey = startsSomething ? ', with the same Idempotency-Key' : '';
  return new ApiProblem(503, 'redis_away', 'Redis does not answer', {
    cure:
      method === 'get'
        ? 'Nothing is lost. Ask again in a moment.'
        : `It is not known yet whether the change was made. Check first, or send it again in a moment${sameKey}.`,
  });
}

/** Notes a change in the audit. */
async function note(
  runtime: Runtime,
  operation: Operation,
  request: Request,
  given: ApiRequest,
  answer: unknown,
): Promise<void> {
  const { method, role } = operation;
  const { person, query, body } = given;
  if (method === 'get' || role !== 'operator' || isDryRun(query) || isDryRun(body)) return;
  const { pathname } = new URL(request.originalUrl, 'http://console');
  await noteChange(runtime, {
    who: person.name,
    from: addressOf(request),
    what: notedChange(operation, given, answer),
    by: `${request.method} ${pathname}`,
  });
}

function isDryRun(asked: unknown): boolean {
  return typeof asked === 'object' && asked !== null && 'dryRun' in asked && asked.dryRun === true;
}

/** @throws {ApiProblem} `sign_in_required`, `role_missing`, `proof_missing`. */
async function personOf(gate: Gate, { role, method }: Operation, request: Request): Promise<Person> {
  const admitted = await gate.admit(request);
  if (admitted.kind !== 'admitted') {
    throw new ApiProblem(401, 'sign_in_required', 'the request has no valid token or session', {
      cure: 'Send Authorization: Bearer TOKEN. An operator makes tokens on the page Users.',
    });
  }
  const { person } = admitted;
  if (role === 'operator' && person.role !== 'operator') {
    throw new ApiProblem(403, 'role_missing', 'only an operator can do this', {
      cure: 'Use the token of an operator.',
    });
  }
  if (method !== 'get' && !isProven(admitted, request.get(proofHeader))) {
    throw new ApiProblem(
      403,
      'proof_missing',
      `a change by a browser session needs the header ${proofHeader}`,
      {
        cure: 'Send the field _csrf of a form in it, or use a token.',
      },
    );
  }
  return person;
}

/** Turns refusals into answers, so that they are kept under the key: the same request is refused again. */
async function refusalsAsAnswers(
  { path }: Operation,
  carryOut: () => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
  try {
    return await carryOut();
  } catch (error) {
    const problem = problemOf(error, path);
    // A wait for room passes, so it is not kept.
    if (problem === undefined || problem.code === 'sheets_busy') throw error;
    return problemAnswer(problem);
  }
}

function problemFor(
  { tools: { runtime } }: ApiOptions,
  { id, path }: Operation,
  error: unknown,
): ProblemDocument {
  const problem = problemOf(error, path) ?? refusedWrite(error);
  if (problem) return problem;
  runtime.log.error({ error: error instanceof Error ? error.message : String(error), operation: id }, 'api');
  return internalProblem();
}

function documentAnswer(
  { statuses: [usual = 200] = [], path }: Operation,
  { body, status = usual }: Reply,
): KeptAnswer {
  return {
    status,
    contentType: 'application/json',
    body: presentableJson(writeJson(withCures(path, body))),
  };
}

function problemAnswer(problem: ProblemDocument): KeptAnswer {
  return { status: problem.status, contentType: problemType, body: presentableJson(writeJson(problem)) };
}

function sendText(response: Response, { status, contentType, body }: KeptAnswer): void {
  response.status(status).set({ 'content-type': contentType, 'cache-control': 'no-store' });
  if (status === 401) response.set('www-authenticate', 'Bearer');
  if (status === 503) response.set('retry-after', String(retrySeconds));
  // The rest of an unread body must not be taken for the next request.
  if (!response.req.complete) response.set('connection', 'close');
  response.send(body);
}

async function sendFile(response: Response, { fileName, contentType, write }: FileReply): Promise<void> {
  response.set({
    'content-type': contentType,
    'content-disposition': attachment(fileName),
    'cache-control': 'no-store',
  });
  await write(response);
  response.end();
}
