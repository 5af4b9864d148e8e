/** What of a picture or video the platform may not take. The contract names no limits, so these are assumptions, and nothing is refused. */
import type { Settings } from '../../../../config/schema.ts';
import type { SourceFault } from '../../../manifest/cells/media-source.ts';
import { describeDuration } from '../../../manifest/wording.ts';
import type { MediaLook } from '../../../service/media/look.ts';

export type MediaWarnings = Settings['media']['warnings'];

/** @param look undefined if the headers could not be read. */
export function doubtsOf(
  contentType: string,
  look: MediaLook | undefined,
  { formats, landscape, shortest, longest, videoSide, pictureSide }: MediaWarnings,
): readonly SourceFault[] {
  const { width = Number.NaN, height = Number.NaN, durationMs: ms = Number.NaN, codec } = look ?? {};
  const isVideo = contentType.startsWith('video/');
  const side = isVideo ? videoSide : pictureSide;
  const size = `${width} × ${height}`;
  const length = `the video lasts ${describeDuration(ms)}`;
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
      `Use one of ${side} pixels or more on its shorter side.`,
    ],
    [
      isVideo && landscape && width > height,
      'media_landscape',
      `the video is landscape, ${size}`,
      'Use an upright one, such as 9:16.',
    ],
    [ms === 0, 'media_no_length', 'the video has no length', 'Export it again.'],
    [ms > 0 && ms < shortest, 'media_short', length, `Use one of at least ${describeDuration(shortest)}.`],
    [ms > longest, 'media_long', length, `Cut it to ${describeDuration(longest)} or less.`],
  ];
  return rules.flatMap(([applies, code, problem, fix]) => (applies ? [{ code, problem, fix }] : []));
}
