/**
 * Takes the files of drafts, which are too large for the router of pages. Each request is authenticated and its CSRF token checked before
 * a byte is stored.
 *
 *     POST              /campaigns/new/DRAFT/uploads/offer    answers which of these files to send, and where
 *     POST HEAD PATCH DELETE  /campaigns/new/DRAFT/uploads[/ID]    tus 1.0
 *     POST              /campaigns/new, /campaigns/new/DRAFT/files    a form with files, for browsers without scripts
 */

import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { DraftDesk } from '../../drafts/desk.ts';
import { mostFiles, offerFiles } from '../../drafts/files/offer.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { type Admission, type Admitted, type Gate, isProven, sessionCookie } from '../gate.ts';
import { type Frame, turnAway } from '../sign-in/turn-away.ts';
import { cookie } from '../web.ts';
import { takeForm } from './form.ts';
import { refusedBy } from './refused.ts';
import { answerTus } from './tus.ts';

export interface UploadOptions extends Frame {
  readonly runtime: Runtime;
  readonly drafts: DraftDesk;
  readonly gate: Gate;
}

const proofHeader = 'x-csrf-token';
const longestOffer = '4mb';

const offerSchema = z.strictObject({
  files: z
    .array(z.strictObject({ path: z.string().max(2000), bytes: z.int().min(0), modifiedAt: z.int().min(0) }))
    .max(mostFiles),
});

export function createUploads(options: UploadOptions): Router {
  const { runtime, base } = options;
  const router = Router();
  router.post('/campaigns/new/:draft/uploads/offer', async (request, response) => {
    const admitted = await admitProgram(options, request, response);
    if (admitted === undefined) return;
    express.json({ limit: longestOffer })(request, response, (error?: unknown) => {
      if (error) tell(response, 400, 'The list of files cannot be read.');
      else void offer(runtime, admitted, request, response);
    });
  });
  router.all('/campaigns/new/:draft/uploads{/:upload}', async (request, response) => {
    const { draft = '', upload } = request.params as { draft?: string; upload?: string };
    if (!['POST', 'HEAD', 'PATCH', 'DELETE'].includes(request.method)) {
      tell(response, 405, 'Uploads take POST, HEAD, PATCH and DELETE.');
      return;
    }
    const admitted = await admitProgram(options, request, response);
    if (admitted === undefined) return;
    const path = `${base}/campaigns/new/${encodeURIComponent(draft)}/uploads`;
    response.set('cache-control', 'no-store');
    await answerTus(runtime, { draft, upload, by: admitted.person.name, path }, request, response);
  });
  router.post(['/campaigns/new', '/campaigns/new/:draft/files'], async (request, response, next) => {
    if (!request.is('multipart/form-data')) {
      next();
      return;
    }
    const admission = await options.gate.admit(request);
    if (admission.kind !== 'admitted') await turnAway(options, request, response);
    else await takeForm(options, admission, request, response);
  });
  return router;
}

/** Admits a program that may send files; answers others with an error. */
async function admitProgram(
  { gate }: UploadOptions,
  request: Request,
  response: Response,
): Promise<Admitted | undefined> {
  const admission = await gate.admit(request);
  if (admission.kind !== 'admitted') tell(response, 401, whoIsMissing(request, admission));
  else if (admission.person.role !== 'operator') tell(response, 403, 'Only an operator can add files.');
  else if (!isProven(admission, request.get(proofHeader))) tell(response, 403, whatProofIsMissing(request));
  else return admission;
  return undefined;
}

const byToken = 'A program sends Authorization: Bearer TOKEN. An operator makes tokens on the page Users.';

function whoIsMissing(request: Request, { kind }: Exclude<Admission, Admitted>): string {
  if (kind === 'no-users') return `The console has no users yet, and is not on this machine. ${byToken}`;
  if (request.get('authorization') !== undefined) return `The token is not valid. ${byToken}`;
  // A page still sends its CSRF token when its cookie is gone because somebody signed out in another tab.
  return cookie(request, sessionCookie) === undefined && request.get(proofHeader) === undefined
    ? `The request has no token. ${byToken}`
    : 'Your session has ended. Sign in, and drop the same files again: only the rest is sent.';
}

function whatProofIsMissing(request: Request): string {
  return (request.get(proofHeader) ?? '') === ''
    ? `The header ${proofHeader} is missing. A page sends the field _csrf of its forms in it. ${byToken}`
    : 'This page is too old. Load it again, and drop the same files once more.';
}

async function offer(
  runtime: Runtime,
  { person }: Admitted,
  request: Request,
  response: Response,
): Promise<void> {
  const { draft = '' } = request.params as { draft?: string };
  const read = offerSchema.safeParse(request.body);
  if (!read.success) {
    tell(response, 400, `The list of files cannot be read, or has more than ${mostFiles}.`);
    return;
  }
  try {
    const files = await offerFiles(runtime, draft, read.data.files, person.name);
    response.set('cache-control', 'no-store').json({ files });
  } catch (error) {
    const { status, text } = refusedBy(runtime, error);
    tell(response, status, text);
  }
}

function tell(response: Response, status: number, text: string): void {
  response
    .status(status)
    .set({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .send(text);
}
