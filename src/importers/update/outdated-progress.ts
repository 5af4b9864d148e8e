/** Finds the progress of a row that is outdated because its content changed. */
import { isDeepStrictEqual } from 'node:util';
import type { OutdatedProgress } from '../../ledger/imports/update.ts';
import { latestGeneration, type RowProgress } from '../../ledger/rows/row-progress.ts';
import type { Generation, Row } from '../../manifest/row.ts';

export const upToDate: OutdatedProgress = {
  files: false,
  cover: false,
  references: false,
  generations: false,
};

/** @param before undefined if the row could not be read: then all its progress is outdated. */
export function findOutdated(before: Row | undefined, now: Row): OutdatedProgress {
  if (before === undefined) return { files: true, cover: true, references: true, generations: true };
  return {
    files: !isDeepStrictEqual(before.media, now.media) || before.mediaType !== now.mediaType,
    // A cover is uploaded for one creator.
    cover: !isDeepStrictEqual(before.cover, now.cover) || before.creator !== now.creator,
    references: !isDeepStrictEqual(before.generation?.references, now.generation?.references),
    generations: !isDeepStrictEqual(inputsOf(before.generation), inputsOf(now.generation)),
  };
}

/** The inputs that determine the outputs, without time and name. Outputs of the same inputs are not paid for twice. */
export function inputsOf(
  generation: Generation | undefined,
): Omit<Generation, 'execAt' | 'name'> | undefined {
  if (generation === undefined) return undefined;
  const { execAt: _when, name: _label, ...inputs } = generation;
  return inputs;
}

/** The progress of a row after `update-row.lua` has removed what is outdated. */
export function withoutOutdated(progress: RowProgress, outdated: OutdatedProgress): RowProgress {
  const { files, cover, references, generations } = outdated;
  return {
    ...progress,
    files: files || generations ? new Map() : progress.files,
    cover: cover ? undefined : progress.cover,
    references: references ? new Map() : progress.references,
    assets: generations ? [] : progress.assets,
    generationEnded: generations ? latestGeneration(progress) : progress.generationEnded,
  };
}
