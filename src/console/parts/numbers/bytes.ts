/** Sizes of files as pages show them. */
import { count, number } from './numbers.ts';

/** `412 KB`, `1.5 MB`, `18.4 GB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return count(bytes, 'byte');
  if (bytes < 1_000_000) return `${number(Math.round(bytes / 1000))} KB`;
  const [unit, size] = bytes < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  return `${number(Math.round((bytes / size) * 10) / 10)} ${unit}`;
}

/** The same unit for both: `11.8 of 18.4 GB`. */
export function sizeOf(bytes: number, all: number): string {
  const [unit, size] =
    all < 1e6 ? (['KB', 1000] as const) : all < 1e9 ? (['MB', 1e6] as const) : (['GB', 1e9] as const);
  const short = (value: number) => number(Math.round((value / size) * 10) / 10);
  return `${short(bytes)} of ${short(all)} ${unit}`;
}
