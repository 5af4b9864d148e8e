import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findDraft } from '../../src/drafts/drafts.ts';
import { draftFiles } from '../../src/drafts/folder.ts';
import { changeOptions } from '../../src/drafts/settings.ts';
import { videoRow } from '../support/sheets/rows.ts';
import { openDesk } from './desk.ts';

it('options are answered with their own version, so that a start notices later changes', async () => {
  const { desk, id, look, runtime } = await openDesk([videoRow('a')]);
  const { version } = (await look()).draft;
  const usual = desk.look.bind(desk);
  desk.look = async (...asked) => {
    await changeOptions(runtime, id, { by: 'bob', version: undefined }, { name: 'Another' });
    return usual(...asked);
  };
  const { draft } = await desk.choose(id, { by: 'ann', version }, { canary: 1 });
  expect(draft).toMatchObject({ version: version + 1, options: { canary: 1 } });
  await expect(desk.start(id, { by: 'ann', version: draft.version, rows: 1 })).rejects.toMatchObject({
    code: 'draft_changed',
    message: 'the draft was changed by bob meanwhile: the options',
  });
});

it('a share of 100 percent, which earlier versions took, is read as none', async () => {
  const { id, runtime } = await openDesk([videoRow('a')]);
  const draft = await findDraft(runtime, id);
  const stored = { ...draft, options: { stopAfter: 100, canary: 1 } };
  writeFileSync(draftFiles(runtime, id).draft, JSON.stringify(stored));
  expect((await findDraft(runtime, id)).options).toEqual({ canary: 1 });
});
