/** AI generation: `createAiGenerationSchedule` and `listAiTasksByScheduleId`. */
import { z } from 'zod';
import { incidental, listOf, pageInfo, textual } from './envelope.ts';
import { httpUri } from './uri.ts';

export const imageModels = [
  'gpt-image-2',
  'nano-banana-2',
  'nano-banana-2-2k',
  'nano-banana-2-4k',
  'seedream5.0-lite',
] as const;

/** Video models, each with the durations that it offers, in seconds. */
export const videoSeconds = {
  'gemini-omni-video': [6, 8, 10],
  'veo3.1-lite-extend': [8],
  'veo3.1-extend': [8],
  'grok-imagine-1.5': [6, 10, 15, 20, 25, 30],
  'seedance2.0-mini': [4, 8, 10, 12, 15],
  'seedance2.0': [4, 8, 10, 12, 15],
  'seedance2.0-fast': [4, 8, 10, 12, 15],
} as const satisfies Record<string, readonly number[]>;

export type ImageModel = (typeof imageModels)[number];
export type VideoModel = keyof typeof videoSeconds;
export const videoModels = Object.keys(videoSeconds) as VideoModel[];

export const aspectRatioPattern = /^[1-9]\d{0,4}:[1-9]\d{0,4}$/;
export const sizePattern = /^[1-9]\d{0,4}x[1-9]\d{0,4}$/;
export const businessTypes = ['MERCHANT_SKU', 'AI_PURCHASE_TASK'] as const;

const commonParams = {
  prompt: z.string().min(1),
  inputReference: httpUri.optional(),
  inputReferences: z.array(httpUri).min(1).optional(),
};

const imageParams = z.strictObject({
  ...commonParams,
  model: z.enum(imageModels),
  aspectRatio: z.string().regex(aspectRatioPattern, 'must be width:height, as in 9:16'),
});

const videoParams = z
  .strictObject({
    ...commonParams,
    model: z.enum(videoModels),
    seconds: z.int().min(1),
    size: z.string().regex(sizePattern, 'must be widthxheight, as in 720x1280'),
    aspectRatio: z.string().regex(aspectRatioPattern).optional(),
    watermark: z.boolean().optional(),
  })
  .refine((params) => (videoSeconds[params.model] as readonly number[]).includes(params.seconds), {
    path: ['seconds'],
    error: (issue) => {
      const model = (issue.input as { model: VideoModel }).model;
      return `must be one of ${videoSeconds[model].join(', ')} for ${model}`;
    },
  });

const scheduleFields = {
  taskId: z.string().min(1).optional(),
  nums: z.int().min(1),
  businessId: z.string().min(1).optional(),
  businessType: z.enum(businessTypes).optional(),
  promptId: z.string().min(1).optional(),
  execAt: z.iso.datetime({ offset: true }).optional(),
  name: z.string().min(1).optional(),
};

export const createAiGenerationScheduleRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('IMAGE_GENERATION'), params: imageParams, ...scheduleFields }),
  z.strictObject({ type: z.literal('VIDEO_GENERATION'), params: videoParams, ...scheduleFields }),
]);

export const createAiGenerationScheduleResponse = z.looseObject({
  scheduleId: textual,
  taskIds: incidental(z.array(textual)),
});

export const waitingStatuses = ['WAITING_SUBMIT', 'SUBMITTING', 'PENDING', 'PROCESSING'] as const;
export const completedStatus = 'COMPLETED';

export const listAiTasksByScheduleIdRequest = z.strictObject({ scheduleId: z.string().min(1) });

const anyText = incidental(z.string());

export const aiTask = z.looseObject({
  taskId: textual,
  scheduleId: incidental(textual),
  type: incidental(z.string()),
  status: textual,
  model: incidental(z.string()),
  params: z.unknown().optional(),
  result: incidental(z.looseObject({ url: anyText, resultUrl: anyText, thumbnailUrl: anyText })),
  customResult: incidental(z.looseObject({ videoUrl: anyText, coverUrl: anyText })),
  resultUrl: anyText,
  createdAt: anyText,
});

export const listAiTasksByScheduleIdResponse = z.looseObject({ list: listOf(aiTask), ...pageInfo });

export type CreateAiGenerationSchedule = z.infer<typeof createAiGenerationScheduleRequest>;
export type AiGenerationSchedule = z.infer<typeof createAiGenerationScheduleResponse>;
export type AiTask = z.infer<typeof aiTask>;
