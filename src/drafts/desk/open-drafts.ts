/** The open drafts: all whose checks run, and as many of the most recently used as memory has room for. */
import type { OpenDraft } from './open-draft.ts';

export class OpenDrafts {
  readonly #mostWeight: number;
  /** Least recently used first. */
  readonly #drafts = new Map<string, OpenDraft>();
  /** Drafts that are finding out whether they need a check. A draft is in it once per request. */
  readonly #beingTaken: OpenDraft[] = [];

  /** @param mostWeight largest total `OpenDraft.weight` of the drafts that are kept open. */
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
    this.#beingTaken.push(open);
    this.makeRoom();
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

  /**
   * Closes the least recently used drafts without a running check, until the rest has room. Drafts with one stay open, because a check that is stopped at each switch between
   * drafts would never end.
   */
  makeRoom(): void {
    let weight = 0;
    for (const open of this.#drafts.values()) weight += open.weight;
    for (const [id, open] of this.#drafts) {
      if (weight <= this.#mostWeight) return;
      if (open.isAtWork || this.#beingTaken.includes(open)) continue;
      weight -= open.weight;
      this.close(id);
    }
  }
}
