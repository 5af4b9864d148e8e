/** The generation of a row's media by an AI model, and what each model allows (contract, section 4.2). */
import {
  aspectRatioPattern,
  businessTypes,
  type ImageModel,
  imageModels,
  sizePattern,
  type VideoModel,
  videoModels,
  videoSeconds,
} from '../api/contract/generation.ts';
import { maxPhotos } from '../api/contract/posts.ts';
import type { ColumnName } from './columns.ts';
import { nearest } from './edit-distance.ts';
import { readSources } from './media.ts';
import { kindOf } from './media-source.ts';
import type { Generation } from './row.ts';
import type { RowInput } from './row-input.ts';
import { hasControls } from './scalars.ts';
import { readInstant } from './schedule.ts';
import type { Zone } from './zone.ts';

type Common = Omit<Extract<Generation, { type: 'IMAGE_GENERATION' }>, 'type' | 'model' | 'aspectRatio'>;

const imageModelByName: ReadonlyMap<string, ImageModel> = new Map(imageModels.map((model) => [model, model]));
const videoModelByName: ReadonlyMap<string, VideoModel> = new Map(videoModels.map((model) => [model, model]));

/** Reads the generation of a row whose `ai_prompt` is filled in; `undefined` where the model cannot be told. */
export function readGeneration(input: RowInput, prompt: string, zone: Zone | null): Generation | undefined {
  if (hasControls(prompt)) {
    input.report(
      'ai_prompt',
      'control_characters',
      'ai_prompt holds a control character',
      'Type the prompt anew.',
    );
  }
  const common = readCommon(input, prompt, zone);
  const written = input.required('ai_model');
  const name = written.toLowerCase();
  const imageModel = imageModelByName.get(name);
  if (imageModel !== undefined) return readImages(input, imageModel, common);
  const videoModel = videoModelByName.get(name);
  if (videoModel !== undefined) return readVideo(input, videoModel, common);
  if (written !== '') reportModel(input, name);
  return undefined;
}

/** The columns of a manifest that say how to generate, apart from the prompt. */
export function generationColumns(present: readonly ColumnName[]): readonly ColumnName[] {
  return present.filter((column) => column.startsWith('ai_') && column !== 'ai_prompt');
}

/** Reports what is said of a generation, in `columns`, by a row that has no `ai_prompt`. */
export function refuseGenerationFields(input: RowInput, columns: readonly ColumnName[]): void {
  for (const column of columns) {
    if (input.text(column) === '') continue;
    input.report(
      column,
      'generation_without_prompt',
      `${column} is given without ai_prompt`,
      `Fill in ai_prompt to generate the media, or clear ${column}.`,
    );
  }
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
      'a reference is an image, this is a video',
      'Give an image.',
      reference,
    );
  }
  return references;
}

function readImages(input: RowInput, model: ImageModel, common: Common): Generation {
  refuse(input, ['ai_seconds', 'ai_size'], `${model} makes images`);
  if (input.boolean('ai_watermark') === true) {
    refuse(input, ['ai_watermark'], `${model} makes images`);
  }
  const aspectRatio = input.required('ai_aspect_ratio').replace(/\s+/g, '');
  if (aspectRatio !== '' && !aspectRatioPattern.test(aspectRatio)) {
    input.report(
      'ai_aspect_ratio',
      'invalid_aspect_ratio',
      'this is not a ratio of the form width:height',
      'Write it as 9:16. Format the column as text, or a spreadsheet takes it for a time.',
    );
  }
  return { type: 'IMAGE_GENERATION', model, aspectRatio, ...common };
}

function readVideo(input: RowInput, model: VideoModel, common: Common): Generation {
  refuse(input, ['ai_aspect_ratio'], `${model} makes videos`);
  if (common.count > 1) {
    input.report('ai_count', 'out_of_range', 'a post has one video', 'Set ai_count to 1, or leave it empty.');
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
  if (input.required('ai_seconds') === '') return 0;
  const seconds = input.whole('ai_seconds', { min: 1, max: 3600 });
  if (seconds !== undefined && !allowed.includes(seconds)) {
    const choices = allowed.length === 1 ? `${allowed[0]} seconds only` : `${allowed.join(', ')} seconds`;
    input.report(
      'ai_seconds',
      'seconds_not_allowed',
      `${model} makes videos of ${choices}`,
      `Write one of ${allowed.join(', ')}.`,
    );
  }
  return seconds ?? 0;
}

function readSize(input: RowInput): string {
  const size = input.required('ai_size').replace(/\s+/g, '').replace(/[X×]/, 'x');
  if (size !== '' && !sizePattern.test(size)) {
    input.report(
      'ai_size',
      'invalid_size',
      'this is not a size of the form widthxheight',
      'Write it as 720x1280.',
    );
  }
  return size;
}

function refuse(input: RowInput, columns: readonly ColumnName[], reason: string): void {
  for (const column of columns) {
    if (input.text(column) === '') continue;
    input.report(
      column,
      'not_for_model',
      `${reason}, ${column} does not apply`,
      `Clear ${column}, or choose another model.`,
    );
  }
}

function reportModel(input: RowInput, name: string): void {
  const models = [...imageModels, ...videoModels];
  const meant = nearest(name, models);
  input.report(
    'ai_model',
    'unknown_model',
    meant === undefined ? 'there is no such model' : `there is no such model; did you mean ${meant}?`,
    `Write one of ${models.join(', ')}.`,
  );
}
