/**
 * What `--json` prints and the REST API answers, as zod schemas, one file per subject. Fields are only added, never changed:
 * scripts depend on them.
 */
import type { z } from 'zod';

type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;

/** A value that a schema accepts, whether or not its arrays may be changed. */
export type Document<Schema extends z.ZodType> = ReadonlyDeep<z.input<Schema>>;
