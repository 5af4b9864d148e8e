/** Notes in the audit what was changed in the console. */
import type { Request } from 'express';
import type { NewAuditEntry } from '../../ledger/access/audit.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { addressOf } from './gate.ts';

/** Notes a change, or with `addSignIn` a sign-in. It has been made already, so a failure to note it is only logged. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  request: Request,
  entry: Omit<NewAuditEntry, 'from'>,
  list: 'add' | 'addSignIn' = 'add',
): Promise<void> {
  const noted = { ...entry, from: addressOf(request) };
  try {
    await runtime.ledger.access.audit[list](noted);
  } catch (error) {
    runtime.log.error({ error: String(error), ...noted }, 'change not noted in the audit');
  }
}
