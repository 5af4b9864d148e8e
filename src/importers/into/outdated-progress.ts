/** What has been done for a row, and does not hold any more once the row asks for something else. */
import { isDeepStrictEqual } from 'node:util';
import type { OutdatedProgress } from '../../ledger/merge.ts';
import type { Generation, Row } from '../../manifest/row.ts';

export const upToDate: OutdatedProgress = {
  files: false,
  cover: false,
  references: false,
  generations: false,
};

/** @param before undefined for a row that could not be read: nothing of it is relied on. */
export function findOutdated(before: Row | undefined, now: Row): OutdatedProgress {
  if (before === undefined) return { files: true, cover: true, references: true, generations: true };
  return {
    files: !isDeepStrictEqual(before.media, now.media) || before.mediaType !== now.mediaType,
    // A cover is uploaded for its creator.
    cover: !isDeepStrictEqual(before.cover, now.cover) || before.creator !== now.creator,
    references: !isDeepStrictEqual(before.generation?.references, now.generation?.references),
    generations: !isDeepStrictEqual(inputsOf(before.generation), inputsOf(now.generation)),
  };
}

/** What decides about the outputs: the same inputs are not paid for twice. When it is made, and what it is called, does not. */
function inputsOf(generation: Generation | undefined): Omit<Generation, 'execAt' | 'name'> | undefined {
  if (generation === undefined) return undefined;
  const { execAt: _when, name: _label, ...inputs } = generation;
  return inputs;
}
