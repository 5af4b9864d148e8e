/** Changes of a user by an operator. Each change asks first. */
import { html } from 'hono/html';
import { makeToken, removeToken } from '../../../access/tokens.ts';
import { findUser, removeUser, setPassword, setRole } from '../../../access/users.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count } from '../../parts/numbers/numbers.ts';
import { wayBack } from '../../parts/question.ts';
import type { Answer, Page, PageRequest, Question, Redirect } from '../../request.ts';

const nameOf = ({ params }: PageRequest): string => params.name ?? '';

interface Asked {
  readonly title: string;
  readonly text: Html | string;
  /** More fields of the form. */
  readonly fields?: Html | undefined;
  readonly back: string;
  readonly button: string;
  readonly isDangerous?: boolean | undefined;
}

/** A question whose form goes to the same path. */
function ask(request: PageRequest, path: string, asked: Asked): Question {
  const { title, text, fields = '', back, button, isDangerous } = asked;
  const body = html`<p>${text}</p>
    ${form(request, {
      path,
      body: html`${fields}<p class="actions">${wayBack(request, '/users', back)} <button class="primary${isDangerous ? ' danger' : ''}">${button}</button></p>`,
    })}`;
  return { kind: 'question', title, section: '/users', body };
}

function pathOf(name: string, rest: string): string {
  return `/users/${encodeURIComponent(name)}/${rest}`;
}

function done(text: string, more?: string): Redirect {
  return { kind: 'redirect', to: '/users', notice: { state: 'done', text, more } };
}

export async function askRemove(request: PageRequest): Promise<Question> {
  const { name, tokens } = await findUser(request.runtime, nameOf(request));
  const voided = tokens.length === 0 ? '' : ` ${count(tokens.length, 'token stops', 'tokens stop')} working.`;
  return ask(request, pathOf(name, 'remove'), {
    title: `Remove ${name}?`,
    text: html`<b>${words(name)} can no longer sign in</b>, and is signed out everywhere.${voided} The audit keeps the changes that ${words(name)} made.`,
    back: 'Keep the user',
    button: `Remove ${name}`,
    isDangerous: true,
  });
}

export async function remove(request: PageRequest): Promise<Redirect> {
  return done(`${await removeUser(request.runtime, nameOf(request))} is removed.`);
}

export async function askRole(request: PageRequest): Promise<Question> {
  const { name, role } = await findUser(request.runtime, nameOf(request));
  const other = role === 'operator' ? 'viewer' : 'operator';
  const text =
    other === 'operator'
      ? html`<b>${words(name)} may then change everything</b>: campaigns, rate limits, users.`
      : html`<b>${words(name)} may then only read</b>, also with tokens.`;
  return ask(request, pathOf(name, 'role'), {
    title: `Make ${name} ${other === 'operator' ? 'an operator' : 'a viewer'}?`,
    text,
    fields: html`<input type="hidden" name="role" value="${other}">`,
    back: 'Leave it',
    button: `Make ${name} ${other}`,
  });
}

export async function changeRole(request: PageRequest): Promise<Redirect> {
  const role = request.form.get('role') === 'operator' ? 'operator' : 'viewer';
  const name = await setRole(request.runtime, nameOf(request), role);
  return done(`${name} is ${role === 'operator' ? 'an operator' : 'a viewer'} now.`);
}

export async function askPassword(request: PageRequest): Promise<Question> {
  const { name } = await findUser(request.runtime, nameOf(request));
  return ask(request, pathOf(name, 'password'), {
    title: `Set a new password for ${name}?`,
    text: html`<b>${words(name)} is signed out everywhere.</b> Tokens stay.`,
    fields: html`<p class="fields"><label for="new-password">Password</label><input id="new-password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="200" required><small>At least 12 characters.</small></p>`,
    back: 'Leave it',
    button: 'Set the password',
  });
}

export async function changePassword(request: PageRequest): Promise<Redirect> {
  const name = await setPassword(request.runtime, nameOf(request), request.form.get('password') ?? '');
  return done(`${name} has a new password.`, 'All earlier sessions have ended.');
}

export async function askToken(request: PageRequest): Promise<Question> {
  const { name, role, tokens } = await findUser(request.runtime, nameOf(request));
  return ask(request, pathOf(name, 'token'), {
    title: `Make a token for ${name}?`,
    text: html`A program with this token may do what ${words(name)} may: ${role === 'operator' ? 'read and change' : 'read'}. <b>It is shown once.</b>`,
    fields: html`<input type="hidden" name="has" value="${tokens.length}">`,
    back: 'Leave it',
    button: 'Make a token',
  });
}

/** Shows the token in the answer itself. A redirect would have to store it somewhere. */
export async function newToken(request: PageRequest): Promise<Page> {
  const has = Number(request.form.get('has') ?? Number.NaN);
  const { name, token } = await makeToken(request.runtime, nameOf(request), { has });
  return {
    kind: 'page',
    title: `Token for ${name}`,
    section: '/users',
    main: html`<section class="card question">
      <h1>Token for ${words(name)}</h1>
      <p><b>Copy it now.</b> It is not shown again; only a hash of it is stored.</p>
      <p><code class="token">${token}</code></p>
      <p>A program sends it as <code>Authorization: Bearer TOKEN</code>.</p>
      <p class="actions"><a class="button" href="${request.link('/users')}">I have copied it</a></p>
    </section>`,
  };
}

export async function askRemoveToken(request: PageRequest): Promise<Question> {
  const { name } = await findUser(request.runtime, nameOf(request));
  const prefix = request.params.prefix ?? '';
  return ask(request, pathOf(name, `tokens/${encodeURIComponent(prefix)}/remove`), {
    title: `Remove the token ${prefix}…?`,
    text: html`<b>Programs that use it are refused from now on.</b> It belongs to ${words(name)}.`,
    back: 'Keep the token',
    button: 'Remove the token',
    isDangerous: true,
  });
}

export async function dropToken(request: PageRequest): Promise<Answer> {
  const { name = '', prefix = '' } = request.params;
  await removeToken(request.runtime, name, prefix);
  return done(`The token ${prefix}… of ${name} is removed.`);
}
