/** Music for posts. The contract mentions the search without its form (section 4.9). */
import type { PagingOptions } from './transport/paging.ts';
import { asId, asMessage } from './transport/referenced-answer.ts';
import type { ReferencedCaller } from './transport/referenced-caller.ts';

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

  /** By page if the setting has `{pageToken}` or counts pages, else one call. @throws {NotConfiguredError}; {ApiError} */
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
