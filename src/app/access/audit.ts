/** The audit: who changed what, when, from where. */
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  type AuditEntry,
  type AuditList,
  type AuditStretch,
  auditEntriesKept,
  type NewAuditEntry,
} from '../../ledger/access/audit.ts';
import { encodeCsv, encodeJsonLines } from '../../sheets/write/text-sheets.ts';
import { type Document, isoTimeOf } from '../runtime/documents.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { WithLedger } from './users.ts';

export const auditSchema = z.strictObject({
  /** ISO 8601, UTC. */
  at: z.string(),
  who: z.string(),
  from: z.string(),
  what: z.string(),
  by: z.string(),
});

type AuditDocument = Document<typeof auditSchema>;

const pageEntries = 50;
const entriesAtOnce = 500;
/** Of one page of a user's changes. */
const mostReads = 100;

export interface AuditPage extends AuditStretch {
  readonly total: number;
  /** Most changes, sign-ins and uploaded files that are kept; beyond that, the oldest of each are removed. */
  readonly kept: number;
}

/** In the audit and the log. The change has been made, so a failure is only logged. @param list default: `changes`. */
export async function recordChange(
  { ledger, log }: Pick<Runtime, 'ledger' | 'log'>,
  entry: NewAuditEntry,
  list: AuditList = 'changes',
): Promise<void> {
  const { audit } = ledger.access;
  try {
    await audit.add(entry, list);
    log.info(entry, 'changed');
  } catch (error) {
    log.error({ error: String(error), ...entry }, 'change not recorded in the audit');
  }
}

export interface AuditFilter {
  /** Name of a user. */
  readonly who?: string | undefined;
  readonly list?: AuditList | undefined;
}

/**
 * @param before id of an entry: shows older ones. @param limit entries to look for. With a name there may be fewer, though older ones
 * exist, or nearly twice as many.
 */
export async function readAudit(
  { ledger }: WithLedger,
  before?: string,
  limit = pageEntries,
  { who, list }: AuditFilter = {},
): Promise<AuditPage> {
  const { audit } = ledger.access;
  const total = await audit.size();
  const kept = Object.values(auditEntriesKept).reduce((sum, most) => sum + most, 0);
  const entries: AuditEntry[] = [];
  let next = before;
  for (let reads = 0; reads < mostReads && entries.length < limit; reads += 1) {
    const stretch = await audit.read(limit, next, list);
    entries.push(...stretch.entries.filter((entry) => who === undefined || entry.who === who));
    next = stretch.next;
    if (next === undefined || who === undefined) break;
  }
  return { entries, next, total, kept };
}

export type AuditFormat = 'csv' | 'jsonl';

/** Writes all entries, newest first, as they are read. */
export async function exportAudit(context: WithLedger, format: AuditFormat, to: Writable): Promise<void> {
  const lines = allEntries(context);
  await pipeline(format === 'csv' ? encodeCsv(lines, { withMark: true }) : encodeJsonLines(lines), to);
}

const columns = ['at', 'who', 'from', 'what', 'by'] as const satisfies readonly (keyof AuditDocument)[];

async function* allEntries({ ledger }: WithLedger): AsyncGenerator<readonly string[]> {
  yield columns;
  let before: string | undefined;
  do {
    const { entries, next } = await ledger.access.audit.read(entriesAtOnce, before);
    for (const entry of entries) {
      const document = describeEntry(entry);
      yield columns.map((name) => document[name]);
    }
    before = next;
  } while (before !== undefined);
}

export function describeEntry({ at, who, from, what, by }: AuditEntry): AuditDocument {
  return { at: isoTimeOf(at), who, from, what, by };
}
