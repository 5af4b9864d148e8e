/** The audit: who changed what, when, from where. When there are too many entries, the oldest are removed. */
import { type LedgerContext, LedgerPart } from '../part.ts';
import type { AccessKeys } from './keys.ts';

export interface AuditEntry {
  /** Id in the stream of entries; ids increase. */
  readonly id: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** Name of a user of the console, or of the system for commands. */
  readonly who: string;
  /** Address of a browser or program, or the host where a command was given. */
  readonly from: string;
  /** The result, in words. */
  readonly what: string;
  /** Address of the page, or the command. */
  readonly by: string;
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>;

export const auditEntriesKept = 10_000;
/** Longest text of a field, in characters. */
const longest = 500;
const idForm = /^\d{1,15}-\d{1,15}$/;

export class AuditLedger extends LedgerPart {
  readonly #audit: string;

  constructor(context: LedgerContext, keys: AccessKeys) {
    super(context);
    this.#audit = keys.audit;
  }

  async add({ who, from, what, by }: NewAuditEntry): Promise<void> {
    const fields = Object.entries({ who, from, what, by }).flatMap(([name, text]) => [
      name,
      text.slice(0, longest),
    ]);
    await this.redis.xadd(this.#audit, 'MAXLEN', '=', auditEntriesKept, '*', 'at', this.now(), ...fields);
  }

  /** Newest first. @param before id of an entry: only older ones. */
  async read(count: number, before?: string): Promise<readonly AuditEntry[]> {
    const from = before !== undefined && idForm.test(before) ? `(${before}` : '+';
    const found = await this.redis.xrevrange(this.#audit, from, '-', 'COUNT', count);
    return found.map(([id, flat]) => parseEntry(id, flat));
  }

  size(): Promise<number> {
    return this.redis.xlen(this.#audit);
  }
}

function parseEntry(id: string, flat: readonly string[]): AuditEntry {
  const fields = new Map<string, string>();
  for (let index = 0; index + 1 < flat.length; index += 2)
    fields.set(flat[index] ?? '', flat[index + 1] ?? '');
  const text = (name: string) => fields.get(name) ?? '';
  return {
    id,
    at: Number(text('at')),
    who: text('who'),
    from: text('from'),
    what: text('what'),
    by: text('by'),
  };
}
