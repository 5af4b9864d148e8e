/** Who may do what: a signed-in person shows it, an operator changes it, a page of ours proves it, and the audit has it. */
import type { Request } from 'express';
import { recordChange } from '../../app/access/audit.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { AuditList, NewAuditEntry } from '../../ledger/access/audit.ts';
import type { Person, Role } from '../request.ts';
import { type Admitted, addressOf, type Gate } from './gate.ts';
import { HttpProblem } from './problem.ts';

/** What a request without a person, without the role or without the proof of its session is refused with. */
const refusals = {
  sign_in_required: [
    401,
    'the request has no valid token or session',
    'Send Authorization: Bearer TOKEN. An operator makes tokens on the page Users.',
  ],
  role_missing: [403, 'only an operator can do this', 'Use the token of an operator.'],
  proof_missing: [
    403,
    'a change by a browser session needs the header X-CSRF-Token',
    'Send the field _csrf of a form in it, or use a token.',
  ],
} as const;

export function refused(code: keyof typeof refusals): HttpProblem {
  const [status, message, cure] = refusals[code];
  return new HttpProblem(status, code, message, { cure });
}

/** @throws {HttpProblem} `sign_in_required`. */
export async function identify(gate: Gate, request: Request): Promise<Admitted> {
  const admission = await gate.admit(request);
  if (admission.kind === 'admitted') return admission;
  throw refused('sign_in_required');
}

export function mayDo({ role }: Person, needed: Role): boolean {
  return needed === 'viewer' || role === 'operator';
}

/** @throws {HttpProblem} `role_missing`. */
export function requireRole({ person }: Admitted, needed: Role): void {
  if (!mayDo(person, needed)) throw refused('role_missing');
}

/** @param proof CSRF token that came with a form. @throws {HttpProblem} `proof_missing`. */
export function requireProof({ isOurs }: Admitted, proof: string | null | undefined): void {
  if (!isOurs(proof ?? '')) throw refused('proof_missing');
}

/** An open console needs none: `own-origin.ts` refuses other sites. @param header with the CSRF token. @throws {HttpProblem} */
export function requireProofHeader(admitted: Admitted, request: Request, header = 'x-csrf-token'): void {
  if (!admitted.person.isAnybody) requireProof(admitted, request.get(header));
}

/** With the address that it came from. @param list of the audit; default: changes. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  request: Request,
  entry: Omit<NewAuditEntry, 'from'>,
  list?: AuditList,
): Promise<void> {
  await recordChange(runtime, { ...entry, from: addressOf(request) }, list);
}
