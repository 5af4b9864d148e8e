/**
 * Takes the files of drafts, which are too large for the router of pages. Each request is authenticated and its CSRF token checked before
 * a byte is stored.
 *
 *     GET                     /campaigns/new/DRAFT/uploads    the media that are complete, so that the page sends only others
 *     POST HEAD PATCH DELETE  /campaigns/new/DRAFT/uploads[/ID]    tus 1.0
 */
import { type ErrorRequestHandler, Router } from 'express';
import { findDraft } from '../../app/drafts/drafts.ts';
import { readFiles } from '../../app/drafts/files/record.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import { identify, requireProofHeader, requireRole } from '../http/authorize.ts';
import type { HttpContext } from '../http/context.ts';
import { HttpProblem } from '../http/problem.ts';
import { answerTus, refusedBy } from './tus.ts';

export function createUploads(options: HttpContext): Router {
  const { tools, base, gate } = options;
  const { runtime } = tools;
  const router = Router();
  const uploads = '/campaigns/new/:draft/uploads';
  router.use(uploads, async (request, response, next) => {
    if (!['GET', 'POST', 'HEAD', 'PATCH', 'DELETE'].includes(request.method))
      throw new HttpProblem(405, 'method_unknown', 'uploads take GET, POST, HEAD, PATCH and DELETE');
    const admitted = await identify(gate, request);
    requireRole(admitted, 'operator');
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
