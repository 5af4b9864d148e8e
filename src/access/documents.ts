/**
 * Zod schemas of the output of `campaigns users ... --json` and of answers of the REST API. Fields are only added, never
 * changed: scripts
 * depend on them.
 */
import { z } from 'zod';
import type { Document } from '../runtime/documents.ts';

export const roleSchema = z.enum(['viewer', 'operator']);

const tokenSchema = z.strictObject({
  /** The first characters of the token. */
  prefix: z.string(),
  /** ISO 8601, UTC. */
  createdAt: z.string(),
});

const userSchema = z.strictObject({
  name: z.string(),
  role: roleSchema,
  createdAt: z.string(),
  tokens: z.array(tokenSchema),
});

export const auditSchema = z.strictObject({
  /** ISO 8601, UTC. */
  at: z.string(),
  who: z.string(),
  from: z.string(),
  what: z.string(),
  by: z.string(),
});

export const accessCommandSchemas = {
  'users add': z.strictObject({ name: z.string(), role: roleSchema }),
  'users list': z.strictObject({ users: z.array(userSchema) }),
  'users remove': z.strictObject({ name: z.string(), removed: z.literal(true) }),
  'users password': z.strictObject({ name: z.string(), changed: z.literal(true) }),
  'users token': z.union([
    /** The token is shown only here. */
    z.strictObject({ name: z.string(), prefix: z.string(), token: z.string() }),
    z.strictObject({ name: z.string(), prefix: z.string(), removed: z.literal(true) }),
  ]),
} as const satisfies Readonly<Record<string, z.ZodType>>;

export type AccessCommandName = keyof typeof accessCommandSchemas;
export type AccessCommandDocument<Name extends AccessCommandName> = Document<
  (typeof accessCommandSchemas)[Name]
>;
export type UserDocument = Document<typeof userSchema>;
export type AuditDocument = Document<typeof auditSchema>;
