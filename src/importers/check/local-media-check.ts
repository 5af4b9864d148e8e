/** Looks at media before an import: local files by their first bytes, URLs by their text. Nothing is fetched. */

import { isUrl, type MediaKind } from '../../manifest/media-source.ts';
import { AddressPolicy, parseMediaUrl } from '../../media/addresses.ts';
import { MediaError } from '../../media/errors.ts';
import { describeLocalMedia } from '../../media/source.ts';
import { findMeantMedia } from './meant-media.ts';
import type { MediaCheck, MediaFinding } from './media-check.ts';

export interface LocalMediaOptions {
  /** Absolute path of the folder that paths are relative to, and do not leave. */
  readonly mediaRoot: string;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Addresses and CIDR ranges that URLs may name although they are not public. */
  readonly allowPrivateAddresses: readonly string[];
}

/** Makes the check. It rejects only with errors of the file system that say nothing about the file. */
export function createMediaCheck(options: LocalMediaOptions): MediaCheck {
  const policy = new AddressPolicy(options.allowPrivateAddresses);
  const exists = (path: string) =>
    describeLocalMedia(path, options).then(
      () => true,
      () => false,
    );
  return async (source, expected) => {
    try {
      if (!isUrl(source)) return await inspectFile(source, expected, options);
      policy.checkWritten(parseMediaUrl(source));
      return { bytes: null };
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      const meant = error.code === 'media_missing' ? await findMeantMedia(source, exists) : null;
      if (meant !== null) return { fault: meant };
      return { fault: { code: error.code, problem: asPhrase(error.message), cure: error.cure } };
    }
  };
}

async function inspectFile(
  path: string,
  expected: MediaKind,
  options: LocalMediaOptions,
): Promise<MediaFinding> {
  const { kind, size, contentType } = await describeLocalMedia(path, options);
  const wanted = expected === 'VIDEO' ? 'VIDEO' : 'PHOTO';
  if (kind === wanted) return { bytes: size };
  return {
    fault: {
      code: 'media_kind_mismatch',
      problem: `a ${expected === 'VIDEO' ? 'video' : 'picture'} is expected here, the file is ${contentType}`,
      cure: 'Replace the file, or set media_type to what it is.',
    },
  };
}

/** A sentence in the form of the other problems: it goes on in a line, after the place. */
function asPhrase(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}
