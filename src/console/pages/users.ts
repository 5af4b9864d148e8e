/** `/users`: who may sign in, and their tokens. Each change of a user asks first. */
import { roles, roleTexts, withArticle } from '../../app/access/roles.ts';
import { addUser, findUser, listUsers, type UserDocument } from '../../app/access/users.ts';
import { accessOperations } from '../../app/operations/access.ts';
import type { Role } from '../../ledger/access/users.ts';
import { UseCaseError } from '../../manifest/problems/use-case-error.ts';
import { asSentence, plural } from '../../manifest/wording.ts';
import { fixOnPage } from '../hints.ts';
import { type Html, html, words } from '../html.ts';
import { dotsMenu, empty, face, notice } from '../parts/blocks.ts';
import { ask, asksFirst, done, form, hidden, options, questionLink } from '../parts/form.ts';
import { moment } from '../parts/numbers.ts';
import { icon } from '../parts/state.ts';
import type { Answer, Notice, Page, PageRequest, Route } from '../request.ts';

const nameOf = ({ params }: PageRequest): string => params.name ?? '';

const ofUser = { right: 'manage', home: () => '/users' } as const;

export const userRoutes: readonly Route[] = [
  { method: 'get', path: '/users', right: 'manage', handle: (request) => showUsers(request) },
  { method: 'get', path: '/users/new', right: 'manage', handle: askWhom },
  { method: 'post', path: '/users', right: 'manage', handle: add },
  ...asksFirst({
    ...ofUser,
    path: '/users/:name/remove',
    ask: async (request) => {
      const { name, tokens } = await findUser(request.runtime, nameOf(request));
      const many = tokens.length;
      const voided = many === 0 ? '' : ` ${plural(many, 'token stops', 'tokens stop')} working.`;
      return {
        title: `Remove ${name}?`,
        text: html`<p><b>${words(name)} can no longer sign in</b>, and is signed out everywhere.${voided} The audit keeps the changes that ${words(name)} made.</p>`,
        back: 'Keep the user',
        button: `Remove ${name}`,
        isDangerous: true,
      };
    },
    carryOut: async (request) => {
      const { name } = await request.carryOut(accessOperations.removeUser, { name: nameOf(request) });
      return `${name} is removed.`;
    },
  }),
  ...asksFirst({
    ...ofUser,
    path: '/users/:name/role',
    ask: async (request) => {
      const { name, role } = await findUser(request.runtime, nameOf(request));
      return {
        title: `Change the role of ${name}?`,
        text: html`<p>${words(name)} is ${withArticle(role)}. <b>A new role applies right away</b>, also to tokens.</p>`,
        fields: html`<div class="fields">${roleField('new-role', role)}</div>`,
        button: 'Change the role',
      };
    },
    carryOut: async (request) => {
      const role = roleIn(request);
      const { name } = await request.carryOut(accessOperations.setRole, { name: nameOf(request), role });
      return `${name} is ${withArticle(role)} now.`;
    },
  }),
  ...asksFirst({
    ...ofUser,
    path: '/users/:name/password',
    ask: async (request) => {
      const { name } = await findUser(request.runtime, nameOf(request));
      return {
        title: `Set a new password for ${name}?`,
        text: html`<p><b>${words(name)} is signed out everywhere.</b> Tokens stay.</p>`,
        fields: html`<p class="fields"><label for="new-password">Password</label>${passwordField('new-password', 'At least 12 characters.')}</p>`,
        button: 'Set the password',
      };
    },
    carryOut: async (request) => {
      const given = { name: nameOf(request), password: request.form.get('password') ?? '' };
      const { name } = await request.carryOut(accessOperations.setPassword, given);
      return done('/users', `${name} has a new password.`, 'All earlier sessions have ended.');
    },
  }),
  ...asksFirst({
    ...ofUser,
    path: '/users/:name/token',
    ask: async (request) => {
      const { name, role, tokens } = await findUser(request.runtime, nameOf(request));
      return {
        title: `Make a token for ${name}?`,
        text: html`<p>A program with this token may do what ${words(name)} may, as ${withArticle(role)}. <b>It is shown once.</b></p>`,
        fields: hidden('has', tokens.length),
        button: 'Make a token',
      };
    },
    carryOut: newToken,
  }),
  ...asksFirst({
    ...ofUser,
    path: '/users/:name/tokens/:prefix/remove',
    ask: async (request) => {
      const { name } = await findUser(request.runtime, nameOf(request));
      return {
        title: `Remove the token ${request.params.prefix}…?`,
        text: html`<p><b>Programs that use it are refused from now on.</b> It belongs to ${words(name)}.</p>`,
        back: 'Keep the token',
        button: 'Remove the token',
        isDangerous: true,
      };
    },
    carryOut: async ({ carryOut, params: { name = '', prefix = '' } }) => {
      await carryOut(accessOperations.removeToken, { name, prefix });
      return `The token ${prefix}… of ${name} is removed.`;
    },
  }),
];

/** @param fault why a user was not added. The form keeps what was typed, except the password. */
async function showUsers(request: PageRequest, fault?: Notice): Promise<Page> {
  const users = await listUsers(request.runtime);
  const button = html`<div class="actions">${questionLink(request, '/users/new', html`${icon('plus')}Add a user…`)}</div>`;
  return {
    kind: 'page',
    title: 'Users',
    status: fault ? 409 : 200,
    main: html`
      <div class="head"><h1 id="users">Users</h1>${users.length > 0 && button}</div>
      ${users.length === 0 ? nobody(request) : list(request, users)}
      ${
        (fault ?? users.length === 0) &&
        html`<section class="card after"><h2>Add a user</h2>${fault ? notice(fault) : ''}
        ${form(request, { path: '/users', body: html`${fieldsOf(request)}<p class="after"><button class="primary">Add the user</button></p>` })}</section>`
      }`,
  };
}

function askWhom(request: PageRequest): Promise<Answer> {
  return ask(request, {
    path: '/users',
    home: ofUser.home,
    ask: () => ({ title: 'Add a user', text: '', fields: fieldsOf(request), button: 'Add the user' }),
    carryOut: add,
  });
}

function nobody({ person }: PageRequest): Html {
  const more = person.isAnybody
    ? 'Anyone on this machine can use this console, without signing in. After you add the first user, everyone must sign in.'
    : '';
  return empty(html`<b>No users yet.</b> ${more}`);
}

function list(request: PageRequest, users: readonly UserDocument[]): Html {
  return html`<section aria-labelledby="users">
    <ul class="card lines">${users.map((each) => line(request, each))}</ul>
    <p class="note after">A token lets a program do what its user may.</p>
  </section>`;
}

function line(request: PageRequest, { name, role, createdAt, tokens }: UserDocument): Html {
  const { zone, now, person } = request;
  const since = (time: string) => moment(Date.parse(time), zone, now);
  const ask = (rest: string, label: Html | string, className = '') =>
    questionLink(request, `/users/${encodeURIComponent(name)}/${rest}`, label, className);
  const shown = tokens.map(
    ({ prefix, createdAt: made }) => html`<small>token <code>${prefix}…</code>, ${since(made)}</small>`,
  );
  const menu = dotsMenu(name, [
    ask('token', 'New token…'),
    ask('role', 'Change role…'),
    ask('password', 'New password…'),
    ...tokens.map(({ prefix }) =>
      ask(`tokens/${prefix}/remove`, html`Remove token <code>${prefix}…</code>…`),
    ),
    ask('remove', 'Remove…', 'danger'),
  ]);
  return html`<li>${face(name)}
    <div><b>${words(name)}${name === person.name && !person.isAnybody ? ' (you)' : ''}</b><small>${role}</small></div>
    <div>${shown}<small>since ${since(createdAt)}</small></div>${menu}</li>`;
}

function passwordField(id: string, note: string): Html {
  return html`<input id="${id}" name="password" type="password" autocomplete="new-password" minlength="12" maxlength="200" required><small>${note}</small>`;
}

function fieldsOf({ form: fields, person }: PageRequest): Html {
  const choice = person.isAnybody
    ? html`<p class="note">The first user is an admin.</p>`
    : roleField('role', fields.get('role') ?? 'viewer');
  return html`<div class="fields">
    <p><label for="name">Name</label><input id="name" name="name" value="${fields.get('name') ?? ''}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="64" required></p>
    ${choice}
    <p><label for="password">Password</label>${passwordField('password', 'At least 12 characters. Give it to the user yourself: it is not shown again.')}</p>
  </div>`;
}

async function add(request: PageRequest): Promise<Answer> {
  const { runtime, form: fields } = request;
  try {
    const { name, role } = await addUser(runtime, {
      name: (fields.get('name') ?? '').slice(0, 200),
      role: roleIn(request),
      password: fields.get('password') ?? '',
    });
    await request.record(accessOperations.addUser, {}, { name, role });
    return done('/users', `${name} is ${withArticle(role)} now.`);
  } catch (error) {
    if (!(error instanceof UseCaseError)) throw error;
    const text = asSentence(error.message);
    return showUsers(request, { state: 'failed', text, more: fixOnPage(error.fix) });
  }
}

function roleIn({ form: fields }: PageRequest): Role {
  return roles.find((role) => role === fields.get('role')) ?? 'viewer';
}

function roleField(id: string, chosen: string): Html {
  const choices = roles.map((role) => [role, `${role}: ${roleTexts[role]}`] as const);
  return html`<p><label for="${id}">Role</label><select id="${id}" name="role">${options(choices, chosen)}</select></p>`;
}

/** Shows the token in the answer itself. A redirect would have to store it somewhere. */
async function newToken(request: PageRequest): Promise<Page> {
  const has = Number(request.form.get('has') ?? Number.NaN);
  const { name, token } = await request.carryOut(accessOperations.makeToken, { name: nameOf(request), has });
  return {
    kind: 'page',
    title: `Token for ${name}`,
    main: html`<section class="card question">
      <h1>Token for ${words(name)}</h1>
      <p><b>Copy it now.</b> It is not shown again; only a hash of it is stored.</p>
      <p><code class="token">${token}</code></p>
      <p>A program sends it as <code>Authorization: Bearer TOKEN</code>.</p>
      <p class="actions"><a class="button" href="${request.link('/users')}">I have copied it</a></p>
    </section>`,
  };
}
