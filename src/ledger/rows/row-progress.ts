/**
 * Progress of a row: one Redis hash, read whole at the start of every step.
 *
 * Fields: `file:<n>` file id of the n-th medium; `cover` file id and URI of an uploaded cover; `ref:<n>` URL of the n-th
 * uploaded reference; `gen<n>` schedule of the n-th generation; `gen-ended` number of the generation that ended without all
 * its outputs; `assets` generated assets; `journal:<effect>` the send journal (an entry, as `rows.lua` describes it); `late` posts
 * that late answers brought; `failed-by` the job that failed the row; `reruns` how often it lost its jobs; `looked` when the row's
 * earlier posts were looked up (ms); `unchecked` a person sends it even if they cannot be; `judged` the
 * resume since which stop-after counts it as missed; `z` the row is asleep until its generation begins; `paid`, `spent:<effect>` and
 * `given:<effect>:<token>` AI outputs, as `spending.lua` describes them.
 */
import { z } from 'zod';
import type { Row } from '../../manifest/row.ts';
import type { Effect } from '../states.ts';
import { readStored, texts } from '../stored-json.ts';
import { type Assets, readAssets } from './results.ts';

/** A generation that the service accepted. */
const generationRecord = z.object({
  scheduleId: z.string(),
  /** As given by the service; empty if it gives none. */
  taskIds: texts.readonly().catch([]),
  outputs: z.number().catch(0),
  /** Unix epoch in milliseconds from which the poll deadline counts. */
  since: z.number().catch(0),
});
export type GenerationRecord = Readonly<z.infer<typeof generationRecord>>;

const coverRecord = z.object({ fileId: z.string(), uri: z.string() });
export type CoverRecord = Readonly<z.infer<typeof coverRecord>>;

/** It must not count as missing, or the generation would be created again. Its deadline is over, so the row goes to review. */
const unreadableGeneration: GenerationRecord = { scheduleId: '', taskIds: [], outputs: 0, since: 0 };

export interface RowProgress {
  /** File id by position among the row's media. */
  readonly files: ReadonlyMap<number, string>;
  /** Public URL by position among the row's references. */
  readonly references: ReadonlyMap<number, string>;
  /** Generations by number, from 1. */
  readonly generations: ReadonlyMap<number, GenerationRecord>;
  /** Number of the generation that failed, was cancelled or expired before all outputs were there; 0 for none. */
  readonly generationEnded: number;
  /** URLs of generated assets, in order, and of their thumbnails. */
  readonly assets: readonly string[];
  readonly thumbnails: Assets['thumbnails'];
  readonly cover: CoverRecord | undefined;
  /** The call that still has a journal entry: its outcome is unknown. Of several, the post, as `unknown_effect` in `rows.lua`. */
  readonly unknownEffect: Effect | undefined;
  /** Until when that call may be under way (Unix epoch, ms, by the clock of Redis); undefined if its sender has reported its end. */
  readonly underWayUntil: number | undefined;
}

export const emptyRowProgress: RowProgress = {
  files: new Map(),
  references: new Map(),
  generations: new Map(),
  generationEnded: 0,
  assets: [],
  thumbnails: [],
  cover: undefined,
  unknownEffect: undefined,
  underWayUntil: undefined,
};

/** Parses `field, value, ...` as a script returns it. */
export function parseRowProgress(flat: readonly string[]): RowProgress {
  if (flat.length === 0) return emptyRowProgress;
  const files = new Map<number, string>();
  const references = new Map<number, string>();
  const generations = new Map<number, GenerationRecord>();
  let generationEnded = 0;
  let made: Assets = { assets: [], thumbnails: [] };
  let cover: CoverRecord | undefined;
  let unknownEffect: Effect | undefined;
  let underWayUntil: number | undefined;
  for (let index = 0; index + 1 < flat.length; index += 2) {
    const field = flat[index] as string;
    const value = flat[index + 1] as string;
    if (field.startsWith('file:')) files.set(Number(field.slice(5)), value);
    else if (field.startsWith('ref:')) references.set(Number(field.slice(4)), value);
    else if (/^gen\d+$/.test(field))
      generations.set(Number(field.slice(3)), readStored(generationRecord, value) ?? unreadableGeneration);
    else if (field === 'gen-ended') generationEnded = Number(value);
    else if (field === 'assets') made = readAssets(value) ?? made;
    else if (field === 'cover') cover = readStored(coverRecord, value);
    else if (field === 'journal:post' || (field.startsWith('journal:') && !unknownEffect)) {
      unknownEffect = field.slice('journal:'.length) as Effect;
      underWayUntil = overOf(value);
    }
  }
  return { files, references, generations, generationEnded, ...made, cover, unknownEffect, underWayUntil };
}

/** As `over_of` in `rows.lua`. */
function overOf(entry: string): number | undefined {
  const [state, , at, , over] = entry.split(' ');
  if (state === 'ended' || !at) return undefined;
  return Number(over ?? Number(at) + 600_000);
}

/** Number of the latest generation that the service accepted; 0 for none. */
export function latestGeneration(progress: RowProgress): number {
  return Math.max(0, ...progress.generations.keys());
}

/** Whether the latest generation is still to be polled. */
export function isGenerating(progress: RowProgress): boolean {
  const latest = latestGeneration(progress);
  return latest > 0 && progress.generationEnded !== latest;
}

/** AI outputs that a row still lacks. @param generation undefined for given media. */
export function outputsMissing(
  { assets }: Pick<RowProgress, 'assets'>,
  generation: { readonly count: number } | undefined,
): number {
  return Math.max(0, (generation?.count ?? 0) - assets.length);
}

/** Whether a reference is uploaded and its URL may be used later. */
export function hasLastingReference({ references }: RowProgress, index: number): boolean {
  const url = references.get(index);
  return url !== undefined && isLasting(url);
}

/** Whether a public URL of an uploaded file can be kept: one with a query is probably signed, and expires. */
export function isLasting(url: string): boolean {
  return !url.includes('?');
}

export function filesNeeded(row: Row): number {
  return row.generation ? row.generation.count : row.media.length;
}

/** File ids of a row's post in display order; undefined while one is missing. */
export function fileIdsOf(row: Row, progress: Pick<RowProgress, 'files'>): readonly string[] | undefined {
  const ids: string[] = [];
  for (let index = 0; index < filesNeeded(row); index++) {
    const id = progress.files.get(index);
    if (id === undefined) return undefined;
    ids.push(id);
  }
  return ids;
}

export function orderedFileIds({ files }: RowProgress): readonly string[] {
  return [...files].sort(([one], [other]) => one - other).map(([, id]) => id);
}

export const progressField = {
  file: (index: number) => `file:${index}`,
  reference: (index: number) => `ref:${index}`,
  generation: (number: number) => `gen${number}`,
  generationEnded: 'gen-ended',
  assets: 'assets',
  cover: 'cover',
  unchecked: 'unchecked',
} as const;
