/** A plot of one line. */

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;
const highest = BigInt(blocks.length - 1);

/** One block for each value, of numbers of any size: the lowest block stands for the least value or 0, whichever is lower. */
export function sparkline(values: readonly bigint[]): string {
  const sorted = [0n, ...values].sort((one, other) => (one < other ? -1 : 1));
  const [least = 0n] = sorted;
  const most = sorted.at(-1) ?? 0n;
  const range = most - least;
  return values
    .map(
      (value) => blocks[range === 0n ? 0 : Number(((value - least) * highest * 2n + range) / (range * 2n))],
    )
    .join('');
}
