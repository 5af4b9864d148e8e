import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Generation } from '../../../src/manifest/row.ts';
import {
  generationRequest,
  generationTaskId,
  referenceUrls,
} from '../../../src/processors/steps/generate.ts';
import { createAiGenerationScheduleRequest } from '../../../src/service/contract/generation.ts';
import { images, known, video } from '../../support/sheets/row-values.ts';

function requestOf(generation: Generation, references: readonly string[] = [], outputs = generation.count) {
  const request = generationRequest(generation, { taskId: 'abcd1234', outputs, references });
  expect(createAiGenerationScheduleRequest.safeParse(request).error).toBeUndefined();
  return request;
}

describe('the task id of a generation', () => {
  it('is eight lowercase letters and digits, the same for the same generation', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(), fc.nat(), (campaign, row, generation) => {
        const id = generationTaskId(campaign, row, generation);
        expect(id).toMatch(/^[a-z0-9]{8}$/);
        expect(generationTaskId(campaign, row, generation)).toBe(id);
      }),
    );
  });

  it('is another for another row and for another generation', () => {
    const ids = [
      generationTaskId('c1', 0, 1),
      generationTaskId('c1', 1, 1),
      generationTaskId('c1', 0, 2),
      generationTaskId('c2', 0, 1),
    ];
    expect(new Set(ids).size).toBe(4);
  });
});

describe('the request of a generation', () => {
  it('of a video carries seconds and size', () => {
    expect(requestOf(video)).toEqual({
      taskId: 'abcd1234',
      type: 'VIDEO_GENERATION',
      nums: 1,
      params: { prompt: 'A video', model: 'seedance2.0', seconds: 8, size: '720x1280' },
    });
  });

  it('of images asks for the outputs that are missing', () => {
    expect(requestOf(images, [], 2)).toEqual({
      taskId: 'abcd1234',
      type: 'IMAGE_GENERATION',
      nums: 2,
      params: { prompt: 'Images', model: 'gpt-image-2', aspectRatio: '9:16' },
    });
  });

  it.for([
    ['one of a video', video, ['https://a.example/1'], { inputReference: 'https://a.example/1' }],
    ['one of images', images, ['https://a.example/1'], { inputReferences: ['https://a.example/1'] }],
    [
      'several of a video',
      video,
      ['https://a.example/1', 'https://a.example/2'],
      { inputReferences: ['https://a.example/1', 'https://a.example/2'] },
    ],
  ] as const)('puts references, %s, where they belong', ([, generation, references, params]) => {
    expect(requestOf(generation, references).params).toMatchObject(params);
  });

  it('carries what else the row says', () => {
    const generation = {
      ...video,
      execAt: Date.UTC(2036, 0, 1),
      promptId: 'pr',
      name: 'n',
      businessId: 'b',
      businessType: 'MERCHANT_SKU' as const,
      watermark: true,
    };
    expect(requestOf(generation)).toMatchObject({
      execAt: '2036-01-01T00:00:00.000Z',
      promptId: 'pr',
      name: 'n',
      businessId: 'b',
      businessType: 'MERCHANT_SKU',
      params: { watermark: true },
    });
  });
});

describe('the references of a generation', () => {
  const generation = { ...video, references: ['https://a.example/1', 'local.png'] };

  it('are known once the local ones are uploaded, in order', () => {
    const references = new Map([[1, 'https://b.example/2']]);
    expect(referenceUrls(generation, known({ references }))).toEqual([
      'https://a.example/1',
      'https://b.example/2',
    ]);
  });

  it('are not known while a local one is missing', () => {
    expect(referenceUrls(generation, known({}))).toBeUndefined();
  });
});
