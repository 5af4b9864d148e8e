import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../support/agreement.ts';
import { openScene, playOnce } from '../support/processes/scene.ts';
import { aiPhotoRow, aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import type { Cells } from '../support/sheets/sheet.ts';
import { importOrUpdate, refused } from './edited-sheet.ts';

describe('a results sheet that was edited', () => {
  const played = playOnce(async (owner) => {
    const scene = await openScene(owner, { settings: { post: { on500: 'review' } } });
    const { faults } = scene.sandbox;
    const failsOnce = (title: string, status: number) =>
      faults.add({ kind: 'status', status, operation: 'createCreatorPost', match: { title } });
    failsOnce('Caption redone', 422);
    failsOnce('Caption made', 422);
    failsOnce('Caption other-prompt', 422);
    failsOnce('Caption doubtful', 503);
    const rows = [
      videoRow('posted'),
      videoRow('edited', { product_id: refused }),
      videoRow('redone'),
      videoRow('doubtful'),
      aiPhotoRow('made', 2),
      aiVideoRow('other-prompt'),
    ];
    expect((await scene.run(['run', scene.manifest(rows)])).code).toBe(3);
    const before = scene.sandbox.effects();
    const uploadsBefore = scene.sandbox.calls('createFileUpload').length;
    const edit = (sheet: readonly Cells[]) => [
      ...sheet.map((row) => {
        if (row.key === 'posted') return { ...row, caption: 'Never sent' };
        if (row.key === 'edited') return { ...row, product_id: 'p-available' };
        if (row.key === 'made') return { ...row, caption: 'Caption made anew' };
        if (row.key === 'other-prompt') return { ...row, ai_prompt: 'Another video' };
        return row;
      }),
      videoRow('added', { creator: 'demo_ben' }),
    ];
    const planned = await importOrUpdate(scene, edit, ['--dry-run']);
    const edited = await importOrUpdate(scene, edit);
    return { scene, before, uploadsBefore, planned, edited: edited };
  });

  it('goes into its campaign by key, and the plan says what becomes of each row', () => {
    const { edited } = played();
    expect(edited.document).toMatchObject({
      id: 'c1',
      rows: 7,
      counts: { posted: 6, review: 1 },
      matches: { new: 1, changed: 3, redone: 1, posted: 1, review: 1, edited: 1 },
      matchedKeys: { new: ['added'], redone: ['redone'], edited: ['posted'] },
    });
    expect(edited.code).toBe(3);
  });

  it('does again what failed or has changed, and leaves alone what was posted or is of unknown outcome', () => {
    const { scene } = played();
    const results = scene.results();
    const { rows } = results;
    expect(rows.map(({ key, status }) => `${key} ${status}`)).toEqual([
      'posted posted',
      'edited posted',
      'redone posted',
      'doubtful review',
      'made posted',
      'other-prompt posted',
      'added posted',
    ]);
    expect(scene.sandbox.effects().posts.map(({ title }) => title)).not.toContain('Never sent');
    // Her sheet keeps her text, and a note says that it was ignored.
    expect(rows[0]).toMatchObject({ caption: 'Never sent', note: expect.stringContaining('Caption posted') });
    const posted = rows.map((row) => (row.key === 'posted' ? { ...row, caption: 'Caption posted' } : row));
    expectAgreement(scene.sandbox, { ...results, rows: posted });
  });

  it('does not make a generation again whose inputs are the same', () => {
    const { scene, before } = played();
    const prompts = scene.sandbox.effects().generations.map(({ request }) => request.params.prompt);
    expect(prompts.slice(before.generations.length)).toEqual(['Another video']);
    expect(new Set(scene.sandbox.effects().generations.map(({ request }) => request.taskId)).size).toBe(3);
  });

  it('plans only the outputs that are made', () => {
    expect(played().planned.document).toMatchObject({
      plan: { aiOutputs: { total: 1, byModel: { 'seedance2.0': 1 } } },
    });
  });

  it('uploads nothing again that is known', () => {
    const { scene, uploadsBefore } = played();
    // The video of the other prompt, the file of the new row, and that of the row that was refused before its upload.
    expect(scene.sandbox.calls('createFileUpload').length - uploadsBefore).toBe(3);
  });
});
