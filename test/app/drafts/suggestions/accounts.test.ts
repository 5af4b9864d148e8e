/** Accounts that lists of creators have for display names. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { suggestAccounts } from '../../../../src/app/drafts/suggestions/accounts.ts';
import { Turn } from '../../../../src/manifest/event-loop.ts';
import { videoRow } from '../../../support/sheets/rows.ts';
import { openTestDraft, type TestDraft } from '../test-draft.ts';
import { allSuggestionsOf, dropWorkbook } from './listed-names.ts';

describe('a list with two columns of accounts', () => {
  const casting = (...networks: readonly string[]) => ({
    Casting: [
      ['Name', ...networks],
      ['Ada Lund', '@ada.lund.home', '@demo_anna'],
      ['Bo Falk', '@bofalk', '@demo_ben'],
    ],
  });
  const posts = ['Ada Lund', 'Bo Falk', 'Ada Lund'].map((creator, at) => videoRow(`${at}`, { creator }));
  const suggested = async (draft: TestDraft) =>
    (await allSuggestionsOf(draft)).flatMap(({ edits, confidence }) =>
      edits.map(({ row, text }) => `${row} ${text} ${confidence}`),
    );

  it.each([
    ['Instagram', 'TikTok Handle'],
    ['Profil A', 'Profil B'],
  ])('has those that the service knows: %s, %s', async (...networks) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, posts, casting(...networks));
    const found = await suggested(draft);
    expect(new Set(found)).toEqual(new Set(['1 demo_anna sure', '2 demo_ben sure', '3 demo_anna sure']));
  });

  it('that the service all knows, has those of the column that a person took one from', async () => {
    const draft = await openTestDraft([]);
    const both = {
      Casting: [
        ['Name', 'Profil A', 'Profil B'],
        ['Ada Lund', '@demo_carla', '@demo_anna'],
        ['Bo Falk', '@demo_david', '@demo_ben'],
      ],
    };
    await dropWorkbook(draft, posts, both);
    expect(await suggested(draft)).toContain('2 demo_david sure');
    await draft.edit({ cells: [{ row: 1, position: 1, text: 'demo_anna' }] });
    expect(new Set(await suggested(draft))).toEqual(new Set(['2 demo_ben sure', '3 demo_anna sure']));
  });
});

describe('a name that is not in the list as it is', () => {
  const list = {
    Casting: [
      ['Name', 'TikTok'],
      ['Ida Maier', '@demo_anna'],
      ['Ida Mayer', '@demo_ben'],
      ['Julia Krause', '@demo_carla'],
      ['Quinn Abara', '@demo_davit'],
      ['Tom Nobody', '@nobody.at.all'],
    ],
  };

  it.each([
    ['Ida Meier', ['demo_anna', 'demo_ben']],
    ['Julia K.', ['demo_carla']],
    ['Jùlia K.', ['demo_carla']],
    ['Julia', ['demo_carla']],
    ['Ida', []],
    ['Quinn Abara', ['demo_david']],
    ['Tom Nobody', []],
    ['Pia K.', []],
  ])('%s may be each that it is near: %j', async (creator, accounts) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [videoRow('a', { creator }), videoRow('b', { creator: 'demo_leo' })], list);
    const found = await allSuggestionsOf(draft);
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(
      accounts.map((account) => [account, undefined]),
    );
  });

  it.each([
    ['Ida Maier / Julia Krause', ['demo_anna', 'demo_carla']],
    ['Ida Mayer + julia krause', ['demo_ben', 'demo_carla']],
    ['Ida Maier, Julia', ['demo_anna', 'demo_carla']],
    ['Ida Maier\nJulia Krause', ['demo_anna', 'demo_carla']],
    ['Ida Maier / Nobody', []],
  ])('%s names several, of which a row has one: %j', async (creator, accounts) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [videoRow('a', { creator }), videoRow('b', { creator: 'demo_leo' })], list);
    const found = await allSuggestionsOf(draft);
    const [each] = found;
    expect(found.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(
      accounts.map((account) => [account, undefined]),
    );
    if (each !== undefined)
      expect(each.evidence).toContain('The cell names 2 creators, and a row posts for one');
  });

  it.each([
    ['Julia K.', 'In the worksheet Casting, Julia Krause has the account demo_carla.'],
    [
      'Quin Abara',
      'In the worksheet Casting, Quinn Abara has the account demo_davit; the service has demo_david.',
    ],
  ])('%s is told as the list writes it', async (creator, evidence) => {
    const draft = await openTestDraft([]);
    await dropWorkbook(draft, [videoRow('a', { creator }), videoRow('b', { creator: 'demo_leo' })], list);
    expect((await allSuggestionsOf(draft)).map((each) => each.evidence)).toEqual([evidence]);
  });
});

it.each([
  ['Lukasz Wojcik', [['demo_anna', 'sure']]],
  ['Jose Diaz', []],
  ['Wójcik, Łukasz', [['demo_anna', 'sure']]],
  ['Wojcik,Lukasz', [['demo_anna', 'sure']]],
])('a name is that of the list without accents, or with its surname first: %s', async (creator, expected) => {
  const draft = await openTestDraft([]);
  await dropWorkbook(draft, [videoRow('a', { creator })], {
    Casting: [
      ['Name', 'TikTok'],
      ['Łukasz Wójcik', '@demo_anna'],
      ['José Diaz', '@demo_ben'],
      ['Jose Díaz', '@demo_carla'],
    ],
  });
  const sure = (await allSuggestionsOf(draft)).filter(({ confidence }) => confidence === 'sure');
  expect(sure.map(({ edits, confidence }) => [edits[0]?.text, confidence])).toEqual(expected);
});

it('names of many rows are compared in pieces, each once, so that other work has its turn', async () => {
  const of = (name: string) => new Map([[name, { sheet: 'Casting', column: 'TikTok' }]]);
  const creators = new Map(['mia miller', 'tom tailor'].map((name) => [name, of(name)]));
  const texts = Array.from({ length: 40 }, (_, at) => `Nobody ${Math.floor(at / 2)}`);
  const cells = texts.map((text, row) => ({ row, position: 0, value: text, cells: [text] }));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  vi.spyOn(Turn.prototype, 'isFull', 'get').mockReturnValue(true);
  const pause = vi.spyOn(Turn.prototype, 'pause').mockResolvedValue();
  await suggestAccounts(cells, { creators } as unknown as Parameters<typeof suggestAccounts>[1]);
  expect(pause).toHaveBeenCalledTimes(20);
});

it('is looked for among very many without a long wait', { timeout: 20_000 }, async () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `zoé${at} miller${at}`);
  const creators = new Map(
    names.map((name) => [name, new Map([[name, { sheet: 'Casting', column: 'TikTok' }]])]),
  );
  const cells = Array.from({ length: 500 }, (_, at) => ({
    row: at + 1,
    position: 0,
    value: `Zoe${at}`,
    meant: undefined,
    cells: [`Zoe${at}`],
  }));
  const list = { creators } as unknown as Parameters<typeof suggestAccounts>[1];
  expect(await suggestAccounts(cells, list)).not.toEqual([]);
});
