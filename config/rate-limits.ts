/** The setting `rateLimits`, for all accounts and for each: how often each operation may be called. `budgets` is an earlier name of it. */
import { z } from 'zod';
import { operations, referencedOperations } from '../src/api/contract/operations.ts';
import { positiveDuration } from './units.ts';

const rateLimit = z.strictObject({
  rate: z.number().positive(),
  per: positiveDuration.default(1000),
  burst: z.int().min(1),
});

const rateLimitNames = ['default', ...Object.keys(operations), ...referencedOperations];
export const rateLimits = z
  .record(
    z.string().refine((name) => rateLimitNames.includes(name), {
      error: `must be one of ${rateLimitNames.join(', ')}`,
    }),
    rateLimit,
  )
  .refine((given) => given.default !== undefined, {
    path: ['default'],
    error: 'is required: it applies to every operation without a rate limit of its own',
  });
export type RateLimit = z.infer<typeof rateLimit>;

/** `budgets` is an earlier name of `rateLimits`, for all accounts and for each. With both, it is a setting that does not exist. */
export function withRateLimits(content: unknown): unknown {
  if (!isRecord(content)) return content;
  const { accounts } = content;
  const renamed = renameBudgets(content);
  if (!isRecord(accounts)) return renamed;
  const ofAccounts = Object.entries(accounts).map(([name, account]) => [
    name,
    isRecord(account) ? renameBudgets(account) : account,
  ]);
  return { ...renamed, accounts: Object.fromEntries(ofAccounts) };
}

function renameBudgets({ budgets, ...rest }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (budgets === undefined) return rest;
  return rest.rateLimits === undefined ? { ...rest, rateLimits: budgets } : { ...rest, budgets };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
