/**
 * Takes the files of drafts, which are too large for the router of pages. Each request is authenticated and its CSRF token checked before
 * a byte is stored.
 *
 *     GET                     /campaigns/new/DRAFT/uploads    the media that are complete, so that the page sends only others
 *     POST HEAD PATCH DELETE  /campaigns/new/DRAFT/uploads[/ID]    tus 1.0
 */

import { Readable } from 'node:stream';
import { MemoryLocker, Metadata, Server } from '@tus/server';
import { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { findDraft } from '../../app/drafts/drafts.ts';
import { admitFile } from '../../app/drafts/files/admit.ts';
import { type GivenFile, givenBy, openIncoming } from '../../app/drafts/files/incoming.ts';
import { readFiles } from '../../app/drafts/files/record.ts';
import { UploadStore } from '../../app/drafts/files/store.ts';
import { refusalOf } from '../../app/runtime/redis.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { asSentence } from '../../manifest/wording.ts';
import { fixOnDraft } from '../hints.ts';
import type { HttpContext } from '../http/context.ts';
import { identify, noteChange, requireProofHeader, requireRight, sessionCookie } from '../http/gate.ts';
import { HttpProblem, statusOfError } from '../http/problem.ts';

export function createUploads(options: HttpContext): Router {
  const { tools, base, gate } = options;
  const { runtime } = tools;
  const router = Router();
  const uploads = '/campaigns/new/:draft/uploads';
  router.use(uploads, async (request, response, next) => {
    if (!['GET', 'POST', 'HEAD', 'PATCH', 'DELETE'].includes(request.method))
      throw new HttpProblem(405, 'method_unknown', 'uploads accept GET, POST, HEAD, PATCH and DELETE');
    const admitted = await identify(gate, request);
    requireRight(admitted, 'edit');
    requireProofHeader(admitted, request);
    response.locals.by = admitted.person.name;
    response.set('cache-control', 'no-store');
    next();
  });
  router.get(uploads, async (request, response) => {
    const { draft } = request.params;
    await findDraft(runtime, draft);
    const { stored } = await readFiles(runtime, draft);
    response.json([...stored.values()].map(({ path, bytes, modifiedAt }) => ({ path, bytes, modifiedAt })));
  });
  router.all(`${uploads}{/:upload}`, async (request, response) => {
    const { draft = '', upload } = request.params as { draft?: string; upload?: string };
    const path = `${base}/campaigns/new/${encodeURIComponent(draft)}/uploads`;
    await answerTus(runtime, { draft, upload, by: response.locals.by, path }, request, response);
  });
  router.use(uploads, answerProgram(runtime));
  return router;
}

function answerProgram(runtime: Pick<Runtime, 'log'>): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, text } = refusedBy(runtime, error, request);
    response.status(status).set({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.send(text);
  };
}

/** One request at a time writes to an upload. A new one takes over from a lost connection. */
const locker = new MemoryLocker();
/** How long a request may go on after another one has taken over. Milliseconds. */
const takeOverMs = 10;

export interface TusRequest {
  readonly draft: string;
  /** Id of the upload; undefined for a new one. */
  readonly upload: string | undefined;
  readonly by: string;
  /** Path of uploads of this draft, as browsers see it. */
  readonly path: string;
}

/** @throws {UseCaseError} as `admitFile` and `openIncoming`; {HttpProblem} for metadata that cannot be read. */
export async function answerTus(
  runtime: Runtime,
  { draft, upload = '', by, path }: TusRequest,
  request: Request,
  response: Response,
): Promise<void> {
  const isNew = request.method === 'POST';
  const id = isNew ? (await admitFile(runtime, draft, readGiven(request), by)).id : upload;
  await using folder = await openIncoming(runtime, draft, id);
  const audit = (what: string) =>
    noteChange(runtime, request, { who: by, what, by: `/campaigns/new/${draft}/uploads` }, 'uploads');
  const server = new Server({
    path,
    datastore: new UploadStore(runtime, { draft, folder, by, audit }),
    // The id of an upload comes from its file, so two drafts may have the same id.
    locker: { newLock: () => locker.newLock(`${draft}/${id}`) },
    lockDrainTimeout: takeOverMs,
    // No CORS headers: other sites may not send files.
    allowedOrigins: () => false,
    getFileIdFromRequest: () => id,
    namingFunction: () => id,
    generateUrl: () => `${path}/${id}`,
    onResponseError: (_request, error) => {
      if ('status_code' in error) return undefined;
      const { status, text } = refusedBy(runtime, error, request);
      return { status_code: status, body: text };
    },
  });
  const answer = await server.handleWeb(webRequest(request));
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** With Node's own request, the library would wait for its answer to be sent, for ever if the connection is lost. */
function webRequest(request: Request): Parameters<Server['handleWeb']>[0] {
  const { method, headers } = request;
  const body = method === 'PATCH' || method === 'POST' ? Readable.toWeb(request) : null;
  const init = { method, headers: headers as Record<string, string>, body, duplex: 'half' };
  // The address is not looked at: it may have any form.
  const web = new globalThis.Request('http://console/', init as RequestInit);
  return Object.assign(web, { runtime: { node: { req: request } } });
}

/** The file that a request for a new upload names. */
function readGiven(request: Request): GivenFile {
  try {
    const size = Number(request.get('upload-length'));
    return givenBy({ size, metadata: Metadata.parse(request.get('upload-metadata')) });
  } catch {
    const what = 'the header Upload-Metadata must have the path of the file in Base64: path YS5tcDQ=';
    throw new HttpProblem(400, 'body_unreadable', what);
  }
}

export interface Refused {
  readonly status: number;
  readonly text: string;
}

/** Unexpected errors are logged. */
export function refusedBy({ log }: Pick<Runtime, 'log'>, error: unknown, request: Request): Refused {
  if (error instanceof UseCaseError) {
    const { code, message, fix } = error;
    const text = [asSentence(message), fixOnDraft(fix)].filter(Boolean).join(' ');
    return { status: statusOfError(code), text };
  }
  if (error instanceof HttpProblem) return { status: error.status, text: textOf(error, request) };
  const { status = 500 } = error as { readonly status?: number };
  if (status < 500) return { status: 400, text: 'The request cannot be read.' };
  const refusal = refusalOf(error);
  if (refusal) return { status: 503, text: `Redis takes no writes: ${refusal.why}. ${refusal.fix}` };
  log.error({ error: String(error) }, 'upload');
  return { status: 500, text: 'Something went wrong. See the log.' };
}

const byToken = 'A program sends Authorization: Bearer TOKEN. An admin makes tokens on the page Users.';

function textOf({ code, message }: HttpProblem, request: Request): string {
  const proof = request.get('x-csrf-token') ?? '';
  if (code === 'proof_missing')
    return proof === ''
      ? `The header x-csrf-token is missing. A page sends the field _csrf of its forms in it. ${byToken}`
      : 'This page is too old. Load it again, and drop the same files again.';
  if (code !== 'sign_in_required') return asSentence(message);
  if (request.get('authorization') !== undefined) return `The token is not valid. ${byToken}`;
  // A page still sends its CSRF token when its cookie is gone because somebody signed out in another tab.
  return !(request.get('cookie') ?? '').includes(sessionCookie) && proof === ''
    ? `The request has no token. ${byToken}`
    : 'Your session has ended. Sign in, and drop the same files again: only the rest is sent.';
}
