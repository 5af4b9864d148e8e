/** Signing in and out. */
import { type Request, type Response, Router } from 'express';
import { lockedFor, type SignIn, signIn, signOut } from '../../app/access/credentials.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { plural } from '../../manifest/wording.ts';
import { fixOnPage } from '../hints.ts';
import { readFormText, strangersShare } from '../http/body.ts';
import { isOwnPath, ownPath } from '../http/callers.ts';
import type { HttpContext } from '../http/context.ts';
import { cookieOptions, flash, ownCookie, ownName, takeFlash } from '../http/cookies.ts';
import { hasMoreNames, maxKeptBytes, mostNamesOfAll, parseFields } from '../http/forms.ts';
import { addressOf, masked, networkOf, noteChange, proofOf, sessionCookie } from '../http/gate.ts';
import { HttpProblem } from '../http/problem.ts';
import { type Frame, sendHtml } from '../http/turn-away.ts';
import { csrfField } from '../parts/form.ts';
import type { Notice } from '../request.ts';
import { type SignInPage, sendAgainPage, signInPage } from './page.ts';

/** Longest sign-in form, in bytes. It may carry a refused form, whose characters take up to three times as much when they are encoded again. */
const maxFormBytes = 3 * maxKeptBytes + 24 * 1024;
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

type SignInForm = Omit<SignInPage, 'files' | 'link'>;

async function show(
  { files, base }: Frame,
  response: Response,
  status: number,
  shown: SignInForm,
): Promise<void> {
  await sendHtml(response, status, signInPage({ files, link: (path) => `${base}${path}`, ...shown }));
}

async function readFields(request: Request, response: Response): Promise<URLSearchParams> {
  const text = await readFormText(request, maxFormBytes, { share: strangersShare, response });
  const fields = parseFields(text, mostFields);
  const bytes = ['user', 'password'].map((name) => Buffer.byteLength(fields.get(name) ?? ''));
  if (bytes.reduce((sum, each) => sum + each) <= maxCredentialBytes) return fields;
  throw new HttpProblem(413, 'form_too_long', 'name and password are too long');
}

async function signInBy(options: HttpContext, request: Request, response: Response): Promise<void> {
  const { tools, base, files } = options;
  const { runtime } = tools;
  const from = networkOf(addressOf(request));
  const waitMs = await lockedFor(runtime, from);
  if (waitMs > 0) {
    await refuseTry(options, request, response, { kind: 'locked', waitMs }, { to: ownPath(undefined) });
    return;
  }
  const fields = await readFields(request, response);
  const to = ownPath(fields.get('to'));
  const kept = keptOf(fields);
  const name = (fields.get('user') ?? '').slice(0, 64);

  let answer: SignIn;
  try {
    answer = await signIn(runtime, { name, password: fields.get('password') ?? '', from });
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const text = `Too many people are signing in at once. ${fixOnPage(error.fix)}`;
    await show(options, response, 503, { to, name, kept, notice: { state: 'failed', text } });
    return;
  }
  if (answer.kind !== 'signed-in') {
    await refuseTry(options, request, response, answer, { to, name, kept });
    return;
  }

  const before = ownCookie(request, sessionCookie, options);
  if (before !== undefined) await signOut(runtime, before);
  const cookieName = ownName(sessionCookie, options, request);
  response.cookie(cookieName, answer.secret, cookieOptions(options, request));
  await noteSignIn(options, request, answer.name, 'Signed in.');
  if (!kept || !isOwnPath(fields.get('to') ?? '')) {
    response.redirect(303, `${base}${to}`);
    return;
  }
  const again = new URLSearchParams(kept);
  again.set(csrfField, masked(proofOf(answer.secret)));
  const link = (path: string) => `${base}${path}`;
  await sendHtml(response, 200, sendAgainPage(files, { link, to, fields: again }));
}

/** The form that was refused because the session had ended, if it can be one. */
function keptOf(fields: URLSearchParams): string | undefined {
  const kept = fields.get('kept') ?? undefined;
  const canBeForm = kept !== undefined && kept.length <= maxKeptBytes && !hasMoreNames(kept, mostNamesOfAll);
  return canBeForm ? kept : undefined;
}

/** Answers a try that did not succeed. One that came too early costs no more than its answer: that has nothing of the form. */
async function refuseTry(
  options: HttpContext,
  request: Request,
  response: Response,
  { kind, waitMs }: Exclude<SignIn, { readonly kind: 'signed-in' }>,
  { to, name, kept }: SignInForm,
): Promise<void> {
  const seconds = Math.ceil(waitMs / 1000);
  const again = `Try again in ${seconds < 60 ? plural(seconds, 'second') : plural(Math.ceil(seconds / 60), 'minute')}.`;
  const why = {
    wrong: 'Name or password is wrong.',
    wait: 'Too many tries for this name.',
    locked: 'Too many tries from your address.',
  }[kind];
  options.tools.runtime.log.warn({ from: addressOf(request), outcome: kind }, 'sign-in refused');
  response.set('retry-after', String(seconds));
  const notice: Notice = { state: 'failed', text: `${why} ${again}` };
  const isWrong = kind === 'wrong';
  const shown = isWrong ? { to, name: name ?? '', kept, notice } : { to, name: name ?? '', notice };
  await show(options, response, isWrong ? 401 : 429, shown);
}

function noteSignIn(
  { tools: { runtime } }: HttpContext,
  request: Request,
  who: string,
  what: string,
): Promise<void> {
  return noteChange(runtime, request, { who, what, by: request.path }, 'signIns');
}

async function signOutBy(options: HttpContext, request: Request, response: Response): Promise<void> {
  const { tools, gate, base } = options;
  const { runtime } = tools;
  const admission = await gate.admit(request);
  const secret = ownCookie(request, sessionCookie, options);
  // Other sites must not sign people out.
  if (
    admission.kind === 'admitted' &&
    secret !== undefined &&
    admission.isOurs((await readFields(request, response)).get(csrfField) ?? '')
  ) {
    await signOut(runtime, secret);
    await noteSignIn(options, request, admission.person.name, 'Signed out.');
    response.clearCookie(ownName(sessionCookie, options, request), cookieOptions(options, request));
    flash(response, { state: 'done', text: 'You are signed out.' }, options);
  }
  response.redirect(303, `${base}/sign-in`);
}
