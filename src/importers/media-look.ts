/** The look at media that a check takes: local files are opened and told by their bytes, URLs by their text alone. */
import { AddressPolicy, parseMediaUrl } from '../media/addresses.ts';
import { MediaError } from '../media/errors.ts';
import { describeLocalMedia, isUrl } from '../media/source.ts';
import type { MediaCheck } from './media-check.ts';

export interface MediaLookOptions {
  readonly mediaRoot: string;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  readonly allowPrivateAddresses: readonly string[];
}

/**
 * Makes the check. What a URL leads to is not fetched before the campaign runs: it may be large, and may change until then.
 * An address written into the URL is judged at once.
 */
export function createMediaCheck({
  mediaRoot,
  maxBytes,
  allowPrivateAddresses,
}: MediaLookOptions): MediaCheck {
  const addresses = new AddressPolicy(allowPrivateAddresses);
  return async (source, expected) => {
    try {
      if (isUrl(source)) {
        addresses.checkWritten(parseMediaUrl(source));
        return { bytes: null };
      }
      const { kind, size } = await describeLocalMedia(source, { mediaRoot, maxBytes });
      const wanted = expected === 'VIDEO' ? 'VIDEO' : 'PHOTO';
      if (kind === wanted) return { bytes: size };
      return {
        fault: {
          code: 'media_kind_mismatch',
          problem: `the file is ${kind === 'VIDEO' ? 'a video' : 'an image'}, but ${wanted === 'VIDEO' ? 'a video' : 'an image'} is wanted here`,
          cure: 'Name another file, or mend media_type.',
        },
      };
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      return { fault: { code: error.code, problem: error.message, cure: error.cure } };
    }
  };
}
