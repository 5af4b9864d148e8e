/** Rows that a planner's own columns say are posted, cancelled, rejected, on hold or a draft: they are not sent unasked. */
import { readBoolean } from '../../manifest/cells/scalars.ts';
import { type Header, meaningsOf } from '../../manifest/headers/header.ts';
import {
  isApprovedHeader,
  isHeldHeader,
  isPostedHeader,
  isRemarkHeader,
  isStatusHeader,
} from '../../manifest/headers/own-headers.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, showValue } from '../../manifest/problems/problem.ts';
import type { RowChoice } from '../../sheets/sheet.ts';

/** States in which a row is not to be sent without a question, folded as `foldState` does: in front of `;` those of posts. */
const states = [
  'posted,published,live;cancelled,canceled,rejected,declined,denied,not approved,unapproved,on hold,paused,postponed,draft,' +
    'skip,skipped,archived,killed,dropped,withdrawn,removed,deleted,expired,' +
    'to approve,to be approved,awaiting approval,waiting for approval,awaiting client,waiting for client,in review,under review,not ready,wip,' +
    'in progress,working on it,stuck,blocked,to do,todo,backlog,parked,needs review,for review,internal review,in production,in edit,in editing,editing,to edit,' +
    'cancel,hold,wait,waiting,waiting client,wait for client,waiting approval,pending client,on progress,revise,to revise,' +
    'with client,with the client,sent to client,client review,pending approval,awaiting feedback,needs changes,changes requested,not started',
  '已发布,已发,已发送,已上线,上线;已取消,取消,已拒绝,拒绝,已驳回,驳回,暂停,已暂停,搁置,暂缓,草稿,作废,待审核,待审批,待确认,未审核,未通过,剪辑中,制作中,客户审核中,待修改,进行中',
  '投稿済み,投稿済,公開済み,公開済,公開中;キャンセル,中止,却下,保留,下書き,承認待ち,確認待ち,未承認,編集中,制作中,確認中,修正中,作成中',
  'gepostet,veroffentlicht;abgesagt,storniert,gestrichen,abgelehnt,pausiert,zuruckgestellt,entwurf,' +
    'warten,wartet,freizugeben,zur freigabe,freigabe offen,wartet auf freigabe,nicht freigegeben,in prufung,in abstimmung,in bearbeitung,in arbeit,im schnitt,beim kunden',
  'publie,publiee,poste,postee,en ligne;annule,annulee,refuse,refusee,rejete,rejetee,en pause,suspendu,brouillon,' +
    'attendre,a valider,a approuver,a confirmer,en validation,non valide,non validee,en cours,en montage,en production,chez le client,a modifier',
  'publicado,publicada,en vivo;cancelado,cancelada,anulado,anulada,rechazado,rechazada,en espera,en pausa,borrador,' +
    'por aprobar,sin aprobar,pendiente de aprobacion,esperar,esperando,en revision,en edicion,editando,en proceso,en produccion,en curso,con el cliente',
  'diposting,dipublikasikan,terbit,tayang,sudah tayang;dibatalkan,batal,ditolak,ditunda,draf,menunggu,tunggu,nunggu,belum disetujui,sedang diedit,' +
    'menunggu persetujuan,menunggu klien,tunggu klien,nunggu klien,proses edit,revisi',
  'postado,postada,no ar,ao vivo;rejeitado,rejeitada,recusado,recusada,em espera,em pausa,suspenso,rascunho,' +
    'aguardar,aguardando,para aprovar,aguardando aprovacao,em aprovacao,em revisao,nao aprovado,nao aprovada,em edicao,editando,em andamento,em producao,com o cliente',
  'pubblicato,pubblicata,postato,online;annullato,annullata,rifiutato,rifiutata,in attesa,in pausa,sospeso,bozza,' +
    'da approvare,da confermare,in approvazione,in revisione,non approvato,non approvata,in lavorazione,in montaggio,in corso,dal cliente',
  'đã đăng,đã đăng bài,đã xuất bản;đã hủy,hủy,từ chối,bị từ chối,tạm dừng,tạm hoãn,hoãn,nháp,bản nháp,chờ duyệt,chưa duyệt,đang duyệt,đang dựng,đang chỉnh sửa,đang làm',
  'โพสต์แล้ว,ลงแล้ว,เผยแพร่แล้ว;ยกเลิก,ไม่อนุมัติ,พัก,เลื่อน,ร่าง,รออนุมัติ,รอตรวจ,กำลังตัดต่อ',
  'telah disiarkan,disiarkan;ditangguhkan,menunggu kelulusan,belum diluluskan,sedang disunting',
  '게시됨,게시 완료,게시완료,업로드 완료;취소,취소됨,반려,보류,초안,승인 대기,미승인,편집 중,편집중,제작 중,검토 중,진행 중',
].map((words) => words.split(';').map((some) => some.split(',').map(foldState)));
const [posted, held] = [0, 1].map((at) => new Set(states.flatMap((some) => some[at] ?? [])));

/** Words that forbid a post wherever a part of a text begins with them: what follows says until when. In the same languages. */
const forbidding = (
  'do not post,dont post,do not publish,dont publish,do not upload,not to be posted,stand by,standby,不发,先不发,暂不发,勿发,别发,不要发,先不要发,' +
  '投稿しない,まだ投稿しない,投稿不可,投稿禁止,nicht posten,noch nicht posten,nicht veroffentlichen,noch nicht veroffentlichen,' +
  'ne pas publier,ne pas poster,ne pas diffuser,ne pas mettre en ligne,en attente,attente,no publicar,no postear,no subir,' +
  'jangan tayang,jangan ditayangkan,jangan posting,jangan diposting,jangan upload,jangan siarkan,nao publicar,nao postar,non pubblicare,non postare,' +
  'không đăng,đừng đăng,chưa đăng,ไม่ลง,ห้ามลง,อย่าเพิ่งลง,게시 금지,업로드 금지,올리지 마'
)
  .split(',')
  .map(foldState);

/** States that let a row go that was held before. Any other, such as a remark, leaves it. */
const released: ReadonlySet<string> = new Set(
  (
    'approved,released,ready,ready to post,scheduled,confirmed,final,signed off,go,ok,' +
    '已批准,已审核,已通过,通过,已确认,待发布,可发布,freigegeben,freigabe erteilt,genehmigt,bestatigt,geplant,eingeplant,bereit,fertig,' +
    'approuve,approuvee,valide,validee,confirme,confirmee,planifie,planifiee,pret,prete,' +
    'aprobado,aprobada,confirmado,confirmada,programado,programada,listo,lista,' +
    'disetujui,dikonfirmasi,dijadwalkan,siap,aprovado,aprovada,agendado,agendada,pronto,pronta,' +
    'approvato,approvata,programmato,programmata,đã duyệt,sẵn sàng,đã lên lịch,อนุมัติแล้ว,พร้อมลง,diluluskan,승인,승인됨,예약됨'
  )
    .split(',')
    .map(foldState),
);

/** Longer texts are remarks. */
const longestState = 60;
/** What is behind is not read. */
const longestRemark = 500;

export class OwnStatus {
  readonly #names: readonly string[];
  readonly #columns: readonly number[];
  /** Columns of remarks: only what holds a row counts. */
  readonly #remarks: readonly number[];
  /** Columns of tick boxes that mean posted, and held. */
  readonly #ticked: { readonly posted: ReadonlySet<number>; readonly held: ReadonlySet<number> };
  /** Columns of tick boxes that mean approved. */
  readonly #approved: ReadonlySet<number>;

  constructor(header: Header) {
    const meant = meaningsOf(header);
    this.#names = header.names;
    const own = (is: (name: string) => boolean) =>
      header.names.flatMap((name, position) =>
        is(name) && !meant.has(position) && !header.results.includes(position) ? [position] : [],
      );
    this.#columns = own(isStatusHeader);
    this.#remarks = own((name) => isRemarkHeader(name) && !isStatusHeader(name));
    const named = (is: (name: string) => boolean) =>
      new Set(this.#columns.filter((position) => is(header.names[position] ?? '')));
    this.#ticked = { posted: named(isPostedHeader), held: named(isHeldHeader) };
    this.#approved = named(isApprovedHeader);
  }

  #isPosted(cells: readonly string[], position: number): boolean {
    const text = cells[position] ?? '';
    return isStateOf(posted, text) || isTicked(this.#ticked.posted, text, position);
  }

  #isHeld(cells: readonly string[], position: number): boolean {
    const text = cells[position] ?? '';
    return (
      isStateOf(held, text) ||
      forbids(text) ||
      isTicked(this.#ticked.held, text, position) ||
      (this.#approved.has(position) && readBoolean(text.trim()) === false)
    );
  }

  /** Whether a cell says that its row is posted, cancelled, rejected, on hold or a draft: as its whole text, or before a date or a remark. */
  #isEnded(cells: readonly string[], position: number): boolean {
    return this.#isHeld(cells, position) || this.#isPosted(cells, position);
  }

  /** Whether one of these columns says that the row is not to be posted. */
  holds(cells: readonly string[]): boolean {
    return [...this.#columns, ...this.#remarks].some((each) => this.#isHeld(cells, each));
  }

  /** Whether one of these columns says that the row is posted. */
  saysPosted(cells: readonly string[]): boolean {
    return this.#columns.some((each) => this.#isPosted(cells, each));
  }

  /** Whether one of these columns lets the row go, and none holds it. */
  releases(cells: readonly string[]): boolean {
    const isFree = this.#columns.some((each) => {
      const text = cells[each] ?? '';
      return isReleased(text) || (this.#approved.has(each) && readBoolean(text.trim()) === true);
    });
    return isFree && !this.holds(cells) && !this.saysPosted(cells);
  }

  /**
   * @param isAsked whether a page asks: a choice for states then leaves remarks to a choice of their own.
   * @returns undefined for a row that neither its status nor a remark keeps from being posted.
   */
  find(cells: readonly string[], choice: RowChoice | undefined, isAsked = false): CellProblem | undefined {
    const state = this.#columns.find((each) => this.#isEnded(cells, each));
    if (state !== undefined) return this.#problem(cells, state, choice);
    const remark = this.#remarks.find((each) => this.#isHeld(cells, each));
    if (remark === undefined) return undefined;
    const found = this.#problem(cells, remark, isAsked ? undefined : choice, 'clear the remark');
    const fix = isAsked ? 'Skip the row, or clear the remark.' : found.fix;
    return { ...found, code: 'remark_holds', fix };
  }

  #problem(
    cells: readonly string[],
    position: number,
    choice: RowChoice | undefined,
    change = 'change its status',
  ): CellProblem {
    const column = showValue(this.#names[position] ?? '');
    const value = showValue((cells[position] ?? '').trim());
    const says = `${column} says "${value}"`;
    return {
      column,
      code: 'own_status',
      value,
      ...(choice === 'post'
        ? { problem: `${says}; the row will be posted`, fix: 'If you do not want that, remove the row.' }
        : {
            problem: `${says}, so perhaps this row should not be posted`,
            fix: [`Skip it, post it anyway, or ${change}.`, hint('rowsInDoubt', { option: 'ownStatus' })],
          }),
    };
  }
}

function isTicked(columns: ReadonlySet<number>, text: string, position: number): boolean {
  return columns.has(position) && readBoolean(text.trim()) === true;
}

function forbids(text: string): boolean {
  const parts = foldState(text.slice(0, longestRemark)).split(/[^\p{L}\p{M} ]/u);
  return parts.some((part) => {
    const said = part.trim();
    return forbidding.some((words) => said.startsWith(words) && !/[a-z]/.test(said.charAt(words.length)));
  });
}

/** Whether a status lets its row go. @param text folded, or as written. */
export function isReleased(text: string): boolean {
  return isStateOf(released, text);
}

/** @param states as `foldState` has them. */
export function isStateOf(states: ReadonlySet<string> | undefined, text: string): boolean {
  if (text.length > longestState) return false;
  const [state = ''] = foldState(text).split(/[^\p{L}\p{M} ]/u, 1);
  const words = state.trim().split(' ');
  const end = words.findIndex((word, at) => at > 0 && supplements.has(word));
  return Boolean(states?.has(words.join(' ')) || (end > 0 && states?.has(words.slice(0, end).join(' '))));
}

/** Words after a state, followed by who, when or which. */
const supplements: ReadonlySet<string> = new Set(
  'by on at for until since v version auf von vom am bis par le por el hasta dulu oleh pada sampai em'.split(
    ' ',
  ),
);

/** Folds a state to lower case, without accents and without signs such as a tick at its beginning. */
export function foldState(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('đ', 'd')
    .replace(/(\p{L})['’](?=\p{L})/gu, '$1')
    .replace(/(\p{L})-(?=\p{L})/gu, '$1 ');
  const first = plain.search(/\p{L}/u);
  return first < 0 ? '' : plain.slice(first).replace(/[_\s]+/g, ' ');
}
