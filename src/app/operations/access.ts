/** Users, their tokens, and the audit. For admins only, because they contain personal data. */
import { z } from 'zod';
import { roleSchema } from '../../ledger/access/users.ts';
import { sheetContentTypes } from '../../sheets/write/format.ts';
import { auditSchema, describeEntry, exportAudit, readAudit } from '../access/audit.ts';
import { makeToken, removeToken } from '../access/credentials.ts';
import { withArticle } from '../access/roles.ts';
import { addUser, listUsers, removeUser, setPassword, setRole, userSchema } from '../access/users.ts';
import { integer, next, text } from './fields.ts';
import { access } from './operation.ts';

const userRole = z.strictObject({ name: z.string(), role: roleSchema });
const password = z.string().max(300).describe('At least 12 characters.');

/**
 * These take no `Idempotency-Key`: Redis would keep their answers and a fast hash of the request, and neither may contain a token or
 * a password.
 */
export const accessOperations = {
  listUsers: access.manage('GET /users', {
    summary: 'List users, with the first characters of their tokens',
    answer: z.strictObject({ users: z.array(userSchema) }),
    handle: async ({ runtime }) => ({ users: await listUsers(runtime) }),
  }),
  addUser: access.manage('POST /users', {
    summary: 'Add a user',
    statuses: [201],
    problems: ['user_exists', 'user_name_invalid', 'password_invalid', 'users_full'],
    description: 'The first user is always an admin. From then on everybody must sign in.',
    body: z.strictObject({ name: text, role: roleSchema.default('viewer'), password }),
    answer: userRole,
    handle: ({ runtime }, { name, role, password }) => addUser(runtime, { name, role, password }),
    audit: (_input, { name, role }) => `Added the ${role} ${name}.`,
  }),
  removeUser: access.manage('DELETE /users/{name}', {
    summary: "Remove a user and the user's tokens, and end the sessions",
    problems: ['last_admin'],
    answer: z.strictObject({ name: z.string(), removed: z.literal(true) }),
    async handle({ runtime }, { name }) {
      return { name: await removeUser(runtime, name), removed: true as const };
    },
    audit: (_input, { name }) => `Removed the user ${name}.`,
  }),
  setRole: access.manage('PUT /users/{name}/role', {
    summary: 'Set the role of a user, also for tokens',
    problems: ['last_admin'],
    body: z.strictObject({ role: roleSchema }),
    answer: userRole,
    handle: async ({ runtime }, { name, role }) => ({ name: await setRole(runtime, name, role), role }),
    audit: (_input, { name, role }) => `Made the user ${name} ${withArticle(role)}.`,
  }),
  setPassword: access.manage('PUT /users/{name}/password', {
    summary: "Set a new password, and end the user's sessions; tokens stay",
    problems: ['password_invalid'],
    body: z.strictObject({ password }),
    answer: z.strictObject({ name: z.string(), changed: z.literal(true) }),
    async handle({ runtime }, { name, password }) {
      return { name: await setPassword(runtime, name, password), changed: true as const };
    },
    audit: (_input, { name }) => `Set a new password for ${name}.`,
  }),
  makeToken: access.manage('POST /users/{name}/tokens', {
    summary: 'Make a token; only this answer shows it',
    statuses: [201],
    problems: ['tokens_full', 'tokens_changed'],
    body: z.strictObject({
      has: z
        .int()
        .min(0)
        .optional()
        .describe(
          'How many tokens the user has now. With this number, a request that is sent twice makes only one token.',
        ),
    }),
    answer: z.strictObject({ name: z.string(), prefix: z.string(), token: z.string() }),
    handle: async ({ runtime }, { name, has }) =>
      await makeToken(runtime, name, has === undefined ? {} : { has }),
    audit: (_input, { name, prefix }) => `Made the token ${prefix}... for ${name}.`,
  }),
  removeToken: access.manage('DELETE /users/{name}/tokens/{prefix}', {
    summary: 'Revoke a token',
    problems: ['token_not_found'],
    answer: z.strictObject({ name: z.string(), prefix: z.string(), removed: z.literal(true) }),
    async handle({ runtime }, { name, prefix }) {
      await removeToken(runtime, name, prefix);
      return { name, prefix, removed: true as const };
    },
    audit: ({ name, prefix }) => `Removed the token ${prefix}... of ${name}.`,
  }),
  listAudit: access.manage('GET /audit', {
    summary: 'List who changed what, when, from where, newest first',
    query: {
      limit: integer(1, 500).default(50).describe('Entries per page.'),
      cursor: z
        .string()
        .regex(/^\d{1,15}-\d{1,15}$/)
        .optional()
        .describe('`next` of the previous page.'),
    },
    answer: z.strictObject({
      changes: z.array(auditSchema),
      /** How many changes and sign-ins are kept now. */
      total: z.int(),
      /** The most changes and sign-ins that are kept; the oldest of each are dropped. */
      kept: z.int(),
      next,
    }),
    async handle({ runtime }, { limit, cursor }) {
      const { entries, total, kept, next } = await readAudit(runtime, cursor, limit);
      return { changes: entries.map(describeEntry), total, kept, next: next ?? null };
    },
  }),
  exportAudit: access.manage('GET /audit/export', {
    summary: 'Download the audit, newest change first',
    answer: [sheetContentTypes.csv, sheetContentTypes.jsonl],
    query: { format: z.enum(['csv', 'jsonl']).default('csv') },
    handle: async ({ runtime }, { format }) => ({
      fileName: `audit.${format}`,
      contentType: sheetContentTypes[format],
      write: (to) => exportAudit(runtime, format, to),
    }),
  }),
};
