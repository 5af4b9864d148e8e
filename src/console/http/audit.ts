/** Notes in the audit what was changed in the console. */
import type { Request } from 'express';
import { recordChange, type recordSignIn } from '../../access/audit.ts';
import type { NewAuditEntry } from '../../ledger/access/audit.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { addressOf } from './gate.ts';

/** Notes a change, or with `recordSignIn` a sign-in. It has been made already, so a failure to note it is only logged. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  request: Request,
  entry: Omit<NewAuditEntry, 'from'>,
  record: typeof recordChange | typeof recordSignIn = recordChange,
): Promise<void> {
  const noted = { ...entry, from: addressOf(request) };
  try {
    await record(runtime, noted);
  } catch (error) {
    runtime.log.error({ error: String(error), ...noted }, 'change not noted in the audit');
  }
}
