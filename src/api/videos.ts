/** Public metrics of published videos (contract, section 4.8). */

import { uriOf } from './contract/uri.ts';
import type { PublicVideoData } from './contract/videos.ts';
import type { CallOptions, OperationCaller } from './transport/caller.ts';

/** Public metrics of published videos. */
export class Videos {
  readonly #caller: OperationCaller;

  constructor(caller: OperationCaller) {
    this.#caller = caller;
  }

  /**
   * Fetches the metrics of a video by its public http(s) URL.
   * @throws {GoneError} when the video no longer exists, and {ApiError} for other failures.
   */
  fetch(videoUrl: string, options?: CallOptions): Promise<PublicVideoData> {
    return this.#caller.call('fetchPublicVideoData', { videoUrl: uriOf(videoUrl) }, options);
  }
}
