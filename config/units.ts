/** Durations and sizes in the settings: `30s`, `1.5m`, `4GB`. */
import { z } from 'zod';

const durationUnits = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const sizeUnits = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const;

const durationRule = 'must be a duration such as 500ms, 30s, 45m, 2h or 1d';
const sizeRule = 'must be a size such as 512KB or 4GB';
/** A hundred years: no date is out of range. */
const longestDays = 36_525;

/** A duration, read as whole milliseconds. */
export const duration = z.string({ error: durationRule }).transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim());
  const ms = match && Math.round(Number(match[1]) * durationUnits[match[2] as keyof typeof durationUnits]);
  if (ms !== null && ms <= longestDays * durationUnits.d) return ms;
  context.addIssue({ code: 'custom', message: match ? `must be at most ${longestDays}d` : durationRule });
  return z.NEVER;
});

export const positiveDuration = duration.refine((ms) => ms > 0, { error: 'must be longer than 0' });

/** A size in powers of 1,024, read as bytes. */
export const byteSize = z.string({ error: sizeRule }).transform((text, context) => {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB|TB)$/i.exec(text.trim());
  if (match) {
    return Math.round(Number(match[1]) * sizeUnits[match[2]?.toUpperCase() as keyof typeof sizeUnits]);
  }
  context.addIssue({ code: 'custom', message: sizeRule });
  return z.NEVER;
});
