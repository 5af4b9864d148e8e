/** Finds the intended name behind a typo. */

/** Comparing takes time by the product of the lengths, and nobody mistypes so long a word. */
const longestWord = 128;

/**
 * Finds the candidate nearest to `word`, if it may be a typo: at most a third of the letters, and always up to two, are added, left out,
 * changed or swapped with a neighbour.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  // With most letters changed it is another word, not a typo.
  return best !== undefined && bestDistance * 2 <= Math.max(word.length, best.length) ? best : undefined;
}

/** Counts the letters to add, leave out, change or swap with a neighbour. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let col = 1; col <= to.length; col += 1) {
      const same = from[row - 1] === to[col - 1];
      let cost = Math.min(at(last, col) + 1, at(current, col - 1) + 1, at(last, col - 1) + (same ? 0 : 1));
      if (row > 1 && col > 1 && from[row - 1] === to[col - 2] && from[row - 2] === to[col - 1]) {
        cost = Math.min(cost, at(beforeLast, col - 2) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, to.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY;
}
