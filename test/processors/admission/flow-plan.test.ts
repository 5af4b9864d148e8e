import { describe, expect, it } from 'vitest';
import { generationToCreate, planFlow } from '../../../src/processors/admission/flow-plan.ts';
import { filesAt, images, known, photosOf, video, videoOf } from '../../support/sheets/row-values.ts';

const schedule = (outputs = 1) => ({ scheduleId: 's', taskIds: [], outputs, since: 0 });
const generated = (generation: typeof video | typeof images) => videoOf({ media: [], generation });

describe('the flow of given media', () => {
  it('uploads every file', () => {
    const { uploads, generation } = planFlow(photosOf(2), known({}));
    expect(uploads).toEqual([
      { of: 'media', i: 0 },
      { of: 'media', i: 1 },
    ]);
    expect(generation).toBeUndefined();
  });

  it('leaves out what is uploaded', () => {
    expect(planFlow(photosOf(3), known({ files: filesAt(0, 2) })).uploads).toEqual([{ of: 'media', i: 1 }]);
  });

  it('uploads a cover file once', () => {
    const row = videoOf({ cover: { kind: 'file', source: 'c.png' } });
    expect(planFlow(row, known({})).uploads).toContainEqual({ of: 'cover', i: 0 });
    expect(planFlow(row, known({ cover: { fileId: '9', uri: 'u' } })).uploads).toEqual([
      { of: 'media', i: 0 },
    ]);
  });
});

describe('the flow of generated media', () => {
  it('creates the generation, after its local references', () => {
    const row = generated({ ...video, references: ['https://a.example/1', 'b.png'] });
    expect(planFlow(row, known({}))).toEqual({ uploads: [], generation: { create: 1, references: [1] } });
  });

  it('leaves out references that are uploaded', () => {
    const row = generated({ ...video, references: ['a.png', 'b.png'] });
    const { generation } = planFlow(row, known({ references: new Map([[0, 'https://a.example/a']]) }));
    expect(generation).toEqual({ create: 1, references: [1] });
  });

  it('uploads a reference again whose URL is signed, for a later generation: it may have expired', () => {
    const row = generated({ ...video, references: ['a.png', 'b.png'] });
    const references = new Map([
      [0, 'https://a.example/a?expires=1&token=x'],
      [1, 'https://a.example/b'],
    ]);
    expect(planFlow(row, known({ references })).generation).toEqual({ create: 1, references: [0] });
  });

  it('only polls a generation that is there', () => {
    const progress = known({ generations: new Map([[1, schedule()]]) });
    expect(planFlow(generated(video), progress)).toEqual({
      uploads: [],
      generation: { create: undefined, references: [] },
    });
  });

  it('uploads the assets that are not uploaded yet once all are there', () => {
    const progress = known({
      assets: ['u1', 'u2', 'u3'],
      files: filesAt(1),
      generations: new Map([[1, schedule(3)]]),
    });
    expect(planFlow(generated(images), progress)).toEqual({
      uploads: [
        { of: 'asset', i: 0 },
        { of: 'asset', i: 2 },
      ],
      generation: undefined,
    });
  });
});

describe('the generation to create next', () => {
  it.for([
    ['the first', {}, 1],
    ['none while the newest may still come', { generations: new Map([[1, schedule()]]) }, undefined],
    ['the next, after an explicit end', { generations: new Map([[1, schedule()]]), generationEnded: 1 }, 2],
    [
      'none while the one after an explicit end may still come',
      {
        generations: new Map([
          [1, schedule()],
          [2, schedule()],
        ]),
        generationEnded: 1,
      },
      undefined,
    ],
  ] as const)('is %s', ([, progress, expected]) => {
    expect(generationToCreate(known(progress))).toBe(expected);
  });
});
