/** The sign-in page, the page that offers to send a kept form, and the page of a console without users. */
import type { FileAddress } from '../assets/assets.ts';
import { type Html, html } from '../html.ts';
import { notice } from '../parts/blocks.ts';
import { type KeptForm, keptForm } from '../parts/kept-form.ts';
import { brand, plainPage } from '../parts/layout.ts';
import type { Notice } from '../request.ts';

export interface SignInPage {
  readonly files: FileAddress;
  readonly link: (path: string) => string;
  /** Path to go to after the sign-in. */
  readonly to: string;
  readonly name?: string | undefined;
  readonly notice?: Notice | undefined;
  /** Fields of a form that was refused because the session had ended; `to` is its path. */
  readonly kept?: string | undefined;
}

export function signInPage(page: SignInPage): Html {
  return plainPage(page.files, 'Sign in', signInForm(page));
}

export function signInForm({ link, to, name = '', notice: told, kept }: Omit<SignInPage, 'files'>): Html {
  const isWrong = told?.state === 'failed';
  const invalid = isWrong ? html` aria-invalid="true"` : '';
  const focus = html` autofocus`;
  return html`<form class="card signin" method="post" action="${link('/sign-in')}">
  ${brand()}
  <h1 id="question-title">Sign in</h1>
  ${told ? notice(told) : ''}
  <input type="hidden" name="to" value="${to}">
  ${kept === undefined ? '' : html`<input type="hidden" name="kept" value="${kept}">`}
  <div class="fields">
    <p><label for="user">Name</label><input id="user" name="user" value="${name}" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required${name === '' ? focus : ''}></p>
    <p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" maxlength="400" required${invalid}${name === '' ? '' : focus}></p>
    <button class="primary">Sign in</button>
  </div>
  <p class="note">No name yet, or forgot the password? Ask your operator.</p>
</form>`;
}

/** Shows what was typed before the session ended. @param form its fields have the CSRF token of the new session. */
export function sendAgainPage(files: FileAddress, form: Pick<KeptForm, 'link' | 'to' | 'fields'>): Html {
  const title = 'Send what you typed?';
  const said =
    'Your session had ended, so nothing was changed. You are signed in again. This is what you typed:';
  return plainPage(files, title, keptForm({ ...form, title, said }));
}

/** Shows the command that adds the first user. A page for that would let anybody become an admin. */
export function noUsersPage(files: FileAddress): Html {
  const body = html`<section class="card signin">
  ${brand()}
  <h1>No users yet</h1>
  <p>No one can sign in yet. Add the first user on the console's machine:</p>
  <p><code>campaigns users add NAME --role admin</code></p>
  <p class="note">Then load this page again.</p>
</section>`;
  return plainPage(files, 'No users yet', body);
}
