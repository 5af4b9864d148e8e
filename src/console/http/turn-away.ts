/** Answers requests that are not authenticated. */

import type { Request, RequestHandler, Response } from 'express';
import type { FileAddress } from '../assets/assets.ts';
import { html } from '../html.ts';
import { csrfField } from '../parts/form.ts';
import { brand, plainPage } from '../parts/layout.ts';
import { noUsersPage, signInForm, signInPage } from '../sign-in/page.ts';
import { isForPrograms, ownPath } from './callers.ts';
import type { CookieScope } from './cookies.ts';
import { hasMoreNames, mostNamesOfAll, withoutFields } from './forms.ts';
import { type Gate, refused } from './gate.ts';
import { HttpProblem, sendProblem } from './problem.ts';

export interface Frame extends CookieScope {
  readonly files: FileAddress;
}

/** While there are no users but a sign-in is needed, every address answers how to add the first user. */
export function refuseWithoutUsers(gate: Gate, { files, base }: Frame): RequestHandler {
  return async (request, response, next) => {
    if ((await gate.admit(request)).kind !== 'no-users') next();
    else if (isForPrograms(request, base)) {
      const fix = 'Make one with: campaigns users add NAME --role admin';
      sendProblem(response, new HttpProblem(503, 'no_users', 'there are no users yet', { fix }));
    } else await sendHtml(response, 503, noUsersPage(files));
  };
}

/** For requests without a session or a valid token. @param form as it was sent. */
export async function turnAway(
  { files, base }: Frame,
  request: Request,
  response: Response,
  form = '',
): Promise<void> {
  const link = (path: string) => `${base}${path}`;
  const path = ownPath(request.originalUrl.slice(base.length));
  const signIn = (to: string) => link(`/sign-in?to=${encodeURIComponent(to)}`);
  if (isForPrograms(request, base)) sendProblem(response, refused('sign_in_required'));
  else if (request.method === 'POST') {
    const kept = keptFields(form);
    const notice = {
      state: 'warning',
      text: 'Your session has ended. Nothing was changed.',
      more:
        kept === undefined
          ? 'Your browser still has what you typed: go back after you have signed in.'
          : 'What you typed is shown again after you have signed in.',
    } as const;
    const shown = { files, link, to: path, notice, kept };
    // In a dialog, the sign-in form replaces only the dialog, so that nothing typed on the page is lost.
    const isPart = request.get('hx-request') === 'true';
    await sendHtml(response, 401, isPart ? signInForm(shown) : signInPage(shown));
  } else if (request.get('hx-request') === 'true') {
    const page = URL.parse(request.get('hx-current-url') ?? '');
    const to = page === null ? '/campaigns' : (page.pathname + page.search).slice(base.length);
    response
      .set('hx-redirect', signIn(ownPath(to)))
      .status(401)
      .end();
  } else if (request.get('accept')?.includes('text/event-stream')) response.status(401).end();
  else response.redirect(303, signIn(path));
}

/** Without the CSRF token and any password. @returns undefined if there are none, or more than any route takes. */
function keptFields(form: string): string | undefined {
  if (form === '' || hasMoreNames(form, mostNamesOfAll)) return undefined;
  return withoutFields(form, [csrfField, 'password']);
}

export async function sendHtml(response: Response, status: number, page: unknown): Promise<void> {
  response
    .status(status)
    .set({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .send(String(await page));
}

interface Said {
  readonly title: string;
  readonly more: string;
  /** Where its button leads: a path within the console. */
  readonly back?: { readonly to: string; readonly name: string };
  /** The browser loads the page again after this time. */
  readonly reloadSeconds?: number;
}

/** Sends a page without a menu that says one thing. */
export async function sendSaying(
  { files, base }: Frame,
  response: Response,
  status: number,
  { title, more, back, reloadSeconds }: Said,
): Promise<void> {
  const onward =
    back && html`<p class="actions"><a class="button" href="${base}${back.to}">${back.name}</a></p>`;
  const body = html`<section class="card question">${brand()}<h1>${title}</h1>${more === '' ? '' : html`<p>${more}</p>`}${onward ?? ''}</section>`;
  await sendHtml(
    response,
    status,
    plainPage(files, title, body, reloadSeconds === undefined ? {} : { reloadSeconds }),
  );
}
