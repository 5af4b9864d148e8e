/** Posted rows of a campaign by minute, and its pauses. `rows.lua` writes both. */
import { LedgerPart } from '../part.ts';

export interface MinuteCount {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly posted: number;
}

export interface Pause {
  /** Unix epoch, milliseconds. */
  readonly from: number;
  /** Undefined while it lasts. */
  readonly to: number | undefined;
  /** As of `PauseReason`. */
  readonly code: string;
}

export class ThroughputLedger extends LedgerPart {
  /** The last 1,440 minutes in which rows were posted, in order. */
  async minutes(id: string): Promise<readonly MinuteCount[]> {
    const counts = await this.redis.hvals(this.keys.pace(id));
    return counts
      .map((text) => {
        const [minute = 0, posted = 0] = text.split(' ').map(Number);
        return { minute, posted };
      })
      .filter(({ minute, posted }) => minute > 0 && posted > 0)
      .sort((one, other) => one.minute - other.minute);
  }

  /** The last 50 pauses, in order. */
  async pauses(id: string): Promise<readonly Pause[]> {
    const notes = await this.redis.lrange(this.keys.pauses(id), 0, -1);
    const pauses: Pause[] = [];
    let open: { readonly from: number; readonly code: string } | undefined;
    for (const note of notes) {
      const [text = '', code = ''] = note.split(' ');
      const at = Number(text);
      if (code !== '') open ??= { from: at, code };
      else if (open) {
        pauses.push({ ...open, to: at });
        open = undefined;
      }
    }
    return open ? [...pauses, { ...open, to: undefined }] : pauses;
  }
}
