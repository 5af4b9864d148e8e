/** The page to sign in, the page that shows again what was not sent, and the page of a console that has no users. */
import { html } from 'hono/html';
import type { Html } from '../html.ts';
import { iconShapes } from '../parts/icons.ts';
import { words } from '../parts/language.ts';
import type { LayoutFiles } from '../parts/layout.ts';
import { notice } from '../parts/points.ts';
import type { Notice } from '../request.ts';

export interface SignInPage {
  readonly files: LayoutFiles;
  readonly link: (path: string) => string;
  /** Path to go to afterwards. */
  readonly to: string;
  /** As it was typed. */
  readonly name?: string | undefined;
  readonly notice?: Notice | undefined;
  /** Fields of a form that could not be taken, because the session had ended; `to` is where it goes. */
  readonly kept?: string | undefined;
}

export function signInPage({ files, link, to, name = '', notice: told, kept }: SignInPage): Html {
  const isWrong = told?.state === 'failed';
  const invalid = isWrong ? html` aria-invalid="true"` : '';
  const focus = html` autofocus`;
  const body = html`<form class="card signin" method="post" action="${link('/sign-in')}">
  ${brand(files)}
  <h1>Sign in</h1>
  ${told ? notice(told) : ''}
  <input type="hidden" name="to" value="${to}">
  ${kept === undefined ? '' : html`<input type="hidden" name="kept" value="${kept}">`}
  <div class="fields">
    <p><label for="user">Name</label><input id="user" name="user" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required${name === '' ? focus : ''}></p>
    <p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="400" required${invalid}${name === '' ? '' : focus}></p>
    <button class="primary">Sign in</button>
  </div>
  <p class="note">No name yet, or the password forgotten? Ask whoever runs this console.</p>
</form>`;
  return plainPage(files, 'Sign in', body);
}

/** Shows what was typed before the session ended. Nothing is sent before somebody says so. */
export function sendAgainPage({
  files,
  link,
  to,
  fields,
  csrf,
}: {
  readonly files: LayoutFiles;
  readonly link: (path: string) => string;
  readonly to: string;
  readonly fields: URLSearchParams;
  /** Name and value of the proof of the new session. */
  readonly csrf: readonly [string, string];
}): Html {
  const [proofName, proof] = csrf;
  const shown = [...fields].filter(([, value]) => value.trim() !== '').slice(0, mostShown);
  const rest = [...fields].length - shown.length;
  const body = html`<form class="card question" method="post" action="${link(to)}">
  <h1>Send what you typed?</h1>
  <p>Your session had ended, so nothing was changed. You are signed in again, and this is still here:</p>
  <dl class="kept">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${words(value.slice(0, longestShown))}</dd>`)}</dl>
  ${rest > 0 && shown.length === mostShown ? html`<p class="note">And ${rest} more fields.</p>` : ''}
  <input type="hidden" name="${proofName}" value="${proof}">
  ${[...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
  <p class="actions"><a class="button" href="${link('/campaigns')}">Leave it</a> <button class="primary">Send it</button></p>
</form>`;
  return plainPage(files, 'Send what you typed?', body);
}

const mostShown = 20;
const longestShown = 500;

/** The command is all that helps: the first user cannot be made here, where anybody could come by. */
export function noUsersPage(files: LayoutFiles): Html {
  const body = html`<section class="card signin">
  ${brand(files)}
  <h1>There is no user yet</h1>
  <p>This console wants a sign-in. Whoever runs it makes the first user, on its machine:</p>
  <p><code>campaigns users add NAME --role operator</code></p>
  <p class="note">Then load this page again.</p>
</section>`;
  return plainPage(files, 'There is no user yet', body);
}

function brand(files: LayoutFiles): Html {
  return html`<p class="brand"><img src="${files.mark}" width="20" height="20" alt=""> Campaign runner</p>`;
}

/** A page without menu and scripts. */
function plainPage(files: LayoutFiles, title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="color-scheme" content="light dark">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="icon" href="${files.mark}">
  <link rel="stylesheet" href="${files.style}">
</head>
<body>
<main id="main">
${body}
</main>
${iconShapes()}
</body>
</html>
`;
}
