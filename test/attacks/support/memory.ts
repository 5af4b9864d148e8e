/** Live memory of this process, which a file should not make grow. Needs `--expose-gc`. */

/** A file that is kept whole takes more, or many times its size. A JSON file that is one value gets 64 MB to be kept in. */
export function mostMegabytes(file: string): number {
  return file.endsWith('.json') ? 64 + 32 : 32;
}

/**
 * Looks often, as no turn of the event loop takes long. Only where more is in use than may be, garbage is collected, which is dear.
 * @returns the most memory in use at any time beyond that before, in MB; without garbage where that is more than `most`, which ends the looks.
 */
export async function peakDuring<T>(
  work: () => Promise<T>,
  most: number,
): Promise<{ readonly result: T; readonly peak: number }> {
  collectGarbage();
  const before = usedMegabytes();
  const used = () => usedMegabytes() - before;
  let peak = 0;
  const look = setInterval(() => {
    // The first collection leaves memory of buffers to be freed.
    for (let left = 2; left > 0 && used() > most; left -= 1) collectGarbage();
    peak = Math.max(peak, used());
    if (peak > most) clearInterval(look);
  }, 10);
  try {
    return { result: await work(), peak: Math.round(peak) };
  } finally {
    clearInterval(look);
  }
}

function collectGarbage(): void {
  if (!globalThis.gc) throw new Error('memory is measured with --expose-gc only');
  globalThis.gc({ type: 'major', execution: 'sync' });
}

function usedMegabytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}
