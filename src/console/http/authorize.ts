/** What a request needs: a person who is signed in and has the right, for a change the proof of a page of ours; and the audit has it. */
import type { Request } from 'express';
import { recordChange } from '../../app/access/audit.ts';
import { mayDo, type Right, rights, whoMay } from '../../app/access/roles.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { AuditList, NewAuditEntry } from '../../ledger/access/audit.ts';
import { type Admitted, addressOf, type Gate } from './gate.ts';
import { HttpProblem } from './problem.ts';

/** What a request without a person, or without the proof of its session, is refused with. */
const refusals = {
  sign_in_required: [
    401,
    'the request has no valid token or session',
    'Send Authorization: Bearer TOKEN. An admin makes tokens on the page Users.',
  ],
  proof_missing: [
    403,
    'a change by a browser session needs the header X-CSRF-Token',
    "Put the value of a form's _csrf field into this header, or use a token.",
  ],
} as const;

export function refused(code: keyof typeof refusals): HttpProblem {
  const [status, message, fix] = refusals[code];
  return new HttpProblem(status, code, message, { fix });
}

/** @throws {HttpProblem} `sign_in_required`. */
export async function identify(gate: Gate, request: Request): Promise<Admitted> {
  const admission = await gate.admit(request);
  if (admission.kind === 'admitted') return admission;
  throw refused('sign_in_required');
}

/** @throws {HttpProblem} `role_missing`. */
export function requireRight(admitted: Admitted, right: Right): void {
  if (mayDo(admitted, right)) return;
  const message = `only ${whoMay(right)} may ${rights[right]}`;
  throw new HttpProblem(403, 'role_missing', message, { fix: 'Ask one.' });
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
