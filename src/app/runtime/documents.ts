/**
 * Helpers for documents: the output of `--json` and the answers of the REST API. Their zod schemas stand beside their use cases, and those of
 * whole commands in `cli/documents.ts`. Fields are only added, never changed: scripts depend on them.
 */
import { z } from 'zod';
import { deliveries } from '../../ledger/rows/results.ts';
import { rowStates } from '../../ledger/states.ts';
import { steps } from '../../manifest/steps.ts';

export const rowState = z.enum(rowStates);
export const stepName = z.enum(steps);
export const delivery = z.enum(deliveries);
export const isoTime = z.iso.datetime();

export type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

/** A value that a schema accepts, whether or not its arrays may be changed. */
export type Document<Schema extends z.ZodType> = ReadonlyDeep<z.input<Schema>>;

/** @param at milliseconds since the epoch. @returns ISO 8601, UTC. */
export function isoTimeOf(at: number): string {
  return new Date(at).toISOString();
}

/** As `isoTimeOf`; `null` without a time. */
export function isoTimeOrNull(at: number | undefined): string | null {
  return at === undefined ? null : isoTimeOf(at);
}
