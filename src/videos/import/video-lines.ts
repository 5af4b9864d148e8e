/** Remembers on which line of a sheet each video stands. Up to 50 bytes a video, outside of the heap. */

/** Three words of the id, and the line; 0 for an empty slot. */
const wordsASlot = 4;
const idBytes = 12;

/** A hash table. It holds whole ids, so two videos are never taken for one. */
export class VideoLines {
  #slots = new Uint32Array(1024 * wordsASlot);
  #size = 0;
  readonly #bytes = Buffer.alloc(idBytes);
  readonly #id = new Uint32Array(this.#bytes.buffer, this.#bytes.byteOffset, idBytes / 4);

  /**
   * Notes the line of a video, unless an earlier one is known.
   * @param id as `videoIdOf` makes it.
   * @param line from 1.
   * @returns the earlier line.
   */
  note(id: string, line: number): number | undefined {
    this.#bytes.write(id, 'base64url');
    const [a = 0, b = 0, c = 0] = this.#id;
    const at = slotOf(this.#slots, a, b, c);
    const earlier = this.#slots[at + 3];
    if (earlier) return earlier;
    this.#slots.set([a, b, c, line], at);
    this.#size += 1;
    if (this.#size * wordsASlot * 4 > this.#slots.length * 3) this.#grow();
    return undefined;
  }

  #grow(): void {
    const grown = new Uint32Array(this.#slots.length * 2);
    for (let from = 0; from < this.#slots.length; from += wordsASlot) {
      const [a = 0, b = 0, c = 0, line = 0] = this.#slots.subarray(from, from + wordsASlot);
      if (line > 0) grown.set([a, b, c, line], slotOf(grown, a, b, c));
    }
    this.#slots = grown;
  }
}

/** Position of the slot of an id, or of the empty one that it would take. */
function slotOf(slots: Uint32Array, a: number, b: number, c: number): number {
  // Ids are digests: any of their bits will do.
  let at = (a * wordsASlot) % slots.length;
  while (slots[at + 3] !== 0 && (slots[at] !== a || slots[at + 1] !== b || slots[at + 2] !== c)) {
    at = (at + wordsASlot) % slots.length;
  }
  return at;
}
