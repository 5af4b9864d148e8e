/** How long the texts of a post may be, and how many photos it has at most (contract, section 4.1). */
import { z } from 'zod';

export const maxCaptionLength = 4000;
export const maxAnchorTitleLength = 30;
export const maxPhotos = 15;
export const preCheckOvertimeRange = { min: 600, max: 3600 } as const;

const surrogatePairs = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The length of a text in characters: code points, as JSON Schema counts. An emoji may be several. */
export function charactersOf(text: string): number {
  // Most texts have no pair: a match costs less than an iterator.
  return text.length - (text.match(surrogatePairs)?.length ?? 0);
}

/** A text of 1 to so many characters. */
export function textUpTo(most: number) {
  return z
    .string()
    .min(1)
    .refine(
      (text) => text.length <= most || charactersOf(text) <= most,
      `must have at most ${most} characters`,
    )
    .meta({ maxLength: most });
}
