/**
 * What the codes of an envelope mean with HTTP 2xx. The contract names two of them (section 7) and shows no list, so the rest is a
 * setting (`api.codes`). A code on no list refuses its call, and says nothing about others.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A code, or a range such as `500-599`, both ends included. */
export type CodeRange = number | string;

/** Code that says that a permission is missing, unless the settings name others. */
export const forbiddenCode = 403;

/** 401, 403, 429 and 5xx as services commonly repeat a status in the envelope; 40101 is the contract's own. */
const usualCodes = {
  /** Too many requests. The call had no effect. */
  throttled: [429],
  /** The API key is at fault. The call had no effect. */
  keyRefused: [401],
  /** The creator must authorize again. */
  creatorExpired: [40101],
  /** A permission is missing: of this creator, or, if it is so for everyone, of the key. */
  forbidden: [forbiddenCode],
  /** Worth a retry, if the call may be repeated. */
  retry: ['500-599'],
} as const;

export type CodeMeaning = keyof typeof usualCodes;
/** Codes by what they mean: each has one meaning. */
export type ServiceCodes = Readonly<Record<CodeMeaning, readonly CodeRange[]>>;

const codeRule = 'must be a whole number other than 0, such as 40101, or a range such as "500-599"';

const meanings = Object.keys(usualCodes) as CodeMeaning[];

/** First and last code of a range; undefined for a value that is none. 0 is success. */
function boundsOf(range: unknown): readonly [number, number] | undefined {
  if (typeof range === 'number')
    return Number.isSafeInteger(range) && range !== 0 ? [range, range] : undefined;
  const [, from = '', to = ''] = /^(\d{1,10})-(\d{1,10})$/.exec(String(range)) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first > 0 && first <= last ? [first, last] : undefined;
}

/** Makes a function that finds what a code means; undefined for a refusal of its call alone. */
export function codeReader(codes: ServiceCodes): (code: number) => CodeMeaning | undefined {
  const ranges = meanings.flatMap((meaning) =>
    codes[meaning].map((range) => ({ meaning, bounds: boundsOf(range) })),
  );
  return (code) =>
    ranges.find(({ bounds }) => bounds !== undefined && bounds[0] <= code && code <= bounds[1])?.meaning;
}

const codeRanges = (usual: readonly CodeRange[]) =>
  z
    .array(z.custom<CodeRange>((value) => boundsOf(value) !== undefined, { error: codeRule }))
    .default([...usual]);

/** The schema of the setting: a list that is left out has the usual codes. */
export const serviceCodes = z
  .strictObject({
    throttled: codeRanges(usualCodes.throttled),
    keyRefused: codeRanges(usualCodes.keyRefused),
    creatorExpired: codeRanges(usualCodes.creatorExpired),
    forbidden: codeRanges(usualCodes.forbidden),
    retry: codeRanges(usualCodes.retry),
  })
  .prefault({})
  .superRefine((given, context) => {
    for (const { meaning, index, range, other } of ambiguousCodes(given)) {
      const isDefault = isDeepStrictEqual(given[meaning], usualCodes[meaning]);
      context.addIssue({
        code: 'custom',
        path: isDefault ? [other.meaning] : [meaning, index],
        input: isDefault ? other.range : range,
        message: isDefault
          ? `is also a default of api.codes.${meaning} (${range}): set that list, too, and omit the code there`
          : `is also in api.codes.${other.meaning} (${other.range}): a code may be in one list only`,
      });
    }
  });

/** Codes that are on two lists, each as the later list has it. */
function* ambiguousCodes(codes: ServiceCodes) {
  const seen: { readonly meaning: CodeMeaning; readonly range: CodeRange }[] = [];
  for (const meaning of meanings) {
    for (const [index, range] of codes[meaning].entries()) {
      const clash = seen.find((known) => known.meaning !== meaning && overlap(known.range, range));
      if (clash) yield { meaning, index, range, other: clash };
      seen.push({ meaning, range });
    }
  }
}

function overlap(one: CodeRange, other: CodeRange): boolean {
  const [a, b] = [boundsOf(one), boundsOf(other)];
  return a !== undefined && b !== undefined && a[0] <= b[1] && b[0] <= a[1];
}
