import { expect, it } from 'vitest';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft } from '../test-draft.ts';

it('for a missing file, uploaded ones that no row uses are offered, the nearest first', async () => {
  const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('serum launch 3.mp4', 'toner.mp4', 'serum-teaser.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'serum launch 12.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(found.map(({ edits, confidence }) => [confidence, edits[0]?.text])).toEqual([
    [undefined, 'serum launch 3.mp4'],
    [undefined, 'serum-teaser.mp4'],
  ]);
});

it('the one file that is left is doubtful for a missing file of another name', async () => {
  const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('anna_mug_03.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'kira_kettle_03.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  expect(await drafts.suggestions(id, group)).toMatchObject([{ doubt: 'of another name' }]);
});

it('a file with other initials is none for a missing file with the same number', async () => {
  const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('MG_03_tutorial.mp4', 'LM_03_torta.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'LM_03_arrosto.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['LM_03_torta.mp4']);
});

it('an unused file that is named after the creator of the row comes alone', async () => {
  const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('ben serum 3.mp4', 'Ánna_reel.mp4', 'anna_2.mp4');
  const cells = [
    { row: 1, position, text: 'video final' },
    { row: 2, position, text: 'anna_2' },
  ];
  const { checked: after } = await edit({ cells });
  const [group] = after?.groups.filter(({ code }) => code === 'media_kind_unknown') ?? [];
  const found = await drafts.suggestions(id, group?.id ?? '');
  expect(found.map(({ edits }) => edits.map(({ row, text }) => [row, text]))).toEqual([
    [[2, 'anna_2.mp4']],
    [[1, 'Ánna_reel.mp4']],
  ]);
});

it('for a file named after another creator, only an unused one of the row’s own is offered', async () => {
  const names = ['anna', 'carla', 'elena', 'anna', 'carla', 'elena', 'anna', 'carla'];
  const rows = names.map((name, at) =>
    videoRow(`k${at}`, { creator: `demo_${name}`, media: `${at}_${name}.mp4` }),
  );
  const { drafts, id, store, look } = await openTestDraft([
    ...rows,
    videoRow('z', { creator: 'demo_anna', media: '8_elena.mp4' }),
  ]);
  await store('9_elena.mp4', '8_anna.mp4');
  const group = (await look()).checked?.warnings.find(({ code }) => code === 'file_of_other');
  const found = await drafts.suggestions(id, group?.id ?? '');
  expect(found.map(({ edits }) => edits.map(({ row, text }) => [row, text]))).toEqual([[[9, '8_anna.mp4']]]);
});

it('a picture beside a video, which stands for it, is not offered as a file', async () => {
  const photoOf = (media: string) => ({ media, media_type: 'PHOTO' });
  const { drafts, id, edit, store, look } = await openTestDraft([
    videoRow('a'),
    videoRow('b', photoOf('b.jpg')),
  ]);
  await store('clip of a.mp4', 'clip of a.jpg', 'clip of b.jpg');
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  const cells = [
    { row: 1, position, text: 'clip of a.mp4' },
    { row: 2, position, text: 'clip of c.jpg' },
  ];
  const { checked: after } = await edit({ cells });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(found.map(({ edits }) => edits[0]?.text)).toEqual(['clip of b.jpg']);
});

it('no file is offered if the rows are too long to know which of them are used', async () => {
  const long = 'x'.repeat(90_000);
  const rows = Array.from({ length: 50 }, (_, row) => ({ ...videoRow(`a${row}`), notes: long }));
  const { drafts, id, edit, store, look } = await openTestDraft([
    ...rows,
    { ...videoRow('z', { media: 'serum launch 3.mp4' }), notes: '' },
  ]);
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('serum launch 3.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'serum launch 12.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  expect(group).not.toBe('');
  expect(await drafts.suggestions(id, group)).toEqual([]);
});

it('of several versions all are offered, the newest first, with the line that uses one; none is sure', async () => {
  const draft = await openTestDraft([videoRow('a'), videoRow('b'), videoRow('c')]);
  const { drafts, id, edit, store, look } = draft;
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('reel_before_v1.mp4', 'reel_before_v2.mp4', 'reel_hook_v2.mp4', 'reel_other.mp4');
  const { checked: after } = await edit({
    cells: [
      { row: 1, position, text: 'reel_before.mp4' },
      { row: 2, position, text: 'reel_before_v2.mp4' },
      { row: 3, position, text: 'reel_hook_v1.mp4' },
    ],
  });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(
    found.map(({ edits, doubt, confidence }) => [edits[0]?.row, edits[0]?.text, doubt, confidence]),
  ).toEqual([
    [1, 'reel_before_v2.mp4', 'used by line 3', undefined],
    [1, 'reel_before_v1.mp4', undefined, undefined],
    [3, 'reel_hook_v2.mp4', undefined, undefined],
  ]);
});

it.each([
  ['another version', 'reel_mug_v1.mp4', 'reel_mug_v2_OK.mp4'],
  ['a suffix of somebody’s own', 'reel_mug_v1.mp4', 'reel_mug_v2_lena_new.mp4'],
  ['a version beside a copy', 'reel_mug (1).mp4', 'reel_mug_v2.mp4'],
  ['a suffix and no version', 'reel_mug_final.mp4', 'reel_mug_reshoot.mp4'],
])(
  'where a file with %s may be meant as well, both are offered and none is sure',
  async (_what, ...files) => {
    const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { checked } = await look();
    const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
    await store(...files, 'reel_mugs.mp4');
    const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'reel_mug.mp4' }] });
    const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
    const found = await drafts.suggestions(id, group);
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence]).sort()).toEqual(
      files.map((file) => [file, undefined]),
    );
  },
);

it('for a name without an extension, the file with this name is offered', async () => {
  const draft = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { drafts, id, edit, look } = draft;
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'a' }] });
  const group = after?.groups.find(({ code }) => code === 'media_kind_unknown')?.id ?? '';
  const found = await drafts.suggestions(id, group);
  expect(found.map(({ edits, confidence, doubt }) => [edits[0]?.text, confidence, doubt])).toEqual([
    ['a.mp4', undefined, undefined],
  ]);
});

it.each(['buche_1 à 3', 'bûche 1-3', 'buche_1 to 3'])(
  'for %s without an extension, all pictures of the range are offered together',
  async (text) => {
    const { drafts, id, edit, store, look } = await openTestDraft([videoRow('a'), videoRow('b')]);
    const { checked } = await look();
    const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
    await store('pics/Buche_1.jpg', 'pics/Buche_2.jpg', 'pics/Buche_3.jpg', 'Buche_3.mp4');
    const { checked: after } = await edit({ cells: [{ row: 1, position, text }] });
    const group = after?.groups.find(({ code }) => code === 'media_kind_unknown')?.id ?? '';
    const found = await drafts.suggestions(id, group);
    expect(found.map(({ edits }) => edits[0]?.text)).toEqual([
      'pics/Buche_1.jpg|pics/Buche_2.jpg|pics/Buche_3.jpg',
    ]);
  },
);

it('the file whose name differs only in accents and case is sure', async () => {
  const draft = await openTestDraft([videoRow('a'), videoRow('b')]);
  const { drafts, id, edit, store, look } = draft;
  const { checked } = await look();
  const position = checked?.columns.find(({ column }) => column === 'media')?.position ?? -1;
  await store('Vidéos/camille_se\u0301rum_02.mp4', 'Vidéos/Camille_Serum_04.mp4');
  const { checked: after } = await edit({ cells: [{ row: 1, position, text: 'Camille_Serum_02.mp4' }] });
  const group = after?.groups.find(({ code }) => code === 'media_missing')?.id ?? '';
  expect(await drafts.suggestions(id, group)).toMatchObject([
    { confidence: 'sure', edits: [{ text: 'Vidéos/camille_se\u0301rum_02.mp4' }] },
  ]);
});
