/** AI generation: `createAiGenerationSchedule` and `listAiTasksByScheduleId`. */
import { z } from 'zod';
import { incidental, listOf, listUpTo, pageInfo } from './envelope.ts';
import { label, textual } from './texts.ts';
import { isoTime } from './time-zone.ts';
import { answeredUrl, httpUri } from './uri.ts';

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
  inputReferences: z.array(httpUri).optional(),
};

const imageParams = z.strictObject({
  ...commonParams,
  model: z.enum(imageModels),
  aspectRatio: z.string().regex(aspectRatioPattern, 'must be width:height, as in 9:16'),
  watermark: z
    .boolean()
    .refine((wanted) => !wanted, 'is for videos only')
    .optional(),
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
  execAt: isoTime.optional(),
  name: z.string().min(1).optional(),
};

export const createAiGenerationScheduleRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('IMAGE_GENERATION'), params: imageParams, ...scheduleFields }),
  z.strictObject({ type: z.literal('VIDEO_GENERATION'), params: videoParams, ...scheduleFields }),
]);

/** A row asks for at most 15 outputs. A service that names more tasks names none: all tasks of the schedule count. */
const mostTasks = 100;

export const createAiGenerationScheduleResponse = z.object({
  scheduleId: textual,
  taskIds: incidental(listUpTo(mostTasks, textual)),
});

export const waitingStatuses = ['WAITING_SUBMIT', 'SUBMITTING', 'PENDING', 'PROCESSING'] as const;
export const completedStatus = 'COMPLETED';

export const listAiTasksByScheduleIdRequest = z.strictObject({ scheduleId: z.string().min(1) });

/** The URLs that lead to an asset are needed. One that is no http(s) URL reads as missing, so that another one may serve. */
const url = incidental(answeredUrl);

const aiTask = z.object({
  taskId: textual,
  scheduleId: incidental(textual),
  type: incidental(label),
  status: textual,
  model: incidental(label),
  result: incidental(z.object({ url, resultUrl: url, thumbnailUrl: url })),
  customResult: incidental(z.object({ videoUrl: url, coverUrl: url })),
  resultUrl: url,
  createdAt: incidental(label),
});

export const listAiTasksByScheduleIdResponse = z.object({ list: listOf(aiTask), ...pageInfo });

/** An AI generation to create (contract, section 4.2). */
export type CreateAiGenerationSchedule = z.infer<typeof createAiGenerationScheduleRequest>;
export type AiGenerationSchedule = z.infer<typeof createAiGenerationScheduleResponse>;
/** A task of a generation, with its result (contract, section 4.3). */
export type AiTask = z.infer<typeof aiTask>;
/** The tasks of a generation. The operation has no pages: if `total` is more, nothing shows the rest. */
export type AiTaskPage = z.infer<typeof listAiTasksByScheduleIdResponse>;
