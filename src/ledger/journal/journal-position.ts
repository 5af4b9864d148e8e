/**
 * Position of the send journal. Every entry advances it by one and leaves a token, so that a process that has seen an entry
 * notices its loss: by a truncated append-only file, a FLUSHALL, an older backup, or a replica that took over too early. Without
 * this check, calls that were sent would look unsent.
 */
import { LedgerPart } from '../part.ts';

/** `at`: time of the last entry (Unix epoch, milliseconds); 0 for none. */
export interface JournalMark {
  readonly position: number;
  readonly at: number;
}

/** A mark with the token of its entry. */
export interface SeenMark extends JournalMark {
  readonly token: string;
}

export class JournalPosition extends LedgerPart {
  #seen: SeenMark = { position: 0, at: 0, token: '' };
  #onMove: () => void = () => undefined;

  /** The furthest mark that this process knows. */
  get seen(): SeenMark {
    return this.#seen;
  }

  /** Records a mark; ignores one that is not further than the last. */
  see(mark: SeenMark): void {
    if (mark.position <= this.#seen.position) return;
    this.#seen = mark;
    this.#onMove();
  }

  /** Calls `listener` whenever a further mark is seen. */
  onMove(listener: () => void): void {
    this.#onMove = listener;
  }

  /** Reads the position in Redis. `lost`: an entry that this process has seen is missing there. */
  async check(): Promise<{ readonly found: JournalMark; readonly lost: boolean }> {
    const args = [this.#seen.position, this.#seen.token];
    const [position, at, lost] = await this.run<string[]>('journal/check-journal', args);
    return { found: { position: Number(position), at: Number(at) }, lost: lost === '1' };
  }

  /** Accepts the journal as it is: all processes send calls again, even if entries that they saw are missing. */
  async accept(): Promise<void> {
    await this.run('journal/accept-journal', [this.#seen.position]);
  }
}
