import { expect, test } from 'vitest';
import { videoSeconds } from '../../../src/service/contract/generation.ts';
import { generatedImages, generatedVideo, problemsOf, readRow, rowOf } from '../rows.ts';

test('a prompt with an image model makes a photo post, without the label of generated videos', () => {
  expect(
    rowOf({ ...generatedImages, ai_count: '15', ai_references: 'a.png|https://cdn.example/b' }),
  ).toMatchObject({
    mediaType: 'PHOTO',
    media: [],
    isAiGenerated: undefined,
    generation: {
      type: 'IMAGE_GENERATION',
      model: 'nano-banana-2',
      aspectRatio: '9:16',
      prompt: 'A bottle at dawn',
      count: 15,
      references: ['a.png', 'https://cdn.example/b'],
    },
  });
});

test('a prompt with a video model makes a video post', () => {
  const row = rowOf({
    ...generatedVideo,
    ai_watermark: 'yes',
    ai_exec_at: '2026-11-30T10:00Z',
    ai_prompt_id: 'p1',
    ai_name: 'dawn',
    ai_business_id: 'sku-1',
    ai_business_type: 'merchant_sku',
  });
  expect(row).toMatchObject({
    mediaType: 'VIDEO',
    isAiGenerated: true,
    generation: {
      type: 'VIDEO_GENERATION',
      model: 'veo3.1-extend',
      seconds: 8,
      size: '720x1280',
      count: 1,
      watermark: true,
      execAt: Date.parse('2026-11-30T10:00Z'),
      promptId: 'p1',
      name: 'dawn',
      businessId: 'sku-1',
      businessType: 'MERCHANT_SKU',
    },
  });
});

test('the label of generated media can be turned off', () => {
  expect(rowOf({ ...generatedVideo, is_ai_generated: 'no' }).isAiGenerated).toBe(false);
});

test.each(
  Object.entries(videoSeconds).flatMap(([model, all]) => all.map((seconds) => [model, seconds] as const)),
)('%s makes videos of %i seconds', (model, seconds) => {
  expect(problemsOf({ ...generatedVideo, ai_model: model, ai_seconds: String(seconds) })).toEqual([]);
});

test.each(Object.keys(videoSeconds))('%s does not make videos of 7 seconds', (model) => {
  expect(problemsOf({ ...generatedVideo, ai_model: model, ai_seconds: '7' })).toEqual([
    'ai_seconds seconds_not_allowed',
  ]);
});

test.each([
  [{ ...generatedVideo, media: 'a.mp4' }, 'ai_prompt media_and_prompt'],
  [{ ...generatedVideo, ai_prompt: 'a\u0001b' }, 'ai_prompt control_characters'],
  [{ ...generatedVideo, ai_model: '' }, 'ai_model missing_value'],
  [{ ...generatedVideo, ai_model: 'sora' }, 'ai_model unknown_model'],
  [{ ...generatedVideo, ai_seconds: '' }, 'ai_seconds missing_value'],
  [{ ...generatedVideo, ai_seconds: '8 m' }, 'ai_seconds invalid_integer'],
  [{ ...generatedVideo, ai_seconds: '6' }, 'ai_seconds seconds_not_allowed'],
  [{ ...generatedVideo, ai_size: '' }, 'ai_size missing_value'],
  [{ ...generatedVideo, ai_size: '720p' }, 'ai_size invalid_size'],
  [{ ...generatedVideo, ai_size: '0x1280' }, 'ai_size invalid_size'],
  [{ ...generatedVideo, ai_aspect_ratio: '9:16' }, 'ai_aspect_ratio not_for_model'],
  [{ ...generatedVideo, ai_count: '2' }, 'ai_count out_of_range'],
  [{ ...generatedVideo, ai_count: '0' }, 'ai_count out_of_range'],
  [{ ...generatedVideo, media_type: 'PHOTO' }, 'media_type media_type_contradicts'],
  [{ ...generatedVideo, ai_references: 'a.mp4' }, 'ai_references reference_not_image'],
  [
    { ...generatedVideo, ai_references: 'https://cdn.example/a\u0007.png' },
    'ai_references control_characters',
  ],
  [{ ...generatedVideo, ai_references: 'data:image/png;base64,AAAA' }, 'ai_references url_scheme'],
  [{ ...generatedVideo, ai_references: '../a.png' }, 'ai_references path_outside_root'],
  [{ ...generatedVideo, ai_exec_at: '2026-11-30 10:00' }, 'ai_exec_at zoneless_time'],
  [{ ...generatedVideo, ai_business_type: 'SHOP' }, 'ai_business_type invalid_choice'],
  [{ ...generatedImages, ai_aspect_ratio: '' }, 'ai_aspect_ratio missing_value'],
  [{ ...generatedImages, ai_aspect_ratio: '09:16' }, 'ai_aspect_ratio invalid_aspect_ratio'],
  [{ ...generatedImages, ai_count: '16' }, 'ai_count out_of_range'],
  [{ ...generatedImages, ai_seconds: '8' }, 'ai_seconds not_for_model'],
  [{ ...generatedImages, ai_size: '720x1280' }, 'ai_size not_for_model'],
  [{ ...generatedImages, ai_size: '9:16' }, 'ai_size not_for_model'],
  [{ ...generatedImages, ai_watermark: 'yes' }, 'ai_watermark not_for_model'],
  [{ ...generatedImages, is_ai_generated: 'yes' }, 'is_ai_generated ai_label_of_photo'],
  [{ ai_model: 'veo3.1-extend' }, 'ai_prompt generation_without_prompt'],
  [{ ai_count: '3' }, 'ai_prompt generation_without_prompt'],
])('%j: %s', (changes, problem) => {
  expect(problemsOf(changes)).toEqual([problem]);
});

test("a planner's own columns of lengths and formats say nothing of a row with media", () => {
  const own = { Prompt: '', Dauer: '0:05', Format: 'Video', Size: '720x1280', Anzahl: '1' };
  expect(problemsOf(own)).toEqual([]);
  expect(problemsOf({ ...own, media: '' })).toContain('Prompt generation_without_prompt');
});

test('a missing prompt is one problem', () => {
  const problems = problemsOf({ ...generatedVideo, ai_prompt: '' });
  expect(problems).toEqual(['ai_prompt generation_without_prompt']);
});

test('a size is also read with X or × between its numbers', () => {
  expect(rowOf({ ...generatedVideo, ai_size: '720 × 1280' }).generation).toMatchObject({ size: '720x1280' });
});

test.each(['9:16', '9 : 16'])('%s in the column of sizes is the ratio of images without one', (ai_size) => {
  const { generation } = rowOf({ ...generatedImages, ai_size, ai_aspect_ratio: '' });
  expect(generation).toMatchObject({ type: 'IMAGE_GENERATION', aspectRatio: '9:16' });
});

test.each([
  ['9:16', '720x1280'],
  ['16:9', '1280x720'],
  ['1:1', '1024x1024'],
])('the ratio %s in place of the size of a video may mean %s', (ai_size, meant) => {
  expect(readRow({ ...generatedVideo, ai_size })).toMatchObject({
    problems: [{ code: 'invalid_size', meant }],
  });
});

test('a misspelled model is reported with a suggestion', () => {
  expect(problemsOf({ ...generatedVideo, ai_model: 'veo3.1-extand' })).toEqual(['ai_model unknown_model']);
});

test('a generation must begin before its post is due', () => {
  const late = { scheduled_at: '2026-12-01T10:00Z', ai_exec_at: '2026-12-01T10:00Z' };
  expect(problemsOf({ ...generatedVideo, ...late })).toEqual(['ai_exec_at generation_after_post']);
});

test.each(['8', '8s', '8 s', '8sec', '8 Sek.', '8"', '8″', '8秒', '0:08', '00:00:08'])(
  'a duration of %s is 8 seconds',
  (ai_seconds) => {
    expect(rowOf({ ...generatedVideo, ai_seconds }).generation).toMatchObject({ seconds: 8 });
  },
);

test.each(['~8s', '8-10', '8.5 s', '0:08:', '1:75', '8 m'])('%s is no duration', (ai_seconds) => {
  expect(problemsOf({ ...generatedVideo, ai_seconds })).toEqual(['ai_seconds invalid_integer']);
});
