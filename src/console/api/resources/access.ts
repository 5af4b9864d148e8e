/** Users, their tokens, and the audit. For operators only, because they contain personal data. */

import { z } from 'zod';
import { describeEntry, exportAudit, readAudit } from '../../../access/audit.ts';
import { accessCommandSchemas, auditSchema, roleSchema } from '../../../access/documents.ts';
import { makeToken, removeToken } from '../../../access/tokens.ts';
import { addUser, listUsers, removeUser, setPassword, setRole } from '../../../access/users.ts';
import { sheetContentTypes } from '../../../sheets/write/format.ts';
import { integer, next, text } from '../fields.ts';
import { fileOperation, type Operation, operation } from '../operation.ts';

const ofUsers = { role: 'operator', tag: 'Access' } as const;
const password = z.string().max(300).describe('At least 12 characters.');

/**
 * These take no `Idempotency-Key`: Redis would keep their answers and a fast hash of the request, and neither may contain a token or
 * a password.
 */
export const accessOperations: readonly Operation[] = [
  operation({
    ...ofUsers,
    id: 'listUsers',
    method: 'get',
    path: '/users',
    summary: 'List users, with the first characters of their tokens',
    answer: accessCommandSchemas['users list'],
    handle: async ({ runtime }) => ({ body: { users: await listUsers(runtime) } }),
  }),
  operation({
    ...ofUsers,
    id: 'addUser',
    method: 'post',
    path: '/users',
    statuses: [201],
    problems: ['user_exists', 'user_name_invalid', 'password_invalid', 'users_full'],
    summary: 'Add a user',
    description: 'The first user is always an operator. From then on everybody must sign in.',
    body: z.strictObject({ name: text, role: roleSchema.default('viewer'), password }),
    answer: accessCommandSchemas['users add'],
    async handle({ runtime, person, body: { name, role: wanted, password } }) {
      const role = person.isAnybody ? 'operator' : wanted;
      return { body: { name: await addUser(runtime, { name, role, password }), role } };
    },
  }),
  operation({
    ...ofUsers,
    id: 'removeUser',
    method: 'delete',
    path: '/users/{name}',
    problems: ['user_not_found', 'last_operator'],
    summary: "Remove a user and the user's tokens, and end the sessions",
    answer: accessCommandSchemas['users remove'],
    async handle({ runtime, params: { name = '' } }) {
      return { body: { name: await removeUser(runtime, name), removed: true as const } };
    },
  }),
  operation({
    ...ofUsers,
    id: 'setRole',
    method: 'put',
    path: '/users/{name}/role',
    problems: ['user_not_found', 'last_operator'],
    summary: 'Set the role of a user, also for tokens',
    body: z.strictObject({ role: roleSchema }),
    answer: accessCommandSchemas['users add'],
    async handle({ runtime, params: { name = '' }, body: { role } }) {
      return { body: { name: await setRole(runtime, name, role), role } };
    },
  }),
  operation({
    ...ofUsers,
    id: 'setPassword',
    method: 'put',
    path: '/users/{name}/password',
    problems: ['user_not_found', 'password_invalid'],
    summary: "Set a new password, and end the user's sessions; tokens stay",
    body: z.strictObject({ password }),
    answer: accessCommandSchemas['users password'],
    async handle({ runtime, params: { name = '' }, body: { password } }) {
      return { body: { name: await setPassword(runtime, name, password), changed: true as const } };
    },
  }),
  operation({
    ...ofUsers,
    id: 'makeToken',
    method: 'post',
    path: '/users/{name}/tokens',
    statuses: [201],
    problems: ['user_not_found', 'tokens_full', 'tokens_changed'],
    summary: 'Make a token; only this answer shows it',
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
    async handle({ runtime, params: { name = '' }, body: { has } }) {
      return { body: await makeToken(runtime, name, has === undefined ? {} : { has }) };
    },
  }),
  operation({
    ...ofUsers,
    id: 'removeToken',
    method: 'delete',
    path: '/users/{name}/tokens/{prefix}',
    problems: ['token_not_found'],
    summary: 'Revoke a token',
    answer: z.strictObject({ name: z.string(), prefix: z.string(), removed: z.literal(true) }),
    async handle({ runtime, params: { name = '', prefix = '' } }) {
      await removeToken(runtime, name, prefix);
      return { body: { name, prefix, removed: true as const } };
    },
  }),
  operation({
    ...ofUsers,
    id: 'listAudit',
    method: 'get',
    path: '/audit',
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
      return { body: { changes: entries.map(describeEntry), total, kept, next: next ?? null } };
    },
  }),
  fileOperation({
    ...ofUsers,
    id: 'exportAudit',
    method: 'get',
    path: '/audit/export',
    contentTypes: [sheetContentTypes.csv, sheetContentTypes.jsonl],
    summary: 'Download the audit, newest change first',
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
