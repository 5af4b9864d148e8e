/** Columns of states that a planner keeps. */
import { describe, expect, it } from 'vitest';
import { OwnStatus } from '../../../src/importers/check/own-status.ts';
import { matchHeader } from '../../../src/manifest/headers/header.ts';
import { check, manifestOf } from '../manifest-source.ts';

const sheet = manifestOf([
  { key: 'a', Status: 'ready' },
  { key: 'b', Status: 'Posted \u2714' },
  { key: 'c', Status: 'on hold' },
]);

describe("rows that the sheet's own status says are not to be posted", () => {
  it('have a problem that names status and column', async () => {
    const { found, accepted } = await check(sheet);
    expect(found).toEqual(['3 Status own_status', '4 Status own_status']);
    expect(accepted).toBe(1);
  });

  it('are skipped on demand, and counted', async () => {
    const { found, handedOn, rows, notices } = await check(sheet, { sheet: { ownStatus: 'skip' } });
    expect({ found, rows, posted: handedOn.map(({ key }) => key) }).toEqual({
      found: [],
      rows: 1,
      posted: ['a'],
    });
    expect(notices.map(({ code, problem }) => [code, problem])).toEqual([
      ['rows_skipped', '2 rows were skipped: the status in the sheet says that they should not be posted'],
    ]);
  });

  it('are a problem of the sheet if they are all its rows and are skipped', async () => {
    const all = manifestOf([{ Status: 'posted' }, { Status: 'live' }]);
    const { blocking } = await check(all, { sheet: { ownStatus: 'skip' } });
    expect(blocking).toMatchObject([{ code: 'no_rows', problem: 'all rows of the file are skipped' }]);
  });

  it('are posted on demand, with a warning', async () => {
    const { found, accepted, warnings } = await check(sheet, { sheet: { ownStatus: 'post' } });
    expect({ found, accepted }).toEqual({ found: [], accepted: 3 });
    expect(warnings.byCode.get('own_status')).toBe(2);
  });

  it('have only that question on a page, if it says that they are posted, until it is answered', async () => {
    const gone = { product_id: '' };
    const rows = ['Posted', 'on hold'].map((Status) => ({ Status, ...gone }));
    const content = manifestOf([...rows, { Status: 'Posted', key: 'a' }, { Status: 'Posted', key: 'a' }]);
    const { found } = await check(content, { isAsked: true });
    const ofRow = (line: number, of = found) =>
      of.flatMap((each) => (each.startsWith(`${line} `) ? [each.slice(2)] : []));
    expect(ofRow(2)).toEqual(['Status own_status']);
    expect(ofRow(3)).toEqual(expect.arrayContaining(['Status own_status', 'product_id missing_value']));
    expect(ofRow(5)).toEqual(['key duplicate_key', 'Status own_status']);
    const answered = await check(content, { isAsked: true, sheet: { ownStatus: 'post' } });
    expect(ofRow(2, answered.found)).toContain('product_id missing_value');
    expect(ofRow(2, (await check(content)).found)).toContain('product_id missing_value');
  });

  it.each(['Posted?', 'Posté ?', 'POSTÉ', 'Poste ?', 'Publié ?', 'Gepostet'])(
    'are those that a tick in %s calls posted',
    async (header) => {
      const ticked = manifestOf([
        { [header]: 'TRUE' },
        { [header]: 'FALSE' },
        { [header]: '' },
        { [header]: '✓' },
      ]);
      expect((await check(ticked)).found).toEqual([`2 ${header} own_status`, `5 ${header} own_status`]);
    },
  );

  it.each(['Archived', 'On hold?', 'Skip', 'Storniert'])(
    'are those that a tick in %s holds',
    async (header) => {
      const ticked = manifestOf(['true', 'false', ''].map((tick) => ({ [header]: tick })));
      expect((await check(ticked)).found).toEqual([`2 ${header} own_status`]);
    },
  );

  it.each(['Approved?', 'Client approved', 'Freigegeben', 'Validé ?', '已批准'])(
    'are those that have no tick in %s, and are released by one',
    async (header) => {
      const ticked = manifestOf(['FALSE', 'TRUE', ''].map((tick) => ({ [header]: tick })));
      expect((await check(ticked)).found).toEqual([`2 ${header} own_status`]);
      const status = new OwnStatus(matchHeader([header]));
      expect(['no', 'yes', ''].map((tick) => [status.holds([tick]), status.releases([tick])])).toEqual([
        [true, false],
        [false, true],
        [false, false],
      ]);
    },
  );

  it.each([
    ['Catatan', 'HOLD dulu – tunggu approval klien'],
    ['Client notes', 'on hold until 3 May'],
    ['Bemerkung', 'Warten auf Freigabe'],
    ['Remarks', 'waiting for the new logo'],
    ['Remarques', 'NE PAS PUBLIER avant accord de la marque !!'],
    ['Commentaires', 'Attention : ne pas poster sans le feu vert de la cliente (elle rappelle jeudi matin)'],
    ['Notes', 'URGENT! Do not post before the embargo ends'],
    ['Notiz', 'Noch nicht posten. Freigabe kommt'],
    ['Remarques', 'En attente de l’accord client'],
    ['Observaciones', 'Ojo: no publicar todavía'],
    ['备注', '先不要发布，等客户'],
  ])('are those that a remark in %s holds', async (header, remark) => {
    const content = manifestOf([{ [header]: remark }, { [header]: 'posted by Mia' }]);
    const { found, problems } = await check(content, { allowUnknownColumns: true });
    expect(found).toEqual([`2 ${header} remark_holds`]);
    expect(problems.kept[0]?.fix[0]).toBe('Skip it, post it anyway, or clear the remark.');
    const status = new OwnStatus(matchHeader(['Status', header]));
    expect([status.holds(['Approved', remark]), status.releases(['Approved', remark])]).toEqual([
      true,
      false,
    ]);
  });

  it('are not those of remarks by a choice on a page, where each kind has its own', async () => {
    const content = manifestOf([{ Notes: 'on hold' }, { Status: 'draft' }]);
    const options = { allowUnknownColumns: true, sheet: { ownStatus: 'post' } } as const;
    expect((await check(content, { ...options, isAsked: true })).found).toEqual(['2 Notes remark_holds']);
    expect((await check(content, options)).found).toEqual([]);
  });

  it.each([
    'Ne pas oublier le code promo',
    'Penser à publier le lien',
    'do not mention the price',
    '发布前检查',
  ])('are not those of the remark %s', async (remark) => {
    const content = manifestOf([{ Notes: remark }]);
    expect((await check(content, { allowUnknownColumns: true })).found).toEqual([]);
  });

  it('are not those that a remark in another column holds', async () => {
    const content = manifestOf([{ Hook: 'wait' }, { Hook: 'hold' }]);
    expect((await check(content, { allowUnknownColumns: true })).found).toEqual([]);
  });

  it('are not those that a tick in Poste calls so, which is a position in French', async () => {
    const ticked = manifestOf([{ Poste: '1' }, { Poste: 'x' }, { Poste: 'annulé' }]);
    expect((await check(ticked)).found).toEqual(['4 Poste own_status']);
  });

  it('are not those of a column that has a meaning', async () => {
    const states = manifestOf([{ State: 'draft' }, { State: 'live' }]);
    const map = new Map([['State', 'key']] as const);
    expect((await check(states, { sheet: { map } })).found).toEqual([]);
    const captions = manifestOf([{ caption: 'live' }, { caption: 'draft' }]);
    expect((await check(captions)).found).toEqual([]);
  });
});

/** Whether a row with this status is not sent unasked. */
function isAskedAbout(text: string): boolean {
  const header = matchHeader(['Status']);
  return new OwnStatus(header).find([text], undefined) !== undefined;
}

it.each([
  ...[
    'Posted',
    ' LIVE ',
    'posted \u2714',
    '\u2705 Published',
    'on-hold',
    'ON_HOLD',
    'Draft (v2)',
    'cancelled: no budget',
  ],
  ...[
    'Posted 3 Mar',
    'Rejected - wrong size',
    '已发布',
    '草稿',
    'Veröffentlicht',
    'ENTWURF',
    'annulée',
    'en ligne',
  ],
  ...['Waiting Client', 'CANCEL', 'Hold', 'Waiting for Maya', 'Menunggu klien', 'revisi', 'Esperando'],
  ...['Rechazado', 'en espera', 'sudah tayang', 'Ditolak', 'publicada', 'Rascunho'],
  ...['Paused', 'Postponed', 'SKIP', "Don't post", 'do not post', 'Archived', 'Killed', 'Not approved'],
  ...['Canceled by brand', 'posted on 12/4', 'Draft v3', 'Draft 2', 'on hold for legal', 'gepostet am 3.3.'],
  ...[
    'With client',
    'Changes requested',
    'in progress',
    'Working on it',
    'Stuck',
    'To do',
    'Needs review',
    'In Arbeit',
    'chez le client',
    '確認中',
  ],
  ...['À valider', 'To approve', 'zur Freigabe', 'In Prüfung', '待审核', 'Por aprobar'],
  ...['En edición', 'Editing', 'in Bearbeitung', 'en montage', 'Em edição', '剪辑中', 'đang dựng', '편집 중'],
  ...['publié le 3 mars', '投稿済み', 'ｷｬﾝｾﾙ', '不发布'],
  ...['Đã đăng', 'Nháp', 'chờ duyệt', 'โพสต์แล้ว', 'รออนุมัติ', 'Pubblicato', 'Bozza', '게시 완료', '보류'],
])('%s is asked about', (text) => expect(isAskedAbout(text)).toBe(true));

it.each([
  ...[
    '',
    'ready',
    'Approved',
    'to be posted',
    'Done',
    'post on 12/4',
    'approved by client',
    'skip the intro',
    'not posted',
    'going live',
    'scheduled',
    'ok',
    '待发布',
    'geplant',
    'final draft sent',
    'Đã duyệt',
    'อนุมัติแล้ว',
  ],
  `posted ${'x'.repeat(80)}`,
])('%j is not', (text) => expect(isAskedAbout(text)).toBe(false));
