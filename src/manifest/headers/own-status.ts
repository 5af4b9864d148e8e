/**
 * A planner's own column of states, such as `Status`: it is a note, but rows that it says are posted, cancelled or not ready are not sent
 * unasked. English, Chinese, German, French, Spanish, Indonesian and Portuguese.
 */
import { foldHeader } from '../columns.ts';

const headers: ReadonlySet<string> = new Set(
  [
    'status state poststatus postingstatus publishstatus publishingstatus currentstatus rowstatus contentstatus',
    '状态 发布状态 当前状态 帖子状态 作品状态 内容状态 发布情况',
    'stand zustand beitragsstatus veroffentlichungsstatus postingstatus',
    'statut etat statutdupost statutdepublication etatdelapublication',
    'estado estatus estadodelpost estadodepublicacion situacion',
    'statusposting statuspostingan statustayang keadaan',
    'situacao statusdapublicacao statusdopost estadodapublicacao',
  ].flatMap((names) => names.split(' ')),
);

/** States in which a row is not to be sent without a question, folded as `foldState` does: in front of `;` those of posts. */
const states = [
  'posted,published,live;cancelled,canceled,rejected,declined,on hold,draft',
  '已发布,已发,已发送,已上线,上线;已取消,取消,已拒绝,拒绝,已驳回,驳回,暂停,已暂停,搁置,暂缓,草稿',
  'gepostet,veroffentlicht;abgesagt,storniert,gestrichen,abgelehnt,pausiert,zuruckgestellt,entwurf',
  'publie,publiee,poste,postee,en ligne;annule,annulee,refuse,refusee,rejete,rejetee,en attente,en pause,suspendu,brouillon',
  'publicado,publicada,en vivo;cancelado,cancelada,anulado,anulada,rechazado,rechazada,en espera,en pausa,borrador',
  'diposting,dipublikasikan,terbit,tayang,sudah tayang;dibatalkan,batal,ditolak,ditunda,draf',
  'postado,postada,no ar,ao vivo;rejeitado,rejeitada,recusado,recusada,em espera,em pausa,suspenso,rascunho',
].map((words) => words.split(';').map((some) => some.split(',')));
const [posted, held] = [0, 1].map((at) => new Set(states.flatMap((some) => some[at] ?? [])));

/** Longer texts are remarks. */
const longestState = 60;

/** Whether a header names a column of states. A mark of a note in front of it does not count. */
export function isStatusHeader(name: string): boolean {
  return headers.has(foldHeader(name.replace(/^[_#]/, '')));
}

/** Whether a cell says that its row is posted, cancelled, rejected, on hold or a draft: as its whole text, or before a date or a remark. */
export function isEndedState(text: string): boolean {
  return isHeldState(text) || isStateOf(posted, text);
}

/** The same without rows that are posted. */
export function isHeldState(text: string): boolean {
  return isStateOf(held, text);
}

function isStateOf(states: ReadonlySet<string> | undefined, text: string): boolean {
  if (text.length > longestState) return false;
  const [state = ''] = foldState(text).split(/[^\p{L}\p{M} ]/u, 1);
  return states?.has(state.trim()) ?? false;
}

/** In lower case, without accents and without signs such as a tick at its beginning. */
function foldState(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(\p{L})-(?=\p{L})/gu, '$1 ');
  const first = plain.search(/\p{L}/u);
  return first < 0 ? '' : plain.slice(first).replace(/[_\s]+/g, ' ');
}
