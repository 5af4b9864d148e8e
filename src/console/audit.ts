/** Notes changes that were made in the console. */
import { recordChange, recordSignIn } from '../access/audit.ts';
import type { NewAuditEntry } from '../ledger/access/audit.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Notes a change. It has been made already, so a failure to note it is only logged. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  entry: NewAuditEntry,
): Promise<void> {
  await note(runtime, entry, recordChange);
}

/** As `noteChange`, for signing in and out. */
export async function noteSignIn(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  entry: NewAuditEntry,
): Promise<void> {
  await note(runtime, entry, recordSignIn);
}

async function note(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  entry: NewAuditEntry,
  record: typeof recordChange,
): Promise<void> {
  try {
    await record(runtime, entry);
  } catch (error) {
    runtime.log.error({ error: String(error), ...entry }, 'change not noted in the audit');
  }
}
