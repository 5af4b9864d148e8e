/** Names of a planner's own columns, which are kept as notes: of states, remarks and channels. Without spaces, separated by spaces. */
import { foldedNames, foldHeader } from '../columns.ts';

/** In the languages of the columns. */
const statusHeaders = foldedNames(
  [
    'status state poststatus postingstatus publishstatus publishingstatus currentstatus rowstatus contentstatus',
    '状态 发布状态 当前状态 帖子状态 作品状态 内容状态 发布情况',
    'stand zustand beitragsstatus veroffentlichungsstatus postingstatus',
    'statut etat poste statutdupost statutdepublication etatdelapublication',
    'estado estatus estadodelpost estadodepublicacion situacion',
    'statusposting statuspostingan statustayang keadaan',
    'situacao statusdapublicacao statusdopost estadodapublicacao',
    'stato statodelpost trangthai tinhtrang สถานะ ステータス 状態 状況 상태 게시상태 진행상태',
  ].join(' '),
);

/** Whether a header names a planner's own column of states, such as `Status`. A mark of a note in front of it does not count. */
export function isStatusHeader(name: string): boolean {
  const folded = foldHeader(name.replace(/^[_#]/, ''));
  const words = wordsOf(name);
  return (
    statusHeaders.has(folded) ||
    [words[0], words.at(-1)].some((word) => statusWords.has(foldHeader(word ?? ''))) ||
    statusEnding.test(folded) ||
    isPostedHeader(name) ||
    isHeldHeader(name) ||
    isApprovedHeader(name)
  );
}

/** At an end of a header, such as `Status (client)` or `Approval status`, they name states, too. */
const statusWords: ReadonlySet<string> = new Set('status statut stato'.split(' '));
/** Of languages that write words together: `Freigabestatus`. */
const statusEnding = /(?:status|状态|ステータス|상태)$/;

/** A tick box that is not ticked says that the row may not be posted yet. In the same languages. */
const approvedHeaders = foldedNames(
  'approved isapproved clientapproved approvedbyclient clientapproval clientok signedoff 已批准 已审核 已通过 freigegeben genehmigt ' +
    'ready isready readytopost readytogo okclient clientready goahead kundenfreigabe bereit valide validee approuve ' +
    'approuvee aprobado aprobada aprovado aprovada disetujui approvato approvata daduyet อนุมัติแล้ว diluluskan 承認済み 承認済 승인됨',
);

/** Whether a header names a planner's own column of approvals: `Approved?`. */
export function isApprovedHeader(name: string): boolean {
  const folded = foldHeader(name.replace(/^[_#]/, '')).replace('?', '');
  return approvedHeaders.has(folded) || wordsOf(name).some((word) => approvalWords.has(foldHeader(word)));
}

const approvalWords = foldedNames(
  'approval approvals freigabe freigaben validation approbation aprobacion aprovacao approvazione persetujuan',
);

/** A tick says that the row is posted. In the same languages; of words that are also dates or states, with a question mark. */
const postedHeaders = foldedNames(
  'posted isposted alreadyposted published? live? online? 已发 已发布 已发布? gepostet veroffentlicht? poste? postee publie? ' +
    'publiee? enligne? posteado posteado? publicado? publicada? diposting terbit? tayang? postado postada noar? pubblicato pubblicata dadang โพสต์แล้ว ' +
    '投稿済み 投稿済 게시완료',
);

/** Whether a header names a planner's own column of ticks for posts: `Posted?`. */
export function isPostedHeader(name: string): boolean {
  const folded = foldHeader(name.replace(/^[_#]/, ''));
  // `Poste` may be a position in French, or `Posté` without its accent: a tick there says nothing.
  const isAccented = folded === 'poste' && name.normalize('NFC').toLowerCase().includes('é');
  return isAccented || postedHeaders.has(folded) || postedHeaders.has(folded.replace('?', ''));
}

/** A tick says that the row is not to be posted. In the same languages. */
const heldHeaders = foldedNames(
  'archived deleted cancelled canceled onhold paused skip skipped blocked donotpost dontpost 已取消 已归档 暂停 storniert abgesagt pausiert ' +
    'archiviert geloscht annule annulee archive enpause cancelado cancelada archivado archivada enpausa dibatalkan arquivado arquivada annullato ' +
    'annullata archiviato dahuy ยกเลิก キャンセル 취소 취소됨',
);

/** Whether a header names a planner's own column of ticks for rows that are not to be posted: `Archived`. */
export function isHeldHeader(name: string): boolean {
  return heldHeaders.has(foldHeader(name.replace(/^[_#]/, '')).replace('?', ''));
}

/** Whether a header names the day on which a program made or changed a row: `Date Created Text`, `Last modified`. */
export function isRecordHeader(name: string): boolean {
  return wordsOf(name).some((word) => recordWords.has(foldHeader(word)));
}

const recordWords: ReadonlySet<string> = new Set(
  'created modified updated changed edited completed closed added imported exported erstellt geandert cree modifie creado creato criado'.split(
    ' ',
  ),
);

/** In the same languages. */
const remarkHeaders = foldedNames(
  'note notes remark remarks comment comments 备注 说明 bemerkung bemerkungen notiz notizen kommentar hinweis anmerkung remarque ' +
    'remarques commentaire commentaires nota notas comentario comentarios observacion observaciones observacoes osservazioni ' +
    'catatan komentar ghichu หมายเหตุ 備考 メモ 비고 메모',
);

/** Whether a header names a planner's own remarks, such as `Client notes`. */
export function isRemarkHeader(name: string): boolean {
  return (
    wordsOf(name).some((word) => remarkHeaders.has(foldHeader(word))) || remarkEnding.test(foldHeader(name))
  );
}

/** As `statusEnding`: `Kundennotizen`. */
const remarkEnding = /(?:notiz|notizen|bemerkung|bemerkungen|kommentare?|备注|備考|メモ|비고|메모)$/;

/** Longer texts are no names. */
const longestName = 200;

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, longestName)
    .split(/[\s_#/()-]/)
    .filter(Boolean);
}

const channelHeaders = foldedNames(
  'channel channels platform platforms network socialnetwork 平台 渠道 plattform plattformen plateforme plateformes reseau ' +
    'plataforma plataformas red piattaforma platformmedsos mediasosial nentang แพลตฟอร์ม プラットフォーム 플랫폼',
);

/** Whether a header names the app that a post is for, such as `Platform`. */
export function isChannelHeader(name: string): boolean {
  return channelHeaders.has(foldHeader(name.replace(/^[_#]/, '')));
}
