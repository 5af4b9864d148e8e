/** `/users`: who may sign in, and their tokens. */
import { html } from 'hono/html';
import type { UserDocument } from '../../../access/users.ts';
import { addUser, listUsers, roleSchema } from '../../../access/users.ts';
import { UseCaseError } from '../../../runtime/use-case-error.ts';
import { capitalized, sentence } from '../../../runtime/wording.ts';
import { cureOnPage } from '../../hints.ts';
import type { Html } from '../../html.ts';
import { form } from '../../parts/form.ts';
import { words } from '../../parts/language.ts';
import { count, moment } from '../../parts/numbers/numbers.ts';
import { empty, notice } from '../../parts/points.ts';
import { questionLink } from '../../parts/question.ts';
import type { Answer, Notice, Page, PageRequest } from '../../request.ts';

export async function showUsers(request: PageRequest): Promise<Page> {
  return usersPage(request);
}

/** Adds a user. After an error the form keeps what was typed, except the password. */
export async function add(request: PageRequest): Promise<Answer> {
  const { runtime, form: fields } = request;
  const role = roleSchema.safeParse(fields.get('role')).data ?? 'viewer';
  try {
    const name = await addUser(runtime, {
      name: (fields.get('name') ?? '').slice(0, 200),
      role: request.person.isAnybody ? 'operator' : role,
      password: fields.get('password') ?? '',
    });
    const text = `${name} is ${role === 'operator' ? 'an operator' : 'a viewer'} now.`;
    return { kind: 'redirect', to: '/users', notice: { state: 'done', text } };
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const text = sentence(capitalized(error.message));
    return usersPage(request, { state: 'failed', text, more: cureOnPage(error.cure) });
  }
}

async function usersPage(request: PageRequest, fault?: Notice): Promise<Page> {
  const users = await listUsers(request.runtime);
  return {
    kind: 'page',
    title: 'Users',
    section: '/users',
    status: fault ? 409 : 200,
    main: html`
      <div class="head"><h1>Users</h1></div>
      ${users.length === 0 ? nobody(request) : table(request, users)}
      <section class="card" aria-labelledby="add">
        <h2 id="add">Add a user</h2>
        ${fault ? notice(fault) : ''}
        ${form(request, { path: '/users', body: fieldsOf(request) })}
      </section>`,
  };
}

function nobody({ person }: PageRequest): Html {
  const more = person.isAnybody
    ? 'Nobody has to sign in: this console is open, on this machine only. After you add the first user, everybody must sign in.'
    : '';
  return empty(html`<b>There is no user yet.</b> ${more}`);
}

function table(request: PageRequest, users: readonly UserDocument[]): Html {
  return html`<section class="card" aria-label="Users">
    <div class="scroller" tabindex="0" role="region" aria-label="Table of users"><table>
      <thead><tr><th scope="col">Name</th><th scope="col">Role</th><th scope="col">Since</th><th scope="col">Tokens</th><th scope="col"><span class="hidden">Actions</span></th></tr></thead>
      <tbody>${users.map((user) => line(request, user))}</tbody>
    </table></div>
    <p class="note">Viewers can only read. Operators can also change things. A token lets a program do what its user may.</p>
  </section>`;
}

function line(request: PageRequest, { name, role, createdAt, tokens }: UserDocument): Html {
  const { zone, now, person } = request;
  const path = `/users/${encodeURIComponent(name)}`;
  const since = (time: string) => moment(Date.parse(time), zone, now);
  const shown = tokens.map(
    ({ prefix, createdAt: made }) =>
      html`<li><code>${prefix}…</code>, ${since(made)} ${questionLink(request, `${path}/tokens/${prefix}/remove`, 'Remove…', 'plain')}</li>`,
  );
  const other = role === 'operator' ? 'viewer' : 'operator';
  return html`<tr>
    <th scope="row">${words(name)}${name === person.name && !person.isAnybody ? ' (you)' : ''}</th>
    <td>${role}</td>
    <td>${since(createdAt)}</td>
    <td>${tokens.length === 0 ? 'none' : html`<details><summary>${count(tokens.length, 'token')}</summary><ul>${shown}</ul></details>`}</td>
    <td><div class="actions">
      ${questionLink(request, `${path}/token`, 'New token…')}
      ${questionLink(request, `${path}/role`, `Make ${other}…`)}
      ${questionLink(request, `${path}/password`, 'New password…')}
      ${questionLink(request, `${path}/remove`, 'Remove…', 'button danger')}
    </div></td>
  </tr>`;
}

function fieldsOf({ form: fields, person }: PageRequest): Html {
  const role = fields.get('role') === 'operator' ? 'operator' : 'viewer';
  const option = (value: string, text: string) =>
    html`<option value="${value}"${value === role ? html` selected` : ''}>${text}</option>`;
  const roles = person.isAnybody
    ? html`<input type="hidden" name="role" value="operator"><p class="note">The first user is an operator.</p>`
    : html`<p><label for="role">Role</label><select id="role" name="role">${option('viewer', 'viewer: reads')}${option('operator', 'operator: changes')}</select></p>`;
  return html`<div class="fields narrow">
    <p><label for="name">Name</label><input id="name" name="name" value="${fields.get('name') ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" required></p>
    ${roles}
    <p><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="200" required><small>At least 12 characters. Give it to the user yourself: it is not shown again.</small></p>
    <button class="primary">Add the user</button>
  </div>`;
}
