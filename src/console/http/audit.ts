/** Notes in the audit what was changed in the console. */
import type { Request } from 'express';
import { type AuditList, recordChange } from '../../app/access/audit.ts';
import type { Runtime } from '../../app/runtime/runtime.ts';
import type { NewAuditEntry } from '../../ledger/access/audit.ts';
import { addressOf } from './gate.ts';

/** With the address that it came from. @param list of the audit; default: changes. */
export async function noteChange(
  runtime: Pick<Runtime, 'ledger' | 'log'>,
  request: Request,
  entry: Omit<NewAuditEntry, 'from'>,
  list?: AuditList,
): Promise<void> {
  await recordChange(runtime, { ...entry, from: addressOf(request) }, list);
}
