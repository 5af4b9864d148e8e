/** What is told of a draft while the check of its last change is still to come. */
import { describe, expect, it } from 'vitest';
import { holdChecks } from '../../support/console/held-checks.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

const withoutCreator = () => {
  const { creator, ...row } = videoRow('a');
  return { ...row, Wer: creator ?? '' };
};

describe('what the last check found', () => {
  it('is not told of columns that have been chosen since', async () => {
    const draft = await openTestDraft([withoutCreator()]);
    const { drafts, id, look } = draft;
    const { version } = (await look()).draft;
    const letGo = await holdChecks(draft);
    const saved = await drafts.read(id, { by: 'ann', version }, { map: { Wer: 'creator' } });
    expect(saved).toMatchObject({ state: 'checking', checked: undefined });
    await letGo();
    expect((await look()).checked).toMatchObject({ accepted: 1, blocking: [] });
  });

  it('is not told of a column that has been added since', async () => {
    const { creator: _none, ...row } = videoRow('a');
    const draft = await openTestDraft([row]);
    const { drafts, id, look } = draft;
    const { draft: seen, checked } = await look();
    const addColumns = {
      at: checked?.columns.length ?? 0,
      columns: [{ name: 'creator' as const, text: 'demo_anna' }],
    };
    const letGo = await holdChecks(draft);
    const edited = await drafts.edit(
      id,
      { by: 'ann', version: seen.version },
      { addColumns },
      'added a column',
    );
    expect(edited).toMatchObject({ state: 'checking', checked: undefined });
    await letGo();
    expect((await look()).checked).toMatchObject({ accepted: 1, blocking: [] });
  });

  it('stays while files come, and is told to be of before them', async () => {
    const draft = await openTestDraft([videoRow('a', { media: 'late.mp4' })]);
    const { drafts, id, look, store } = draft;
    expect(await look()).toMatchObject({ isBehind: false });
    const letGo = await holdChecks(draft);
    await store('more.mp4');
    expect(await drafts.look(id)).toMatchObject({ state: 'checked', isBehind: true, checked: { rows: 1 } });
    await letGo();
    expect(await look()).toMatchObject({ isBehind: false });
  });
});
