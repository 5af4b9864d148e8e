/** The drafts that are open: all that are at work, and of the others those looked at last, as many as memory has room for. */
import type { OpenDraft } from './open-draft.ts';

export class OpenDrafts {
  readonly #mostWeight: number;
  /** The one that was looked at last is the last one. */
  readonly #drafts = new Map<string, OpenDraft>();
  /** Those that find out whether they must be checked; a draft as often as it is asked for. */
  readonly #beingTaken: OpenDraft[] = [];

  /** @param mostWeight of the drafts that are kept open, by `OpenDraft.weight`. */
  constructor(mostWeight: number) {
    this.#mostWeight = mostWeight;
  }

  /** @param make opens a draft that is not open. @param follow begins its work; until then it is not closed to make room. */
  async take(
    id: string,
    make: () => OpenDraft,
    follow: (open: OpenDraft) => Promise<void>,
  ): Promise<OpenDraft> {
    const open = this.#drafts.get(id) ?? make();
    this.#drafts.delete(id);
    this.#drafts.set(id, open);
    this.#trim(open);
    this.#beingTaken.push(open);
    try {
      await follow(open);
    } finally {
      this.#beingTaken.splice(this.#beingTaken.indexOf(open), 1);
    }
    return open;
  }

  /** Undefined if it is not open. */
  find(id: string): OpenDraft | undefined {
    return this.#drafts.get(id);
  }

  /** @returns the draft, which is closed; undefined if it was not open. */
  close(id: string): OpenDraft | undefined {
    const open = this.#drafts.get(id);
    this.#drafts.delete(id);
    open?.close();
    return open;
  }

  /** A check that is cut off each time that somebody looks elsewhere would never end: those at work stay. */
  #trim(last: OpenDraft): void {
    let weight = 0;
    for (const open of this.#drafts.values()) weight += open.weight;
    for (const [id, open] of this.#drafts) {
      if (weight <= this.#mostWeight) return;
      if (open === last || open.isAtWork || this.#beingTaken.includes(open)) continue;
      weight -= open.weight;
      this.close(id);
    }
  }
}
