/** Checks media before an import: local files by their first bytes, URLs by their text. Fetches nothing. */

import type { Settings } from '../../../config/schema.ts';
import { isUrl, separatorFault } from '../../manifest/cells/media-source.ts';
import { listSeparator } from '../../manifest/columns.ts';
import { type Fault, showValue } from '../../manifest/problems/problem.ts';
import { describeDuration } from '../../manifest/wording.ts';
import { type MediaType, maxPhotos } from '../../service/contract/posts.ts';
import { AddressPolicy, parseMediaUrl } from '../../service/media/addresses.ts';
import { MediaError } from '../../service/media/errors.ts';
import type { MediaProbe, MediaProber } from '../../service/media/probe.ts';
import { describeLocalMedia } from '../../service/media/source.ts';
import { isSameFile } from './file-names.ts';
import type { MediaCheck, MediaFinding } from './media-check.ts';
import { isRange, MediaNames } from './media-names.ts';

type MediaWarnings = Settings['media']['warnings'];

export interface LocalMediaOptions {
  /** Absolute path of the media root. Paths are relative to it and stay inside. */
  readonly mediaRoot: string;
  /** Absolute path of a folder that is looked in first: its files come to the media root later. */
  readonly newMedia?: string | undefined;
  /** Largest file, in bytes. */
  readonly maxBytes: number;
  /** Private addresses and CIDR ranges that URLs may name. */
  readonly allowPrivateAddresses: readonly string[];
  /** Looks at the headers of files, for `warnings`. Default: nobody does. */
  readonly prober?: MediaProber | undefined;
  readonly warnings?: MediaWarnings | undefined;
}

/** Creates the check. It rejects only with file system errors that say nothing about the file. */
export function createMediaCheck(options: LocalMediaOptions): MediaCheck {
  const policy = new AddressPolicy(options.allowPrivateAddresses);
  const names = new MediaNames(options.mediaRoot);
  const exists = (path: string) =>
    describeLocalMedia(path, options).then(
      () => true,
      () => false,
    );
  const findNear = async (source: string, expected: MediaType) => {
    const near = await names.nearest(source);
    const isWhole = near !== undefined && (isSameFile(source, near) || isRange(near));
    // One file of a range would be posted without the others.
    const several = !isWhole && expected === 'PHOTO' ? await names.range(source) : undefined;
    const found = several ?? (near === undefined ? undefined : [near]);
    for (const path of found ?? []) if (!(await fits(path, expected, options))) return undefined;
    return found?.join(listSeparator) || undefined;
  };
  return async (source, expected) => {
    try {
      if (!isUrl(source)) return await inspectNew(source, expected, options);
      policy.checkWritten(parseMediaUrl(source));
      return { bytes: null };
    } catch (error) {
      if (!(error instanceof MediaError)) throw error;
      const meant = error.code === 'media_missing' ? await findMeantMedia(source, exists) : null;
      if (meant !== null) return { fault: meant };
      const near = error.code === 'media_missing' ? await findNear(source, expected) : undefined;
      const question = near === undefined ? '' : `; did you mean ${showValue(near)}?`;
      const problem = asPhrase(error.message) + question;
      return { fault: { code: error.code, problem, fix: error.fix, ...(near && { meant: near }) } };
    }
  };
}

/** As `inspectFile`, in the folder of new media first. */
async function inspectNew(
  path: string,
  expected: MediaType,
  options: LocalMediaOptions,
): Promise<MediaFinding> {
  const { newMedia: mediaRoot } = options;
  if (mediaRoot !== undefined) {
    const isNew = await describeLocalMedia(path, { ...options, mediaRoot }).then(
      () => true,
      (error: unknown) => !(error instanceof MediaError) || error.code !== 'media_missing',
    );
    if (isNew) return inspectFile(path, expected, { ...options, mediaRoot });
  }
  return inspectFile(path, expected, options);
}

async function inspectFile(
  path: string,
  expected: MediaType,
  options: LocalMediaOptions,
): Promise<MediaFinding> {
  const { warnings } = options;
  // By default, nothing is asked of the pixels of pictures.
  const prober = expected === 'VIDEO' || (warnings?.pictureSide ?? 0) > 0 ? options.prober : undefined;
  const file = await describeLocalMedia(path, { ...options, prober });
  const { kind, size, contentType, cut, sample, probe } = file;
  if (kind === expected) {
    const warning = cut && { code: 'media_cut_off', problem: asPhrase(cut.problem), fix: cut.fix };
    const doubts = warnings && doubtsOf(contentType, probe, warnings);
    return { bytes: size, warning, doubts, content: sample };
  }
  return {
    fault: {
      code: 'media_kind_mismatch',
      problem: `this must be a ${expected === 'VIDEO' ? 'video' : 'picture'}, but the file is ${contentType}`,
      fix: 'Replace the file, or fix media_type.',
    },
  };
}

/**
 * What of a picture or video the platform may not take. The contract names no limits, so these are assumptions, and nothing is refused.
 * @param look undefined if the headers could not be read.
 */
function doubtsOf(
  contentType: string,
  probe: MediaProbe | undefined,
  { formats, landscape, shortest, longest, videoSide, pictureSide }: MediaWarnings,
): readonly Fault[] {
  const { width = Number.NaN, height = Number.NaN, durationMs: ms = Number.NaN, codec } = probe ?? {};
  const isVideo = contentType.startsWith('video/');
  const side = isVideo ? videoSide : pictureSide;
  const size = `${width} × ${height}`;
  const isHeic = /^image\/hei[cf]$/.test(contentType) && formats.includes('HEIC');
  const isOfCodec = formats.some((format) => format === codec);
  const what = isVideo ? 'video' : 'picture';
  const rules: readonly (readonly [applies: boolean, code: string, problem: string, fix: string])[] = [
    [isHeic, 'media_format', 'the platform may not take HEIC pictures', 'Save it as JPEG.'],
    [isOfCodec, 'media_format', `the platform may not take videos coded as ${codec}`, 'Export it as H.264.'],
    [
      Math.min(width, height) < side,
      'media_small',
      `the ${what} is small, ${size}`,
      `Use a ${what} of ${side} pixels or more on its shorter side.`,
    ],
    [
      isVideo && landscape && width > height,
      'media_landscape',
      `the video is landscape, ${size}`,
      'Use an upright video, such as 9:16.',
    ],
    [ms === 0, 'media_no_length', 'the file has no video to play', 'Export it again.'],
    [
      ms > 0 && ms < shortest,
      'media_short',
      `the video lasts less than ${describeDuration(shortest)}`,
      'Use a longer video.',
    ],
    [ms > longest, 'media_long', `the video lasts more than ${describeDuration(longest)}`, 'Cut it.'],
  ];
  return rules.flatMap(([applies, code, problem, fix]) => (applies ? [{ code, problem, fix }] : []));
}

/** Whether a file would be valid here. */
async function fits(path: string, expected: MediaType, options: LocalMediaOptions): Promise<boolean> {
  return inspectFile(path, expected, options).then(
    (finding) => 'bytes' in finding,
    () => false,
  );
}

/** Turns a sentence into the form of the other problems, which follow a place on the same line. */
function asPhrase(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

/**
 * Checks whether another spelling of the path leads to files.
 * @param exists whether a file is under the media root.
 * @returns the fault with the right spelling; `null` if there is none.
 */
export async function findMeantMedia(
  path: string,
  exists: (path: string) => Promise<boolean>,
): Promise<Fault | null> {
  const slashed = path.replaceAll('\\', '/');
  if (slashed !== path && (await exists(slashed))) {
    return {
      code: 'media_backslash',
      problem: 'the file was not found, because the path uses \\ between folders',
      fix: `Write / between the folders: ${showValue(slashed)}`,
      meant: slashed,
    };
  }
  for (const separators of [/[,;，；、]/, /[\s+&]/]) {
    const parts = slashed
      .split(separators)
      .map((part) => part.trim())
      .filter((part) => part !== '');
    if (parts.length < 2 || parts.length > maxPhotos) continue;
    if (await areAll(parts, exists)) return separatorFault(parts, 'files', true);
  }
  return null;
}

async function areAll(parts: readonly string[], exists: (path: string) => Promise<boolean>) {
  for (const part of parts) if (!(await exists(part))) return false;
  return true;
}
