import { expect, it } from 'vitest';
import { changeOptions } from '../../../src/app/drafts/settings.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { openTestDraft } from './test-draft.ts';

it('options are answered with their own version, so that a start notices later changes', async () => {
  const { drafts, id, look, runtime } = await openTestDraft([videoRow('a')]);
  const { version } = (await look()).draft;
  const usual = drafts.look.bind(drafts);
  drafts.look = async (...asked) => {
    await changeOptions(runtime, id, { by: 'bob', version: undefined }, { name: 'Another' });
    return usual(...asked);
  };
  const { draft } = await drafts.choose(id, { by: 'ann', version }, { canary: 1 });
  expect(draft).toMatchObject({ version: version + 1, options: { canary: 1 } });
  await expect(drafts.start(id, { by: 'ann', version: draft.version, rows: 1 })).rejects.toMatchObject({
    code: 'draft_changed',
    message: 'the draft has since been changed by bob: the options',
  });
});
