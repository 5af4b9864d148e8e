import { expect, it, test } from 'vitest';
import {
  isOpenCaption,
  noteBefore,
  twoVersions,
  versionsIn,
} from '../../../src/importers/check/open-captions.ts';
import { check, manifestOf } from '../manifest-source.ts';

test.each([
  'Caption folgt',
  'tbd',
  'Text kommt noch',
  'caption follows…',
  'Copy: TBC',
  'à définir',
  '???',
  'idem RP-041',
  'same as above',
  'Ditto',
  'siehe oben',
  'Wie RP-041',
  'voir ci-dessus',
  'igual que arriba',
  '同上',
  '″',
  'như trên',
  'sama seperti di atas',
  'come sopra',
  'igual ao anterior',
  'same caption as #12',
  'TBD - attendo testo da Sofia, che torna solo lunedì prossimo',
  'tbc: Mia schreibt noch',
  'da definire (Sofia)',
  'Caption folgt – Freitag',
  'to come [Ann]',
  'Tbd, ask Ann',
  '待定：小李',
  '??? - Sofia',
  'come sopra - cambiare emoji',
])('%s is no caption yet', (caption) => expect(isOpenCaption(caption)).toBe(true));

test.each([
  'Open late tonight',
  'Same as always: soft skin',
  'Same glow, new lid',
  'Idem potion',
  'Wie immer 2 Lampen',
  'Text me when you are home',
  'Caption this',
  'Coming soon: our new lamp',
  'Coming soon!!! – our new lamp',
  'Open? – we are',
  'Wait - what?',
  'Open: every day',
  'Na, wer kennt das?',
  'As above, so below',
  'À venir : la collection de lin',
  'Missing - have you seen it?',
  'T-shirt: tbd',
  '',
])('%s is a caption, or none', (caption) => expect(isOpenCaption(caption)).toBe(false));

it('is a problem where a page asks, and a warning elsewhere', async () => {
  const content = manifestOf([{ caption: 'Caption folgt' }]);
  expect((await check(content, { isAsked: true })).found).toEqual(['2 caption caption_open']);
  const { found, warnings } = await check(content);
  expect([found, warnings.byCode.has('caption_open')]).toEqual([[], true]);
});

it('an empty caption has one problem', async () => {
  const content = manifestOf([{ caption: '' }]);
  expect((await check(content, { isAsked: true })).found).toEqual(['2 caption missing_value']);
});

it('two versions in one caption are a problem where a page asks, and a warning elsewhere', async () => {
  const content = manifestOf([{ caption: 'V1: Linen loves me. / V2: I love linen.' }]);
  expect((await check(content, { isAsked: true })).found).toEqual(['2 caption caption_versions']);
  const { found, warnings } = await check(content);
  expect([found, warnings.byCode.has('caption_versions')]).toEqual([[], true]);
});

it('two versions are only a warning where viewers may be asked', async () => {
  const asked = 'Option 1: red / Option 2: blue';
  const { found, warnings } = await check(manifestOf([{ caption: asked }]), { isAsked: true });
  expect([found, warnings.byCode.has('caption_versions')]).toEqual([[], true]);
});

it.each(['Caption folgt', ''])('%j is none either with the hashtags of another column', async (caption) => {
  const content = manifestOf([{ caption, Hashtags: '#lamp #light' }]);
  const sheet = { map: new Map([['Hashtags', '+caption']] as const) };
  expect((await check(content, { isAsked: true, sheet })).found).toEqual(['2 caption caption_open']);
  const { found, warnings } = await check(content, { sheet });
  expect([found, warnings.byCode.has('caption_open')]).toEqual([[], true]);
});

test.each([
  ['V1 : Ma routine 🌙\nV2 : La nuit, 24/7', ['Ma routine 🌙', 'La nuit, 24/7']],
  ['V1: one. V2: two. V3: three.', ['one.', 'two.', 'three.']],
  ['Version 1 – one | Version 2 – two', ['one', 'two']],
  ['Variante 1: eins\n\nVariante 2: zwei\n\n#lamp #light', ['eins\n#lamp #light', 'zwei\n\n#lamp #light']],
  ['v1) one #a\nv2) two\n#b', ['one #a', 'two\n#b']],
  ['Option 1: one\nOption 2: two', ['one', 'two']],
  ['Option A: one.\n\nOption B: two', ['one.', 'two']],
  ['Caption A) one\nCaption B) two', ['one', 'two']],
  ['V1: one\n\nV2 (approved by Maya): two', ['one', 'two']],
  ['V1 [old]: one\nV2 [FINAL]: two', ['one', 'two']],
  ['Versi 1: satu\nVersi 2 (final): dua', ['satu', 'dua']],
  ['Versión 1: uno\nVersión 2: dos', ['uno', 'dos']],
  ['Versión 1: uno\nVersión 2: dos'.normalize('NFD'), ['uno', 'dos']],
])('%j has the versions %j', (caption, versions) => expect(versionsIn(caption)).toEqual(versions));

test.each([
  'V1: the first of many',
  'Part 1: red\nPart 2: blue',
  'V1.5 is out\nV2.0 is better',
  'The V1 was good, the V2: better',
  'Mon avis: V1: doux V2: fort',
  'Which one?\nOption A: red\nOption B: blue',
  'Option 1: red / Option 2: blue',
  'V1:\nV2: the second',
  'V2 has a new lid',
  'V1 – one more day: hurry\nV2 (a lamp) has come',
])('%j has none', (caption) => expect(versionsIn(caption)).toBeUndefined());

test.each([
  ['[REV 26/11] Q&A: retinol every night?', '[REV 26/11]', 'Q&A: retinol every night?'],
  ['(FINAL v2) Burn it slow', '(FINAL v2)', 'Burn it slow'],
  ['[approved]\nBurn it slow', '[approved]', 'Burn it slow'],
  ['【修改】慢慢燃', '【修改】', '慢慢燃'],
  ['［定稿］慢慢燃', '［定稿］', '慢慢燃'],
  ['[Revisi 2]: Pelan-pelan saja', '[Revisi 2]', 'Pelan-pelan saja'],
])('%j begins with the note %s', (caption, note, text) =>
  expect(noteBefore(caption)).toEqual({ note, text }),
);

test.each([
  '[NEW] Burn it slow',
  '(Part 2) Burn it slow',
  '[final]',
  'Final sale: [rev] it up',
  '【新品】慢慢燃',
])('%j begins with none', (caption) => expect(noteBefore(caption)).toBeUndefined());

it('a note before a caption is a problem where a page asks, unless a person typed it', async () => {
  const content = manifestOf([{ caption: '[REV 26/11] Burn it slow' }]);
  expect((await check(content, { isAsked: true })).found).toEqual(['2 caption caption_note']);
  const { found, warnings } = await check(content);
  expect([found, warnings.byCode.has('caption_note')]).toEqual([[], true]);
  expect((await check(content, { isAsked: true, isTyped: true })).found).toEqual([]);
});

test.each(['V1: the first of many', 'Part 1: red\nPart 2: blue', 'V1.5 is out\nV2.0 is better'])(
  '%j is one caption',
  (caption) => expect(twoVersions(caption)).toBeUndefined(),
);
