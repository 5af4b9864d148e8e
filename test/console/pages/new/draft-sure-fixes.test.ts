import { expect, it, onTestFinished, vi } from 'vitest';
import { setAlias } from '../../../../src/app/drafts/aliases.ts';
import { OpenDraft } from '../../../../src/app/drafts/open-draft.ts';
import { cellsOf, good, lost, openDraft, product } from '../../../support/console/draft-page.ts';
import { videoRow } from '../../../support/sheets/rows.ts';

it('takes all sure fixes as they were shown, and no others', async () => {
  const rows = ['a', 'b', 'c'].map((key) => videoRow(key, lost));
  const { checked, send, ...testDraft } = await openDraft([...rows, videoRow('d', good)]);
  const { html, text } = await checked();
  expect(text).toContain('3 sure fixes in lines 2, 3 and 4: 3 product ids.');
  const use = /name="use" value="(sure\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const other = await send('take', { group: '', use: `sure.${'0'.repeat(16)}` });
  expect(other.text).toContain(
    'Nothing was changed: the rows have changed, so this suggestion no longer fits.',
  );
  const taken = await send('take', { group: '', use });
  expect(taken.text).toContain('3 rows edited. No problems left. Lines 2, 3 and 4.');
  expect(await cellsOf(testDraft, 2)).toContain(product);
});

it('says what the sure fixes are, takes what becomes sure by them, and undoes all of it at once', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'Ben H.', product_id: 'Sample product 1729440002' }),
    videoRow('b', good),
    videoRow('c', lost),
  ]);
  await setAlias(draft.runtime, { kind: 'creator', name: 'Ben H.', means: 'demo_ben', by: 'ann' });
  const { html, text } = await draft.checked();
  expect(text).toContain('2 sure fixes in lines 2 and 4: 1 creator, 1 product id.');
  const use = /name="use" value="(sure\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const taken = await draft.send('take', { group: '', use });
  expect(taken.text).toContain('2 rows edited. No problems left. Lines 2 and 4.');
  expect(await cellsOf(draft, 1)).toContain('1729440002');
  await draft.send('undo');
  expect(await cellsOf(draft, 1)).toEqual(expect.arrayContaining(['Ben H.', 'Sample product 1729440002']));
});

it('takes nothing further once another person has edited, whose undo would take it back', async () => {
  const draft = await openDraft([
    videoRow('a', { creator: 'Ben H.', product_id: 'Sample product 1729440002' }),
    videoRow('b', good),
  ]);
  await setAlias(draft.runtime, { kind: 'creator', name: 'Ben H.', means: 'demo_ben', by: 'ann' });
  const { html } = await draft.checked();
  const { edit } = OpenDraft.prototype;
  const mocked = vi.spyOn(OpenDraft.prototype, 'edit');
  onTestFinished(() => mocked.mockRestore());
  mocked.mockImplementationOnce(async function (this: OpenDraft, ...given) {
    const made = await edit.apply(this, given);
    const cells = [{ row: 2, position: 2, text: 'By Ben' }];
    await edit.call(this, { by: 'ben', version: undefined }, { cells }, 'edited cells');
    return made;
  });
  const use = /name="use" value="(sure\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  expect((await draft.send('take', { group: '', use })).text).toContain('1 row edited. 1 row left to fix.');
  expect(await cellsOf(draft, 1)).toEqual(expect.arrayContaining(['demo_ben', 'Sample product 1729440002']));
  await draft.send('undo');
  expect(await cellsOf(draft, 2)).toContain('Caption b');
  expect(await cellsOf(draft, 1)).toContain('demo_ben');
});

it('adds the column of the music ids that the service has for titles, with all other sure fixes', async () => {
  const rows = ['Calm Sunday', 'Midnight Morning – Lantern Trio', '', 'Calm Sunday', 'Sun'].map((title, at) =>
    videoRow(String(at), { music_title: title }),
  );
  const draft = await openDraft(rows);
  const { html, text } = await draft.checked();
  expect(text).toContain('3 sure fixes in lines 2, 3 and 5: 3 music ids.');
  expect(text).not.toContain('Use it in 4 rows');
  const pick = await draft.pages.get(`${draft.path}/pick/music?row=1`);
  expect(pick.html).toContain('name="q" value="Calm Sunday"');
  expect(pick.text).toContain('In all 2 rows that say Calm Sunday');
  const use = /name="use" value="(sure\.[0-9a-f]{16})"/.exec(html)?.[1] ?? '';
  const taken = await draft.send('take', { group: '', use });
  expect(taken.text).toContain('3 rows edited. 1 row left to fix.');
  expect((await cellsOf(draft, 1))?.at(-1)).toBe('music_7010');
  expect((await cellsOf(draft, 2))?.at(-1)).toBe('music_7025');
  expect((await cellsOf(draft, 3))?.at(-1)).toBe('');
});
