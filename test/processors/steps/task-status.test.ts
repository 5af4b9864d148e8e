import { describe, expect, it } from 'vitest';
import { assetUrl, readProgress } from '../../../src/processors/steps/assets.ts';
import { pollInterval } from '../../../src/processors/steps/poll.ts';
import type { AiTask } from '../../../src/service/contract/generation.ts';
import { testClient } from '../../support/client.ts';
import { testSandbox } from '../../support/sandbox.ts';

const names = { failed: ['FAILED'], cancelled: ['CANCELLED'], expired: ['EXPIRED'] };
const generation = { scheduleId: 's', taskIds: ['a', 'b'], outputs: 2, since: 0 };

function task(taskId: string, status: string, url?: string): AiTask {
  return { taskId, status, ...(url === undefined ? {} : { result: { url } }) } as AiTask;
}

function progressOf(...tasks: readonly AiTask[]) {
  return readProgress(tasks, generation, 'IMAGE_GENERATION', names);
}

describe('readProgress', () => {
  it('is terminal when every requested task is', () => {
    expect(progressOf(task('a', 'COMPLETED', 'u1'), task('b', 'COMPLETED', 'u2'))).toMatchObject({
      terminal: true,
      urls: ['u1', 'u2'],
      ended: undefined,
    });
  });

  it.for(['WAITING_SUBMIT', 'SUBMITTING', 'PENDING', 'PROCESSING', 'NEVER_SEEN'])(
    'waits while a task is %s',
    (status) => {
      expect(progressOf(task('a', 'COMPLETED', 'u1'), task('b', status))).toMatchObject({
        terminal: false,
        ended: undefined,
      });
    },
  );

  it('waits for a task that is missing from the list, and for an empty list', () => {
    expect(progressOf(task('a', 'COMPLETED', 'u1')).terminal).toBe(false);
    expect(progressOf().terminal).toBe(false);
  });

  it('has the thumbnail of each result, else the cover of a video', () => {
    const tasks = [
      {
        ...task('a', 'COMPLETED'),
        result: { url: 'u1', thumbnailUrl: 't1' },
        customResult: { coverUrl: 'c1' },
      },
      { ...task('b', 'COMPLETED'), customResult: { videoUrl: 'u2', coverUrl: 'c2' } },
    ];
    const { urls, thumbnails } = readProgress(tasks, generation, 'VIDEO_GENERATION', names);
    expect({ urls, thumbnails }).toEqual({ urls: ['u1', 'u2'], thumbnails: ['t1', 'c2'] });
  });

  it('waits for a URL that is not shown yet', () => {
    expect(progressOf(task('a', 'COMPLETED', 'u1'), task('b', 'COMPLETED')).terminal).toBe(false);
  });

  it.for([
    ['FAILED', 'generation_failed'],
    ['CANCELLED', 'generation_cancelled'],
    ['EXPIRED', 'generation_expired'],
  ] as const)('keeps what is there when another task is %s', ([status, code]) => {
    expect(progressOf(task('a', status), task('b', 'COMPLETED', 'u2'))).toMatchObject({
      terminal: true,
      urls: ['u2'],
      ended: { code, status },
    });
  });

  it('takes the order of the tasks, not of the list, and passes over tasks of others', () => {
    const { urls, terminal } = progressOf(
      task('x', 'FAILED'),
      task('b', 'COMPLETED', 'u2'),
      task('a', 'COMPLETED', 'u1'),
    );
    expect({ urls, terminal }).toEqual({ urls: ['u1', 'u2'], terminal: true });
  });

  it('counts outputs where the service named no tasks', () => {
    const unnamed = { ...generation, taskIds: [] };
    const one = [task('a', 'COMPLETED', 'u1')];
    expect(readProgress(one, unnamed, 'IMAGE_GENERATION', names).terminal).toBe(false);
    expect(
      readProgress([...one, task('b', 'COMPLETED', 'u2')], unnamed, 'IMAGE_GENERATION', names).terminal,
    ).toBe(true);
  });
});

describe('assetUrl', () => {
  const full = {
    taskId: 'a',
    status: 'COMPLETED',
    result: { url: 'plain' },
    customResult: { videoUrl: 'custom' },
    resultUrl: 'other',
  } as AiTask;

  it('prefers the custom result of a video, and the plain one of an image', () => {
    expect(assetUrl(full, 'VIDEO_GENERATION')).toBe('custom');
    expect(assetUrl(full, 'IMAGE_GENERATION')).toBe('plain');
  });

  it('falls back to what there is', () => {
    const { result, customResult, ...rest } = full;
    expect(assetUrl({ ...rest, result } as AiTask, 'VIDEO_GENERATION')).toBe('plain');
    expect(assetUrl(rest as AiTask, 'IMAGE_GENERATION')).toBe('other');
    const named = { ...rest, result: { resultUrl: 'inner' } } as AiTask;
    expect(assetUrl(named, 'IMAGE_GENERATION')).toBe('inner');
    expect(assetUrl(named, 'VIDEO_GENERATION')).toBe('inner');
  });
});

describe('the assets of the sandbox, whose answers take turns', () => {
  const common = { prompt: 'a lamp' };
  const video = { ...common, model: 'veo3.1-extend', seconds: 8, size: '720x1280' } as const;
  const image = { ...common, model: 'gpt-image-2', aspectRatio: '9:16' } as const;

  it.each([
    { type: 'VIDEO_GENERATION', params: video, nums: 10 } as const,
    { type: 'IMAGE_GENERATION', params: image, nums: 10 } as const,
  ])('are read from the right URL: $type', async (request) => {
    await using sandbox = await testSandbox();
    const client = testClient(sandbox.url, { apiKey: sandbox.apiKey });
    const { scheduleId, taskIds = [] } = await client.generations.create(request);
    sandbox.clock.advance(3_600_000);
    const record = { scheduleId, taskIds, outputs: 10, since: 0 };
    const { urls } = readProgress(
      (await client.generations.list(scheduleId)).list,
      record,
      request.type,
      names,
    );
    const files = await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    expect(files.map((file) => file.includes('wrong asset'))).toEqual(Array(10).fill(false));
  });
});

describe('pollInterval', () => {
  it('grows by half each time, up to the longest', () => {
    const intervals = [1, 2, 3, 10, 1000].map((polls) => pollInterval(polls, { first: 100, max: 1000 }));
    expect(intervals).toEqual([100, 150, 225, 1000, 1000]);
  });
});
