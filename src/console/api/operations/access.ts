/** Users, their tokens, and the audit. For operators only, because they contain personal data. */
import { z } from 'zod';
import { auditSchema, describeEntry, exportAudit, readAudit } from '../../../access/audit.ts';
import { makeToken, removeToken } from '../../../access/tokens.ts';
import {
  accessCommandSchemas,
  addUser,
  listUsers,
  removeUser,
  roleSchema,
  setPassword,
  setRole,
} from '../../../access/users.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { access } from '../operation.ts';
import { integer, next, text } from '../parameters.ts';

const password = z.string().max(300).describe('At least 12 characters.');

/**
 * These take no `Idempotency-Key`: Redis would keep their answers and a fast hash of the request, and neither may contain a token or
 * a password.
 */
export const accessOperations = [
  access.operator('GET /users', 'listUsers', {
    summary: 'List users, with the first characters of their tokens',
    answer: accessCommandSchemas['users list'],
    handle: async ({ runtime }) => ({ users: await listUsers(runtime) }),
  }),
  access.operator('POST /users', 'addUser', {
    summary: 'Add a user',
    statuses: [201],
    problems: ['user_exists', 'user_name_invalid', 'password_invalid', 'users_full'],
    description: 'The first user is always an operator. From then on everybody must sign in.',
    body: z.strictObject({ name: text, role: roleSchema.default('viewer'), password }),
    answer: accessCommandSchemas['users add'],
    async handle({ runtime, person, body: { name, role: wanted, password } }) {
      const role = person.isAnybody ? 'operator' : wanted;
      return { name: await addUser(runtime, { name, role, password }), role };
    },
  }),
  access.operator('DELETE /users/{name}', 'removeUser', {
    summary: "Remove a user and the user's tokens, and end the sessions",
    problems: ['last_operator'],
    answer: accessCommandSchemas['users remove'],
    async handle({ runtime, params: { name } }) {
      return { name: await removeUser(runtime, name), removed: true as const };
    },
  }),
  access.operator('PUT /users/{name}/role', 'setRole', {
    summary: 'Set the role of a user, also for tokens',
    problems: ['last_operator'],
    body: z.strictObject({ role: roleSchema }),
    answer: accessCommandSchemas['users add'],
    async handle({ runtime, params: { name }, body: { role } }) {
      return { name: await setRole(runtime, name, role), role };
    },
  }),
  access.operator('PUT /users/{name}/password', 'setPassword', {
    summary: "Set a new password, and end the user's sessions; tokens stay",
    problems: ['password_invalid'],
    body: z.strictObject({ password }),
    answer: accessCommandSchemas['users password'],
    async handle({ runtime, params: { name }, body: { password } }) {
      return { name: await setPassword(runtime, name, password), changed: true as const };
    },
  }),
  access.operator('POST /users/{name}/tokens', 'makeToken', {
    summary: 'Make a token; only this answer shows it',
    statuses: [201],
    problems: ['tokens_full', 'tokens_changed'],
    body: z.strictObject({
      has: z
        .int()
        .min(0)
        .optional()
        .describe(
          'How many tokens the user has now. If it is given, a request that is sent twice makes one token.',
        ),
    }),
    answer: z.strictObject({ name: z.string(), prefix: z.string(), token: z.string() }),
    async handle({ runtime, params: { name }, body: { has } }) {
      return await makeToken(runtime, name, has === undefined ? {} : { has });
    },
  }),
  access.operator('DELETE /users/{name}/tokens/{prefix}', 'removeToken', {
    summary: 'Revoke a token',
    problems: ['token_not_found'],
    answer: z.strictObject({ name: z.string(), prefix: z.string(), removed: z.literal(true) }),
    async handle({ runtime, params: { name, prefix } }) {
      await removeToken(runtime, name, prefix);
      return { name, prefix, removed: true as const };
    },
  }),
  access.operator('GET /audit', 'listAudit', {
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
    async handle({ runtime, query: { limit, cursor } }) {
      const { entries, total, kept, next } = await readAudit(runtime, cursor, limit);
      return { changes: entries.map(describeEntry), total, kept, next: next ?? null };
    },
  }),
  access.operator('GET /audit/export', 'exportAudit', {
    summary: 'Download the audit, newest change first',
    answer: [sheetContentTypes.csv, sheetContentTypes.jsonl],
    query: { format: z.enum(['csv', 'jsonl']).default('csv') },
    async handle({ runtime, query: { format } }) {
      return {
        fileName: `audit.${format}`,
        contentType: sheetContentTypes[format],
        write: (to) => exportAudit(runtime, format, to),
      };
    },
  }),
];
