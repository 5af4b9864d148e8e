/** Problems as `--json` prints them and the REST API answers them. */
import { z } from 'zod';
import { cureField, hintsField } from './hint.ts';

export const problemSchema = z.strictObject({
  /** Line of the file; the header is line 1. */
  line: z.int(),
  key: z.string().nullable(),
  column: z.string().nullable(),
  code: z.string(),
  value: z.string(),
  problem: z.string(),
  cure: cureField,
  hints: hintsField,
  /** What may have been meant instead of the value. */
  meant: z.string().optional(),
});

export const problemFields = {
  /** The first 10,000. */
  problems: z.array(problemSchema),
  /** Total number by code. */
  problemCounts: z.record(z.string(), z.int()),
};

export const warningFields = {
  /** The first 10,000. */
  warnings: z.array(problemSchema),
  warningCounts: z.record(z.string(), z.int()),
};
