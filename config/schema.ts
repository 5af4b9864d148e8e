/**
 * The schema of the settings file. Every field is optional; an unknown field is an error. `docs/settings.md` explains each.
 */

import { z } from 'zod';
import { approveRules, leadRule, readLead } from '../src/manifest/campaign-options.ts';
import { ofSteps, stepFacts } from '../src/manifest/steps.ts';
import { serviceCodes } from '../src/service/contract/codes.ts';
import { imageModels, videoModels } from '../src/service/contract/generation.ts';
import { operationTemplates } from '../src/service/contract/templates.ts';
import { isTimeZone } from '../src/service/contract/time-zone.ts';
import { cidr } from './cidr.ts';
import { notify } from './notify.ts';
import { rateLimits } from './rate-limits.ts';
import { byteSize, duration, positiveDuration } from './units.ts';

const zone = z.string().refine(isTimeZone, { error: 'must be an IANA time zone such as Asia/Shanghai' });

const lead = z.string().transform((text, context) => {
  const read = readLead(text);
  if (read !== undefined) return read;
  context.addIssue({ code: 'custom', message: `must be ${leadRule}` });
  return z.NEVER;
});

const concurrency = z.int().min(1).max(1000);

/** An object that may be left out, because all its fields have defaults. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as never);
}

const failedPost = 'FAILED';

const records = section({
  every: duration.prefault('5m'),
  settle: duration.prefault('5m'),
  window: duration.prefault('15m'),
  final: z.array(z.string().min(1)).default(['PUBLISHED', failedPost]),
  failed: z.array(z.string().min(1)).optional(),
  deadline: duration.prefault('7d'),
}).transform((given, context) => {
  const failed = given.failed ?? given.final.filter((status) => status === failedPost);
  failed.forEach((status, index) => {
    if (given.final.includes(status)) return;
    context.addIssue({
      code: 'custom',
      path: ['failed', index],
      input: status,
      message: `must be one of records.final (${given.final.join(', ')})`,
    });
  });
  return { ...given, failed };
});

/** Of larger pages, an answer might not fit into what is read of one: 4 MB. */
const mostPerPage = 1000;
/** Timers of Node hold 24 days, and fire at once beyond. */
const longestTimeoutMs = 86_400_000;

/** Where people look whether a post is there. */
const profileUrl = z
  .string()
  .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? '') && text.includes('{creator}'), {
    error: 'must be a web address with {creator}, such as https://video.example/@{creator}',
  });

export const settingsSchema = z.strictObject({
  api: section({
    confirmUpload: operationTemplates.confirmUpload.nullable().default(null),
    uploadCover: operationTemplates.uploadCover.nullable().default(null),
    searchMusic: operationTemplates.searchMusic.nullable().default(null),
    listPosts: operationTemplates.listPosts.nullable().default(null),
    pageSize: z.int().min(1).max(mostPerPage).default(100),
    timeout: positiveDuration
      .refine((ms) => ms <= longestTimeoutMs, { error: 'must be at most 1d' })
      .prefault('30s'),
    codes: serviceCodes,
  }),
  generation: section({
    on500: z.enum(['retry', 'review']).default('review'),
    failed: z.array(z.string().min(1)).default(['FAILED']),
    cancelled: z.array(z.string().min(1)).default(['CANCELLED', 'CANCELED']),
    expired: z.array(z.string().min(1)).default(['EXPIRED']),
    retries: z.int().min(0).max(10).default(0),
    poll: section({
      first: duration.prefault('5s'),
      max: duration.prefault('60s'),
      deadline: duration.prefault('45m'),
    }),
  }),
  rateLimits: rateLimits.prefault({
    default: { rate: 10, per: '1s', burst: 10 },
    createCreatorPost: { rate: 5, per: '1s', burst: 5 },
  }),
  retry: section({
    attempts: z.int().min(1).max(100).default(5),
    base: duration.prefault('1s'),
    cap: duration.prefault('60s'),
    throttledFor: duration.prefault('15m'),
  }),
  post: section({
    on500: z.enum(['retry', 'review']).default('review'),
    late: z.enum(['review', 'now', 'fail']).default('review'),
  }),
  records,
  lead: lead.nullable().default(null),
  approve: z.enum(approveRules).default('none'),
  window: z.int().min(1).max(100_000).default(1000),
  concurrency: section({
    ...ofSteps((step) => concurrency.default(stepFacts[step].atOnce)),
    scrape: concurrency.default(16),
  }),
  media: section({
    root: z.string().min(1).nullable().default(null),
    maxBytes: byteSize.prefault('4GB'),
    spool: byteSize.prefault('20GB'),
    pictures: byteSize.prefault('2GB'),
    allowPrivateAddresses: z.array(cidr).default([]),
    warnings: section({
      formats: z.array(z.enum(['HEIC', 'HEVC', 'VP9', 'AV1'])).default(['HEIC', 'HEVC']),
      landscape: z.boolean().default(true),
      shortest: duration.prefault('3s'),
      longest: duration.prefault('10m'),
      videoSide: z.int().min(0).default(360),
      pictureSide: z.int().min(0).default(0),
    }),
  }),
  manifest: section({ maxBytes: byteSize.prefault('4GB') }),
  drafts: section({ most: z.int().min(1).max(10_000).default(200) }),
  timezone: zone.nullable().default(null),
  keepFailedFlows: z.int().min(0).default(5000),
  keepEnded: duration.nullable().default(null),
  redis: section({ replicas: z.int().min(0).max(10).nullable().default(null) }),
  videos: section({
    retention: positiveDuration.prefault('400d'),
    gone: section({ after: z.int().min(1).max(100).default(3) }),
    logo: z.string().min(1).nullable().default(null),
  }),
  creators: section({ profileUrl: profileUrl.nullable().default(null) }),
  calendar: section({ collision: duration.prefault('30m') }),
  spend: section({
    maxOutputs: z.int().min(0).nullable().default(null),
    perMonth: z.int().min(0).nullable().default(null),
    currency: z
      .string()
      .regex(/^[A-Z]{3}$/, 'must be a currency such as USD')
      .default('USD'),
    prices: z.partialRecord(z.enum([...videoModels, ...imageModels]), z.number().min(0)).default({}),
  }),
  notify,
});

/** The settings as read: defaults filled in, durations in milliseconds, sizes in bytes. */
export type Settings = z.infer<typeof settingsSchema>;
