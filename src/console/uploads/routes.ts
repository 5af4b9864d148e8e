/**
 * Takes the files of drafts, which are too large for the router of pages. Each request is authenticated and its CSRF token checked before
 * a byte is stored.
 *
 *     POST              /campaigns/new/DRAFT/uploads/offer    answers which of these files to send, and where
 *     POST HEAD PATCH DELETE  /campaigns/new/DRAFT/uploads[/ID]    tus 1.0
 *     POST              /media/…    small versions of media (`media.ts`)
 *     POST              /campaigns/new, /campaigns/new/DRAFT/files    a form with files, for browsers without scripts
 */
import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express';
import { z } from 'zod';
import { mostFiles, offerFiles } from '../../drafts/files/offer.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { identify, requireProofHeader, requireRole } from '../http/authorize.ts';
import type { HttpContext } from '../http/context.ts';
import { HttpProblem } from '../http/problem.ts';
import { turnAway } from '../http/turn-away.ts';
import { takeForm } from './form.ts';
import { createOffers } from './media.ts';
import { refusedBy, unreadable } from './refused.ts';
import { answerTus } from './tus.ts';

const longestOffer = '4mb';

const offerSchema = z.strictObject({
  files: z
    .array(z.strictObject({ path: z.string().max(2000), bytes: z.int().min(0), modifiedAt: z.int().min(0) }))
    .max(mostFiles),
});

export function createUploads(options: HttpContext): Router {
  const { tools, base, gate } = options;
  const { runtime } = tools;
  const router = Router();
  const uploads = '/campaigns/new/:draft/uploads';
  router.use(uploads, async (request, response, next) => {
    if (!['POST', 'HEAD', 'PATCH', 'DELETE'].includes(request.method))
      throw new HttpProblem(405, 'method_unknown', 'uploads take POST, HEAD, PATCH and DELETE');
    const admitted = await identify(gate, request);
    requireRole(admitted, 'operator');
    requireProofHeader(admitted, request);
    response.locals.by = admitted.person.name;
    response.set('cache-control', 'no-store');
    next();
  });
  router.post(`${uploads}/offer`, express.json({ limit: longestOffer }), offer(runtime));
  router.all(`${uploads}{/:upload}`, async (request, response) => {
    const { draft = '', upload } = request.params as { draft?: string; upload?: string };
    const path = `${base}/campaigns/new/${encodeURIComponent(draft)}/uploads`;
    await answerTus(runtime, { draft, upload, by: response.locals.by, path }, request, response);
  });
  router.use(createOffers(options));
  router.use([uploads, '/media'], answerProgram(runtime));
  router.post(['/campaigns/new', '/campaigns/new/:draft/files'], async (request, response, next) => {
    if (!request.is('multipart/form-data')) {
      next();
      return;
    }
    const admission = await gate.admit(request);
    if (admission.kind !== 'admitted') await turnAway(options, request, response);
    else await takeForm(options, admission, request, response);
  });
  return router;
}

function offer(runtime: Runtime): RequestHandler<{ draft: string }> {
  return async ({ params, body }, response) => {
    const read = offerSchema.safeParse(body);
    if (!read.success) throw new HttpProblem(400, 'body_unreadable', unreadable);
    response.json({ files: await offerFiles(runtime, params.draft, read.data.files, response.locals.by) });
  };
}

/** Answers a program whose files are refused: a status, and a text for people. */
function answerProgram(runtime: Pick<Runtime, 'log'>): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const { status, text } = refusedBy(runtime, error, request);
    response.status(status).set({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.send(text);
  };
}
