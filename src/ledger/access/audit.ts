/**
 * The audit: who changed what, when, from where. When there are too many entries, the oldest are removed. Sign-ins and uploaded files
 * have lists of their own, so that many of them remove no other change; readers get all as one. The last change of each rate limit and
 * queue is kept apart.
 */

import { z } from 'zod';
import { LedgerPart, pairs } from '../ledger-part.ts';
import { readAllStored } from '../stored-json.ts';

export interface AuditEntry {
  /** Id in the stream of entries; ids increase. */
  readonly id: string;
  /** Unix epoch, milliseconds. */
  readonly at: number;
  /** Name of a user of the console, or of the system for commands. */
  readonly who: string;
  /** Address of a browser or program, or the host where a command was given. */
  readonly from: string;
  readonly what: string;
  /** Address of the page, or the command. */
  readonly by: string;
}

export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>;

export interface AuditStretch {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** `before` of the next stretch; undefined in the last one. */
  readonly next: string | undefined;
}

/** Most changes, sign-ins, and uploaded files. */
export const auditEntriesKept = { changes: 10_000, signIns: 2000, uploads: 10_000 } as const;
/** Longest text of a field, in characters. */
const longest = 500;
const idForm = /^\d{1,15}-\d{1,15}$/;

const auditLists = ['changes', 'signIns', 'uploads'] as const;
export type AuditList = (typeof auditLists)[number];

export class AuditLedger extends LedgerPart {
  /** @param list default: `changes`. */
  async add({ who, from, what, by }: NewAuditEntry, list: AuditList = 'changes'): Promise<void> {
    const fields = Object.entries({ who, from, what, by }).flatMap(([name, text]) => [
      name,
      text.slice(0, longest),
    ]);
    const most = auditEntriesKept[list];
    await this.redis.xadd(this.#lists[list], 'MAXLEN', '=', most, '*', 'at', this.now(), ...fields);
  }

  get #lists(): Readonly<Record<AuditList, string>> {
    const { audit, signIns, uploads } = this.keys;
    return { changes: audit, signIns, uploads };
  }

  /** @param count most entries. @param before id of an entry: only older ones. @param list only its entries. */
  async read(count: number, before?: string, list?: AuditList): Promise<AuditStretch> {
    const from = before !== undefined && idForm.test(before) ? `(${before}` : '+';
    const lists = await Promise.all(
      (list === undefined ? auditLists : [list]).map((each) =>
        this.redis.xrevrange(this.#lists[each], from, '-', 'COUNT', count + 1),
      ),
    );
    const found = lists.flat().sort(([one], [other]) => byNumbers.compare(other, one));
    // Entries of different lists may have the same id: all of them belong to one stretch.
    let end = count;
    while (end > 1 && found[end] !== undefined && found[end]?.[0] === found[end - 1]?.[0]) end -= 1;
    const entries = found.slice(0, end).map(([id, flat]) => parseEntry(id, flat));
    return { entries, next: found.length > end ? entries.at(-1)?.id : undefined };
  }

  async size(): Promise<number> {
    const sizes = await Promise.all(Object.values(this.#lists).map((list) => this.redis.xlen(list)));
    return sizes.reduce((sum, size) => sum + size, 0);
  }
}

/** Ids of streams are milliseconds, then a number: `1767232800000-0`. */
const byNumbers = new Intl.Collator('en', { numeric: true });

function parseEntry(id: string, flat: readonly string[]): AuditEntry {
  const { at = '', who = '', from = '', what = '', by = '' } = Object.fromEntries(pairs(flat));
  return { id, at: Number(at), who, from, what, by };
}

const longestText = 300;
const text = z.string().max(longestText);

/** Things that can be changed for all campaigns at once. */
const subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rateLimit'), operation: text }).readonly(),
  z.object({ kind: z.literal('queue'), queue: text }).readonly(),
]);

const stored = z.object({
  subject,
  by: text,
  /** Unix epoch, milliseconds. */
  at: z.number(),
  /** The values before and after, in words: `20/min`, `paused`. */
  from: text,
  to: text,
  /** Empty if no reason was given. */
  why: text,
});
export type LastChange = Readonly<z.infer<typeof stored>>;

export class LastChanges extends LedgerPart {
  /** Records a change, replacing an earlier one of the same subject. */
  async record(change: Omit<LastChange, 'at'>): Promise<void> {
    const cut = (words: string) => words.slice(0, longestText);
    const { subject, by, from, to, why } = change;
    const kept: LastChange = { subject, by: cut(by), at: this.now(), from, to, why: cut(why) };
    await this.redis.hset(this.keys.lastChanges, fieldOf(subject), JSON.stringify(kept));
  }

  /** The newest first. */
  async all(): Promise<readonly LastChange[]> {
    const entries = Object.entries(await this.redis.hgetall(this.keys.lastChanges));
    return readAllStored(stored, entries)
      .map(([, change]) => change)
      .sort((one, other) => other.at - one.at);
  }
}

function fieldOf(subject: LastChange['subject']): string {
  return subject.kind === 'queue' ? `queue ${subject.queue}` : `rate limit ${subject.operation}`;
}
