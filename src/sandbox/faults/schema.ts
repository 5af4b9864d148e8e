/** The kinds of faults: the body of `POST /faults` and the argument of `faults.add`. */
import { z } from 'zod';
import { sandboxOperations } from '../description/operations.ts';

const whenBefore = z.enum(['before', 'after']).default('before');
const whenAfter = z.enum(['before', 'after']).default('after');
const cut = z.enum(['reset', 'fin']).default('reset');
const milliseconds = z.int().min(0).max(86_400_000);

const selection = {
  /** `*`: every operation except the PUT and the downloads. */
  operation: z.enum([...sandboxOperations, '*']).default('*'),
  /** How many calls it strikes. Default: one; with `probability`, all. */
  times: z.union([z.int().min(1), z.literal('always')]).optional(),
  /** How many matching calls pass unharmed first. */
  skip: z.int().min(0).default(0),
  /** Strikes each matching call with this probability, drawn from `seed`. */
  probability: z.number().min(0).max(1).optional(),
  seed: z.int().default(1),
  /** Text that the target or the body must contain; or an object that the body (of a GET: the query) must contain. */
  match: z.union([z.string().min(1), z.record(z.string(), z.unknown())]).optional(),
};

function kind<Kind extends string, Shape extends z.ZodRawShape>(name: Kind, shape: Shape) {
  return z.strictObject({ ...selection, kind: z.literal(name), ...shape });
}

/** `when`: before the effect, which then never happens, or after it. */
export const faultSchema = z.discriminatedUnion('kind', [
  // Connections
  kind('reset', { by: cut }),
  kind('lost-answer', { by: cut }),
  kind('cut-upload', { by: cut, afterBytes: z.int().min(0).default(1) }),
  // Time
  kind('delay', { ms: milliseconds, when: whenBefore }),
  kind('hold', { when: whenAfter }),
  kind('no-answer', { when: whenAfter }),
  kind('slow-body', { when: whenAfter, bytesPerSecond: z.number().positive().default(1) }),
  // Errors that the service itself may answer
  kind('status', {
    when: whenBefore,
    status: z.int().min(200).max(599),
    body: z.unknown().optional(),
    headers: z.record(z.string(), z.string()).default({}),
  }),
  kind('throttle', {
    retryAfterSeconds: z.number().min(0).optional(),
    retryAfterForm: z.enum(['seconds', 'date']).default('seconds'),
  }),
  kind('code', {
    when: whenBefore,
    code: z.int(),
    message: z.string().default('refused on demand'),
    data: z.unknown().optional(),
  }),
  kind('redirect', {
    when: whenBefore,
    status: z
      .union([z.literal(301), z.literal(302), z.literal(303), z.literal(307), z.literal(308)])
      .default(307),
    /** Default: the decoy of the admin address, which records whether the key was sent along. */
    location: z.url().optional(),
  }),
  // Broken answers
  kind('malformed-json', { when: whenAfter }),
  kind('html', { when: whenAfter, status: z.int().min(200).max(599).default(200) }),
  kind('empty', { when: whenAfter }),
  kind('half-body', { when: whenAfter, by: cut }),
  /** `Content-Length` is off by this many bytes: too small by default; when too large, the rest never comes. */
  kind('wrong-length', {
    when: whenAfter,
    by: z
      .int()
      .refine((off) => off !== 0)
      .default(-2),
  }),
  kind('oversize', { when: whenAfter, bytes: z.int().min(1) }),
  // Content
  kind('presign-expired', {
    /** `true`: `expiresAt` shows the expiry. `false`: it promises more time than the storage gives. */
    announced: z.boolean().default(true),
  }),
  kind('product-errors', { productIds: z.array(z.string()).optional(), code: z.int().optional() }),
  kind('generation-outcome', { status: z.string().min(1) }),
  kind('task-status', { status: z.string().min(1) }),
  kind('empty-list', {}),
]);

export type Fault = z.output<typeof faultSchema>;
export type FaultInput = z.input<typeof faultSchema>;
type FaultKind = Fault['kind'];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;

/** The fault of this kind among those that strike a call, if any. */
export function faultOf<Kind extends FaultKind>(
  { faults }: { readonly faults: readonly Fault[] },
  kind: Kind,
): FaultOf<Kind> | undefined {
  return faults.find((fault): fault is FaultOf<Kind> => fault.kind === kind);
}
