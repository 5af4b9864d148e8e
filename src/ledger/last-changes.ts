/** Who last changed a rate limit or a queue, and when. One entry each; the audit has the history. */
import { z } from 'zod';
import { LedgerPart } from './part.ts';
import { readAllStored } from './stored-json.ts';

const longestText = 300;
const text = z.string().max(longestText);

/** Things that can be changed for all campaigns at once. */
const subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rateLimit'), operation: text }).readonly(),
  z.object({ kind: z.literal('queue'), queue: text }).readonly(),
]);
export type ChangeSubject = z.infer<typeof subject>;

const stored = z.object({
  subject,
  by: text,
  /** Unix epoch, milliseconds. */
  at: z.number(),
  /** In words: `20/min`, `paused`. */
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

function fieldOf(subject: ChangeSubject): string {
  return subject.kind === 'queue' ? `queue ${subject.queue}` : `rate limit ${subject.operation}`;
}
