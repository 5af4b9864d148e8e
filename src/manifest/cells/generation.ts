/** The AI generation of a row's media, with the rules of each model (contract, section 4.2). */
import {
  aspectRatioPattern,
  businessTypes,
  type ImageModel,
  imageModels,
  sizePattern,
  type VideoModel,
  videoModels,
  videoSeconds,
} from '../../service/contract/generation.ts';
import { maxPhotos } from '../../service/contract/posts.ts';
import { type ColumnName, foldHeader } from '../columns.ts';
import { NearestNames } from '../edit-distance.ts';
import type { Generation } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { sizeOfRatio } from './choices.ts';
import { readSources } from './media.ts';
import { kindOf } from './media-source.ts';
import { hasControls } from './scalars.ts';
import { readInstant } from './schedule.ts';
import type { Zone } from './zone.ts';

type Common = Omit<Extract<Generation, { type: 'IMAGE_GENERATION' }>, 'type' | 'model' | 'aspectRatio'>;

/** Reads the generation of a row with an `ai_prompt`; `undefined` if the model is unknown. */
export function readGeneration(input: RowInput, prompt: string, zone: Zone | null): Generation | undefined {
  if (hasControls(prompt)) {
    const problem = 'ai_prompt contains a control character';
    input.report('ai_prompt', 'control_characters', problem, 'Type the prompt again.');
  }
  const common = readCommon(input, prompt, zone);
  const written = input.required('ai_model');
  const name = written.toLowerCase();
  const imageModel = imageModels.find((model) => model === name);
  if (imageModel !== undefined) return readImages(input, imageModel, common);
  const videoModel = videoModels.find((model) => model === name);
  if (videoModel !== undefined) return readVideo(input, videoModel, common);
  if (written !== '') reportModel(input, name);
  return undefined;
}

/** The generation columns of a manifest, without the prompt. */
export function generationColumns(present: readonly ColumnName[]): readonly ColumnName[] {
  return present.filter((column) => column.startsWith('ai_') && column !== 'ai_prompt');
}

/** What a planner's own columns say of any video or picture: `Length`, `Format`. */
const ofAnyMedia: ReadonlySet<ColumnName> = new Set(['ai_seconds', 'ai_size', 'ai_aspect_ratio', 'ai_count']);

/** Reports the missing prompt of a row with other generation columns. @returns whether it did. */
export function refuseGenerationFields(
  input: RowInput,
  columns: readonly ColumnName[],
  hasMedia: boolean,
): boolean {
  const isOwn = (column: ColumnName) =>
    hasMedia && ofAnyMedia.has(column) && !foldHeader(input.title(column)).startsWith('ai');
  const isGiven = columns.some((column) => input.text(column) !== '' && !isOwn(column));
  const problem = 'ai_prompt is empty, but other ai_ columns are filled in';
  const fix = 'Fill in ai_prompt to generate the media, or clear the other ai_ columns.';
  if (isGiven) input.report('ai_prompt', 'generation_without_prompt', problem, fix);
  return isGiven;
}

function readCommon(input: RowInput, prompt: string, zone: Zone | null): Common {
  return {
    prompt,
    references: readReferences(input),
    count: input.whole('ai_count', { min: 1, max: maxPhotos }) ?? 1,
    execAt: readInstant(input, 'ai_exec_at', zone),
    promptId: input.id('ai_prompt_id') || undefined,
    name: input.line('ai_name') || undefined,
    businessId: input.id('ai_business_id') || undefined,
    businessType: input.choice('ai_business_type', businessTypes),
  };
}

function readReferences(input: RowInput): readonly string[] {
  const references = readSources(input, 'ai_references');
  for (const reference of references) {
    if (kindOf(reference) !== 'VIDEO') continue;
    input.report(
      'ai_references',
      'reference_not_image',
      'a reference must be an image, but this is a video',
      'Use an image.',
      { value: reference },
    );
  }
  return references;
}

function readImages(input: RowInput, model: ImageModel, common: Common): Generation {
  const size = input.text('ai_size').replace(/\s+/g, '');
  // Sheets may have one column for both.
  const hasRatio = input.text('ai_aspect_ratio') === '' && aspectRatioPattern.test(size);
  refuse(input, hasRatio ? ['ai_seconds'] : ['ai_seconds', 'ai_size'], `${model} makes images`);
  if (input.boolean('ai_watermark') === true) refuse(input, ['ai_watermark'], `${model} makes images`);
  const aspectRatio = hasRatio ? size : input.required('ai_aspect_ratio').replace(/\s+/g, '');
  if (aspectRatio !== '' && !aspectRatioPattern.test(aspectRatio)) {
    input.report(
      'ai_aspect_ratio',
      'invalid_aspect_ratio',
      'this is not a ratio such as 9:16',
      'Write width:height. Format the column as text, or the spreadsheet program reads it as a time.',
    );
  }
  return { type: 'IMAGE_GENERATION', model, aspectRatio, ...common };
}

function readVideo(input: RowInput, model: VideoModel, common: Common): Generation {
  refuse(input, ['ai_aspect_ratio'], `${model} makes videos`);
  if (common.count > 1) {
    const fix = 'Set ai_count to 1, or leave it empty.';
    input.report('ai_count', 'out_of_range', 'a post can have only one video', fix);
  }
  return {
    type: 'VIDEO_GENERATION',
    model,
    seconds: readSeconds(input, model),
    size: readSize(input),
    watermark: input.boolean('ai_watermark'),
    ...common,
  };
}

function readSeconds(input: RowInput, model: VideoModel): number {
  const allowed: readonly number[] = videoSeconds[model];
  const one = allowed.length === 1 ? String(allowed[0]) : `one of ${allowed.join(', ')}`;
  if (input.required('ai_seconds', `Write ${one}: ${model} makes no others.`) === '') return 0;
  const seconds = input.duration('ai_seconds', { min: 1, max: 3600 });
  if (seconds !== undefined && !allowed.includes(seconds)) {
    const choices = allowed.length === 1 ? `${allowed[0]} seconds only` : `${allowed.join(', ')} seconds`;
    input.report('ai_seconds', 'seconds_not_allowed', `${model} makes videos of ${choices}`, `Write ${one}.`);
  }
  return seconds ?? 0;
}

function readSize(input: RowInput): string {
  const size = input.required('ai_size').replace(/\s+/g, '').replace(/[X×]/, 'x');
  if (size !== '' && !sizePattern.test(size)) {
    const meant = sizeOfRatio(size);
    const problem = 'this is not a size such as 720x1280';
    input.report('ai_size', 'invalid_size', problem, 'Write width x height.', { meant });
  }
  return size;
}

function refuse(input: RowInput, columns: readonly ColumnName[], reason: string): void {
  for (const column of columns) {
    if (input.text(column) === '') continue;
    const fix = `Clear ${column}, or choose another model.`;
    input.report(column, 'not_for_model', `${reason}, so ${column} does not apply`, fix);
  }
}

const models = [...imageModels, ...videoModels];
const nearestModels = new NearestNames(models);

function reportModel(input: RowInput, name: string): void {
  const meant = nearestModels.find(name);
  input.report(
    'ai_model',
    'unknown_model',
    `there is no such model${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    `Write one of ${models.join(', ')}.`,
    { meant },
  );
}
