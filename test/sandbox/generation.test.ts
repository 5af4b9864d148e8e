import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { callSandbox, testSandbox } from '../support/sandbox.ts';

const now = Date.UTC(2026, 5, 1);
const image = { prompt: 'a lamp', model: 'gpt-image-2', aspectRatio: '9:16' };
const video = { prompt: 'a lamp', model: 'veo3.1-extend', seconds: 8, size: '720x1280' };

interface Task {
  readonly taskId: string;
  readonly scheduleId: string;
  readonly status: string;
  readonly result?: { url: string | null; thumbnailUrl: string | null } | null;
  readonly customResult?: { videoUrl: string | null; coverUrl: string } | null;
  readonly resultUrl?: string;
}

/** The URL of the result, by the order of the contract (section 2.3). */
function resultOf({ customResult, result, resultUrl }: Task): string {
  return customResult?.videoUrl ?? result?.url ?? resultUrl ?? '';
}

/** Stands still at `now` until it is set ahead. */
function setup() {
  return testSandbox({ speed: 1, clock: { now: () => now } });
}

async function generate(sandbox: Sandbox, params: object, more: object = {}) {
  const type = 'seconds' in params ? 'VIDEO_GENERATION' : 'IMAGE_GENERATION';
  const reply = await callSandbox(sandbox, '/v1/ai/schedule/create', { type, params, nums: 1, ...more });
  return { reply, scheduleId: String(reply.data.scheduleId), taskIds: reply.data.taskIds as string[] };
}

async function tasks(sandbox: Sandbox, scheduleId: string): Promise<Task[]> {
  const { data } = await callSandbox(sandbox, `/v1/ai/task/listByScheduleId?scheduleId=${scheduleId}`);
  return data.list as Task[];
}

describe('createAiGenerationSchedule', () => {
  it('answers a schedule and as many tasks as were asked for, none of the same id', async () => {
    await using sandbox = await setup();
    const { scheduleId, taskIds } = await generate(sandbox, image, { nums: 3, taskId: 'abcd1234' });
    expect(taskIds).toHaveLength(3);
    expect(taskIds[0]).toBe('abcd1234');
    expect(new Set([...taskIds, scheduleId]).size).toBe(4);
  });

  it('makes a second generation of the same call', async () => {
    await using sandbox = await setup();
    await generate(sandbox, image, { taskId: 'abcd1234' });
    await generate(sandbox, image, { taskId: 'abcd1234' });
    expect(sandbox.effects().generations).toHaveLength(2);
  });

  it.each([
    ['params.seconds', { ...video, seconds: 6 }],
    ['params.size', { ...video, size: '720' }],
    ['params.model', { ...image, model: 'veo3.1-extend' }],
    ['params.aspectRatio', { prompt: 'x', model: 'gpt-image-2' }],
    ['params.prompt', { ...image, prompt: '' }],
    ['params.inputReference', { ...image, inputReference: 'data:image/png;base64,AAAA' }],
    [
      'params.inputReferences[1]',
      { ...image, inputReferences: ['https://a.example/x.png', 'file:///etc/passwd'] },
    ],
  ])('names the field %s when it is wrong', async (field, params) => {
    await using sandbox = await setup();
    const { reply } = await generate(sandbox, params);
    expect(reply).toMatchObject({ status: 400, data: { field } });
    expect(sandbox.effects().generations).toEqual([]);
  });
});

describe('many outputs', () => {
  it.each([
    [true, 100, 200],
    [true, 101, 400],
    [false, 101, 200],
    [false, 1e9, 400],
  ])('with strict %s, %i of them answer %i', async (strict, nums, status) => {
    await using sandbox = await testSandbox({ strict });
    expect((await generate(sandbox, image, { nums })).reply.status).toBe(status);
  });
});

describe('listAiTasksByScheduleId', () => {
  it('walks through all waiting states to the end', async () => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, image);
    const seen = [];
    for (const wait of [0, 2000, 2000, 5000, 11_000]) {
      sandbox.clock.advance(wait);
      seen.push((await tasks(sandbox, scheduleId))[0]?.status);
    }
    expect(seen).toEqual(['WAITING_SUBMIT', 'SUBMITTING', 'PENDING', 'PROCESSING', 'COMPLETED']);
  });

  it('ends the outputs of one schedule one after the other', async () => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, image, { nums: 2 });
    sandbox.clock.advance(20_000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([
      { status: 'COMPLETED' },
      { status: 'PROCESSING' },
    ]);
    sandbox.clock.advance(2000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([
      { status: 'COMPLETED' },
      { status: 'COMPLETED' },
    ]);
  });

  it('waits for execAt', async () => {
    await using sandbox = await setup();
    const execAt = new Date(now + 3_600_000).toISOString();
    const { scheduleId } = await generate(sandbox, image, { execAt });
    sandbox.clock.advance(3_600_000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([{ status: 'WAITING_SUBMIT' }]);
    sandbox.clock.advance(20_000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it.each(['20260601T010000Z', '2026-06-01T09:00+0800'])('waits for execAt %s', async (execAt) => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, image, { execAt });
    sandbox.clock.advance(3_600_000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([{ status: 'WAITING_SUBMIT' }]);
    sandbox.clock.advance(20_000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('goes faster by the given speed', async () => {
    await using sandbox = await testSandbox({ speed: 20, clock: { now: () => now } });
    const { scheduleId } = await generate(sandbox, image);
    sandbox.clock.advance(1000);
    expect(await tasks(sandbox, scheduleId)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it.each([
    ['[fail]', 'FAILED'],
    ['[cancel]', 'CANCELLED'],
    ['[expire]', 'EXPIRED'],
    ['[stuck]', 'PROCESSING'],
    ['[unknown]', 'ARCHIVED'],
  ])('ends a prompt with %s as %s, without assets', async (word, status) => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, { ...image, prompt: `a lamp ${word}` });
    sandbox.clock.advance(3_600_000);
    const [task] = await tasks(sandbox, scheduleId);
    expect(task?.status).toBe(status);
    expect(task?.result).toBeNull();
  });

  it('fails only the output that the prompt names', async () => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, { ...image, prompt: 'x [fail:2]' }, { nums: 3 });
    sandbox.clock.advance(3_600_000);
    const statuses = (await tasks(sandbox, scheduleId)).map((task) => task.status);
    expect(statuses).toEqual(['COMPLETED', 'FAILED', 'COMPLETED']);
  });

  it('fails once, and succeeds when it is repeated', async () => {
    await using sandbox = await setup();
    const first = await generate(sandbox, { ...image, prompt: 'x [fail once]' });
    const second = await generate(sandbox, { ...image, prompt: 'x [fail once]' });
    sandbox.clock.advance(3_600_000);
    expect(await tasks(sandbox, first.scheduleId)).toMatchObject([{ status: 'FAILED' }]);
    expect(await tasks(sandbox, second.scheduleId)).toMatchObject([{ status: 'COMPLETED' }]);
  });

  it('names the field when the schedule is unknown or missing', async () => {
    await using sandbox = await setup();
    for (const query of ['?scheduleId=sch_none', '']) {
      const reply = await callSandbox(sandbox, `/v1/ai/task/listByScheduleId${query}`);
      expect(reply).toMatchObject({ status: 400, data: { field: 'scheduleId' } });
    }
  });
});

describe('the URLs of a task', () => {
  /** Five tasks of one schedule: as many as there are turns. */
  async function ended(sandbox: Sandbox, params: object): Promise<Task[]> {
    const { scheduleId } = await generate(sandbox, params, { nums: 5 });
    expect(await tasks(sandbox, scheduleId)).toMatchObject(Array(5).fill({ result: null }));
    sandbox.clock.advance(3_600_000);
    return tasks(sandbox, scheduleId);
  }

  /** What a client that goes by one URL only makes of each task: its result, another file, or nothing. */
  async function readBy(list: readonly Task[], choose: (task: Task) => string | null | undefined) {
    const found = list.map(async (task) => {
      const url = choose(task);
      if (!url) return 'nothing';
      const answer = await fetch(url);
      expect(answer.status).toBe(200);
      return (await answer.text()).includes('wrong asset') ? 'another file' : 'result';
    });
    return [...new Set(await Promise.all(found))].sort();
  }

  it.each([
    ['video', video],
    ['image', image],
  ])('lead to the result of each %s by the order of the contract', async (_, params) => {
    await using sandbox = await setup();
    expect(await readBy(await ended(sandbox, params), resultOf)).toEqual(['result']);
  });

  it.each<[string, object, (task: Task) => string | null | undefined]>([
    ['customResult.videoUrl of videos', video, (task) => task.customResult?.videoUrl],
    ['result.url of videos', video, (task) => task.result?.url],
    ['thumbnailUrl of videos', video, (task) => task.result?.thumbnailUrl],
    ['result.url of images', image, (task) => task.result?.url],
    ['resultUrl of images', image, (task) => task.resultUrl],
    ['resultUrl of images, else result.url', image, (task) => task.resultUrl ?? task.result?.url],
    ['thumbnailUrl of images', image, (task) => task.result?.thumbnailUrl],
  ])('mislead a client that reads only %s', async (_, params, choose) => {
    await using sandbox = await setup();
    expect(await readBy(await ended(sandbox, params), choose)).not.toEqual(['result']);
  });

  it('are the same each time', async () => {
    await using sandbox = await setup();
    const [first, second] = await ended(sandbox, video);
    expect(await tasks(sandbox, first?.scheduleId ?? '')).toMatchObject([first, second, {}, {}, {}]);
  });
});

describe('generated assets', () => {
  async function finished(sandbox: Sandbox, params: object): Promise<Task> {
    const { scheduleId } = await generate(sandbox, params);
    sandbox.clock.advance(3_600_000);
    const [task] = await tasks(sandbox, scheduleId);
    if (!task) throw new Error('no task');
    return task;
  }

  it('are PNG images of the ratio that was asked for', async () => {
    await using sandbox = await setup();
    const task = await finished(sandbox, image);
    const answer = await fetch(resultOf(task));
    const png = Buffer.from(await answer.arrayBuffer());
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(width / height).toBeCloseTo(9 / 16);
    const at = png.indexOf('IDAT');
    const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
    expect(rows).toHaveLength(height * (1 + 3 * width));
    // A gradient between two colours of chance, which may be close: more than a filter byte and the three channels of one colour.
    expect(new Set(rows).size).toBeGreaterThan(4);
  });

  it('are MP4 videos, no two of the same bytes', async () => {
    await using sandbox = await setup();
    const urls = [];
    for (const _ of [1, 2]) urls.push(resultOf(await finished(sandbox, video)));
    const [first, second] = await Promise.all(
      urls.map(async (url) => Buffer.from(await (await fetch(url)).arrayBuffer())),
    );
    expect(first?.toString('latin1', 4, 8)).toBe('ftyp');
    expect(first).not.toEqual(second);
  });

  it('are not there before the generation has ended', async () => {
    await using sandbox = await setup();
    const { scheduleId } = await generate(sandbox, image);
    expect((await fetch(`${sandbox.url}/assets/${scheduleId}/0.png`)).status).toBe(404);
    expect((await fetch(`${sandbox.url}/assets/${scheduleId}/0.thumbnail.png`)).status).toBe(404);
  });
});
