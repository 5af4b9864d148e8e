/**
 * How far the send journal has come. Every entry moves it by one, and leaves its token, so whoever has seen an entry knows
 * when it is missing: lost with the end of an append-only file, a FLUSHALL, an older backup, or a replica that took over too
 * early. Calls that were sent would then look as if they never had been.
 */
import type { RunScript } from '../redis/script.ts';

/** `at`: Unix epoch in milliseconds of the last entry; 0 while there is none. */
export interface JournalMark {
  readonly position: number;
  readonly at: number;
}

/** A mark that was seen, with the token of its entry. */
export interface SeenMark extends JournalMark {
  readonly token: string;
}

export class JournalPosition {
  readonly #check: RunScript;
  readonly #accept: RunScript;
  #seen: SeenMark = { position: 0, at: 0, token: '' };
  #onMove: () => void = () => undefined;

  constructor(scripts: { readonly check: RunScript; readonly accept: RunScript }) {
    this.#check = scripts.check;
    this.#accept = scripts.accept;
  }

  /** The furthest that this process knows of. */
  get seen(): SeenMark {
    return this.#seen;
  }

  /** Takes over what was seen; an earlier mark changes nothing. */
  see(mark: SeenMark): void {
    if (mark.position <= this.#seen.position) return;
    this.#seen = mark;
    this.#onMove();
  }

  /** Calls `listener` whenever a further mark is seen. */
  onMove(listener: () => void): void {
    this.#onMove = listener;
  }

  /** Where it stands in Redis, and whether what this process has seen is missing there. */
  async check(): Promise<{ readonly found: JournalMark; readonly lost: boolean }> {
    const reply = (await this.#check([this.#seen.position, this.#seen.token])) as string[];
    const [position, at, lost] = reply;
    return { found: { position: Number(position), at: Number(at) }, lost: lost === '1' };
  }

  /** Takes the journal as it is: calls are sent again, also by processes that miss entries. */
  async accept(): Promise<void> {
    await this.#accept([this.#seen.position]);
  }
}
