/** The limits of all campaigns: budgets and queues. */
import { z } from 'zod';
import { type Document, isoTimeOrNull } from '../../runtime/documents.ts';
import type { ShownBudget } from '../budgets.ts';
import type { QueueStatus } from '../queues.ts';
import { queueName } from './progress.ts';

const budgetSchema = z.strictObject({ perSecond: z.number(), burst: z.int() });

export const budgetsSchema = z
  .strictObject({
    account: z.string(),
    budgets: z.array(
      z.strictObject({
        operation: z.string(),
        ...budgetSchema.shape,
        changed: z.boolean(),
        settings: budgetSchema,
        effectivePerSecond: z.number(),
        pausedMs: z.number(),
        throttledForMs: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'Budgets' });

export const queueSchema = z
  .strictObject({
    name: queueName,
    active: z.int(),
    waiting: z.int(),
    /** Jobs that are due at a later time. */
    delayed: z.int(),
    failed: z.int(),
    doneInMinute: z.int(),
    /** When the oldest waiting job came. */
    oldestSince: z.iso.datetime().nullable(),
    isPaused: z.boolean(),
  })
  .meta({ id: 'Queue' });

export function budgetsDocument(
  account: string,
  budgets: readonly ShownBudget[],
): Document<typeof budgetsSchema> {
  return {
    account,
    budgets: budgets.map(({ operation, budget, configured, isChanged, share, pausedMs, throttledForMs }) => ({
      operation,
      ...budget,
      changed: isChanged,
      settings: configured,
      effectivePerSecond: budget.perSecond * share,
      pausedMs,
      throttledForMs: throttledForMs ?? null,
    })),
  };
}

export function queueDocument({ oldestSince, ...queue }: QueueStatus): Document<typeof queueSchema> {
  return { ...queue, oldestSince: isoTimeOrNull(oldestSince) };
}
