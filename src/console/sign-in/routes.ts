/** Signing in and out. */
import { type Request, type Response, Router } from 'express';
import { signIn, signOut } from '../../access/sessions.ts';
import { UseCaseError } from '../../runtime/use-case-error.ts';
import { cureOnPage } from '../hints.ts';
import { noteChange } from '../http/audit.ts';
import { readFormText, strangersShare } from '../http/body.ts';
import type { HttpContext } from '../http/context.ts';
import { hasMoreNames, mostNamesOfAll, parseFields } from '../http/forms.ts';
import { addressOf, networkOf, sessionCookie } from '../http/gate.ts';
import { masked, proofOf } from '../http/proof.ts';
import { type Frame, sendHtml } from '../http/turn-away.ts';
import { cookie, cookieOptions, flash, isOwnPath, ownPath, takeFlash } from '../http/web.ts';
import { csrfField } from '../parts/form.ts';
import { count } from '../parts/numbers.ts';
import type { Notice } from '../request.ts';
import { sendAgainPage, signInPage } from './page.ts';

/** Longest sign-in form, in bytes. It may carry a refused form, encoded a second time. */
const maxFormBytes = 1024 * 1024;
/** Most fields of it: a refused form is one of them. */
const mostFields = 10;
/** Longest name and password together, in bytes. */
const maxCredentialBytes = 4096;

export function createSignIn(options: HttpContext): Router {
  const { gate, base } = options;
  const router = Router();
  router.get('/sign-in', async (request, response) => {
    const to = ownPath(new URL(request.originalUrl, 'http://console').searchParams.get('to'));
    if ((await gate.admit(request)).kind === 'admitted') response.redirect(303, `${base}${to}`);
    else await show(options, response, 200, { to, notice: takeFlash(request, response, options) });
  });
  router.post('/sign-in', async (request, response) => signInBy(options, request, response));
  router.post('/sign-out', async (request, response) => signOutBy(options, request, response));
  return router;
}

interface Shown {
  readonly to: string;
  readonly name?: string;
  readonly notice?: Notice | undefined;
  readonly kept?: string | undefined;
}

async function show({ files, base }: Frame, response: Response, status: number, shown: Shown): Promise<void> {
  await sendHtml(response, status, signInPage({ files, link: (path) => `${base}${path}`, ...shown }));
}

async function readFields(request: Request, response: Response): Promise<URLSearchParams> {
  const text = await readFormText(request, maxFormBytes, { share: strangersShare, response });
  const fields = parseFields(text, mostFields);
  const bytes = ['user', 'password'].map((name) => Buffer.byteLength(fields.get(name) ?? ''));
  if (bytes.reduce((sum, each) => sum + each) <= maxCredentialBytes) return fields;
  throw Object.assign(new Error('name and password are too long'), { status: 413 });
}

async function signInBy(options: HttpContext, request: Request, response: Response): Promise<void> {
  const { tools, base, files } = options;
  const { runtime } = tools;
  const fields = await readFields(request, response);
  const to = ownPath(fields.get('to'));
  const kept = fields.get('kept') ?? undefined;
  const name = (fields.get('user') ?? '').slice(0, 64);
  const from = addressOf(request);
  const refuse = (status: number, text: string) =>
    show(options, response, status, { to, name, kept, notice: { state: 'failed', text } });

  let answer: Awaited<ReturnType<typeof signIn>>;
  try {
    answer = await signIn(runtime, { name, password: fields.get('password') ?? '', from: networkOf(from) });
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    await refuse(503, `Too many people sign in at once. ${cureOnPage(error.cure)}`);
    return;
  }
  if (answer.kind !== 'signed-in') {
    const seconds = Math.ceil(answer.waitMs / 1000);
    const again = `Try again in ${seconds < 60 ? count(seconds, 'second') : count(Math.ceil(seconds / 60), 'minute')}.`;
    response.set('retry-after', String(seconds));
    runtime.log.warn({ from, outcome: answer.kind }, 'sign-in refused');
    const why = {
      wrong: 'Name or password is wrong.',
      wait: 'Too many tries for this name.',
      locked: 'Too many tries from your address.',
    }[answer.kind];
    await refuse(answer.kind === 'wrong' ? 401 : 429, `${why} ${again}`);
    return;
  }

  const before = cookie(request, sessionCookie);
  if (before !== undefined) await signOut(runtime, before);
  response.cookie(sessionCookie, answer.secret, cookieOptions(options, request));
  await noteSignIn(options, request, answer.name, 'Signed in.');
  const canSend = kept && !hasMoreNames(kept, mostNamesOfAll) && isOwnPath(fields.get('to') ?? '');
  if (!canSend) {
    response.redirect(303, `${base}${to}`);
    return;
  }
  const again = new URLSearchParams(kept);
  again.set(csrfField, masked(proofOf(answer.secret)));
  const link = (path: string) => `${base}${path}`;
  await sendHtml(response, 200, sendAgainPage(files, { link, to, fields: again }));
}

function noteSignIn(
  { tools: { runtime } }: HttpContext,
  request: Request,
  who: string,
  what: string,
): Promise<void> {
  return noteChange(runtime, request, { who, what, by: request.path }, 'addSignIn');
}

async function signOutBy(options: HttpContext, request: Request, response: Response): Promise<void> {
  const { tools, gate, base } = options;
  const { runtime } = tools;
  const fields = await readFields(request, response);
  const admission = await gate.admit(request);
  const secret = cookie(request, sessionCookie);
  // Other sites must not sign people out.
  if (
    admission.kind === 'admitted' &&
    secret !== undefined &&
    admission.isOurs(fields.get(csrfField) ?? '')
  ) {
    await signOut(runtime, secret);
    await noteSignIn(options, request, admission.person.name, 'Signed out.');
    response.clearCookie(sessionCookie, cookieOptions(options, request));
    flash(response, { state: 'done', text: 'You are signed out.' }, options);
  }
  response.redirect(303, `${base}/sign-in`);
}
