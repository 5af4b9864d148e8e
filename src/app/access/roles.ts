/**
 * The roles of users, and what each may do. A role has rights, which are no ladder: an approver edits no draft, and an operator changes
 * no users. Each operation, route and page names the one right that it needs.
 */
import type { Role } from '../../ledger/access/users.ts';

/** What a person with the right may do, for people. */
export const rights = {
  see: 'look at everything but users, client links and the audit',
  comment: 'comment',
  edit: 'prepare drafts and fix their rows',
  approve: 'decide approvals',
  run: 'start, retry, stop, decide or delete',
  manage: 'change users, tokens and client links, and see the audit',
} as const;

export type Right = keyof typeof rights;

const rightsOf: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['see'],
  editor: ['see', 'comment', 'edit'],
  approver: ['see', 'comment', 'approve'],
  operator: ['see', 'comment', 'edit', 'approve', 'run'],
  admin: ['see', 'comment', 'edit', 'approve', 'run', 'manage'],
};

export const roles = Object.keys(rightsOf) as readonly Role[];

/** What each role may do, for people who choose one. */
export const roleTexts: Readonly<Record<Role, string>> = {
  viewer: 'views, and changes nothing',
  editor: 'prepares drafts, comments',
  approver: 'decides approvals, comments',
  operator: 'all of the above, and starts, retries, decides',
  admin: 'all of the above, and users, client links, the audit',
};

/** Whether somebody, who has signed in or sends a token, has a right. */
export function mayDo({ person }: { readonly person: { readonly role: Role } }, right: Right): boolean {
  return rightsOf[person.role].includes(right);
}

/** The roles with a right, as a sentence names them: `operators and admins`. */
export function whoMay(right: Right): string {
  const names = roles.filter((role) => mayDo({ person: { role } }, right)).map((role) => `${role}s`);
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}

/** `an editor`, `a viewer`. */
export function withArticle(role: Role): string {
  return `${/^[aeo]/.test(role) ? 'an' : 'a'} ${role}`;
}
