/** The setting `rateLimits`: how often each operation may be called. */
import { z } from 'zod';
import { operations, referencedOperations } from '../src/service/contract/operations.ts';
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
