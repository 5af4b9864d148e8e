/** Identities of posts by index, packed: nine bytes each. */
import { identityBytes } from './planned-posts.ts';

const atOnce = 5000;

export class PostList {
  #bytes = Buffer.alloc(64 * identityBytes);
  length = 0;

  /** Appends one; undefined for none. */
  push(post: Buffer | undefined): void {
    if (this.length * identityBytes === this.#bytes.length) {
      const larger = Buffer.alloc(this.#bytes.length * 2);
      this.#bytes.copy(larger);
      this.#bytes = larger;
    }
    post?.copy(this.#bytes, this.length * identityBytes);
    this.length += 1;
  }

  at(index: number): Buffer | undefined {
    const post = this.#bytes.subarray(index * identityBytes, (index + 1) * identityBytes);
    return index < this.length && post.some((byte) => byte !== 0) ? post : undefined;
  }

  /** Those that there are, in parts. */
  *parts(): Generator<readonly Buffer[]> {
    for (let first = 0; first < this.length; first += atOnce) {
      const some = Array.from({ length: Math.min(atOnce, this.length - first) }, (_, index) =>
        this.at(first + index),
      );
      yield some.filter((post) => post !== undefined);
    }
  }
}
