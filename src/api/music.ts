/** Music for posts. The contract mentions the search without its form (section 4.9). */
import { numberedPages, type PageSizes, type PagingOptions } from './transport/paging.ts';
import { asId, asMessage } from './transport/referenced-answer.ts';
import type { ReferencedCaller } from './transport/referenced-caller.ts';

/** A piece of music for a post. */
export interface MusicTrack {
  readonly id: string;
  readonly title: string | undefined;
  readonly author: string | undefined;
  readonly duration: string | undefined;
}

const operation = 'searchMusic';

/** Music for posts. */
export class MusicLibrary {
  readonly #caller: ReferencedCaller;
  readonly #sizes: PageSizes;

  constructor(caller: ReferencedCaller, sizes: PageSizes) {
    this.#caller = caller;
    this.#sizes = sizes;
  }

  /**
   * Tracks that match a text: page by page if the setting names `totalPages` or `total`, else those of one call.
   * @throws {NotConfiguredError} without the setting `api.searchMusic`, and {ApiError} otherwise.
   */
  search(keyword: string, options: PagingOptions = {}): AsyncGenerator<MusicTrack> {
    const sizes = this.#caller.asksFor(operation, 'pageSize') ? this.#sizes : undefined;
    const list = { ...options, sizes };
    return numberedPages(operation, this.#sizes.usual, list, async (pageNumber, pageSize) => {
      const answer = await this.#caller.call(operation, { keyword, pageSize, pageNumber }, options);
      return answer.page(readTrack, this.#caller.asksFor(operation, 'pageNumber'));
    });
  }
}

function readTrack(field: (name: string) => unknown): MusicTrack | undefined {
  const id = asId(field('id'));
  if (id === undefined) return undefined;
  const [title, author, duration] = [field('title'), field('author'), field('duration')].map(asMessage);
  return { id, title, author, duration };
}
