/** Music for posts. The contract mentions the search without its form (section 4.9). */
import type { PagingOptions } from './transport/paging.ts';
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

export class MusicLibrary {
  readonly #caller: ReferencedCaller;

  constructor(caller: ReferencedCaller) {
    this.#caller = caller;
  }

  /**
   * Tracks that match a text: page by page if the setting has `{pageToken}` or names `totalPages` or `total`, else those of one call.
   * @throws {NotConfiguredError} without the setting `api.searchMusic`, and {ApiError} otherwise.
   */
  search(keyword: string, options: PagingOptions = {}): AsyncGenerator<MusicTrack> {
    return this.#caller.list(operation, { keyword }, readTrack, options);
  }
}

function readTrack(field: (name: string) => unknown): MusicTrack | undefined {
  const id = asId(field('id'));
  if (id === undefined) return undefined;
  const [title, author, duration] = [field('title'), field('author'), field('duration')].map(asMessage);
  return { id, title, author, duration };
}
