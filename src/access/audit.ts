/** The audit: who changed what, when, from where. */
import { hostname } from 'node:os';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type AuditEntry, auditEntriesKept, type NewAuditEntry } from '../ledger/access/audit.ts';
import { isoTimeOf } from '../runtime/documents.ts';
import { systemUser } from '../runtime/system-user.ts';
import { encodeCsv, encodeJsonLines } from '../sheets/write/text-sheets.ts';
import type { AuditDocument } from './documents.ts';
import type { WithLedger } from './users.ts';

const pageEntries = 50;
const entriesAtOnce = 500;

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** `before` of the next page; undefined on the last one. */
  readonly next: string | undefined;
  readonly total: number;
  /** Most entries that are kept; beyond that, the oldest are removed. */
  readonly kept: number;
}

/** Records a change that was made. */
export async function recordChange({ ledger }: WithLedger, entry: NewAuditEntry): Promise<void> {
  await ledger.access.audit.add(entry);
}

/** Records a change made by a command, under the name of the system's user. @param by the command, without secrets. */
export async function recordCommand(context: WithLedger, what: string, by: string): Promise<void> {
  await recordChange(context, { who: systemUser(), from: `terminal on ${hostname()}`, what, by });
}

/** @param before id of an entry: shows older ones. */
export async function readAudit(
  { ledger }: WithLedger,
  before?: string,
  limit = pageEntries,
): Promise<AuditPage> {
  const { audit } = ledger.access;
  const [found, total] = await Promise.all([audit.read(limit + 1, before), audit.size()]);
  const entries = found.slice(0, limit);
  return {
    entries,
    next: found.length > limit ? entries.at(-1)?.id : undefined,
    total,
    kept: auditEntriesKept,
  };
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
    const entries = await ledger.access.audit.read(entriesAtOnce, before);
    for (const entry of entries) {
      const document = describeEntry(entry);
      yield columns.map((name) => document[name]);
    }
    before = entries.at(entriesAtOnce - 1)?.id;
  } while (before !== undefined);
}

export function describeEntry({ at, who, from, what, by }: AuditEntry): AuditDocument {
  return { at: isoTimeOf(at), who, from, what, by };
}
