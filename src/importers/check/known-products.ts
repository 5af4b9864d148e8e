/** Compares the product ids of rows with each other, and with the ids that are known for names of products. */
import { findIdFault } from '../../manifest/cells/id.ts';
import { hint } from '../../manifest/problems/hint.ts';
import { type CellProblem, type Finding, showValue } from '../../manifest/problems/problem.ts';
import type { Candidate } from './candidate.ts';
import type { KnownIds, KnownTitle, ProductLookUp } from './checked-row.ts';
import { mayLackDigits } from './lost-digits.ts';
import { foldState, isStateOf } from './own-status.ts';

/** Fewer long ids prove nothing. */
const surelyLong = 3;

/** Whether an id is as long as those of the service: no article number of a shop is. */
export function isLongId(id: string): boolean {
  return /^\d{16,}$/.test(id);
}

/** Whether nearly all ids beside one are long numbers. @param others how many are not. */
export function areLongIds(long: number, others: number): boolean {
  return long >= surelyLong && long >= 4 * others;
}

/** Codes of problems that make an id no evidence for other rows. */
export const hasDoubtfulId: ReadonlySet<string> = new Set([
  'name_as_id',
  'id_unlike_others',
  'product_differs',
]);

export class KnownProducts {
  readonly #lookUp: ProductLookUp | undefined;
  readonly #areLong: boolean | undefined;
  #long = 0;
  #others = 0;

  /** @param areLong whether the ids of the sheet are long numbers, where all of its rows were judged before. */
  constructor(lookUp: ProductLookUp | undefined, areLong: boolean | undefined) {
    this.#lookUp = lookUp;
    this.#areLong = areLong;
  }

  /** Counts rows that are judged together. */
  count(rows: readonly Candidate[]): void {
    for (const { draft } of rows) {
      const id = draft?.product.id ?? '';
      if (isLongId(id)) this.#long += 1;
      else if (id !== '' && findIdFault(id) === null) this.#others += 1;
    }
  }

  /** @param isTyped whether a person wrote the id, or took it from a list: it is right, but the product may not be sold any more. */
  find({ draft }: Candidate, isTyped: boolean): Finding | undefined {
    const { id, title } = draft?.product ?? { id: '', title: '' };
    const { lost } = this.#lookUp?.(id || title) ?? {};
    if (lost !== undefined && !/^\d+$/.test(id)) return { kind: 'problem', found: isLost(id, lost) };
    // What else is wrong with an id has a problem of its own.
    if (id === '' || findIdFault(id) !== null || mayLackDigits(id)) return undefined;
    const named = this.#lookUp?.(id);
    if (named?.ended !== undefined) return { kind: 'problem', found: isEnded(id, named.ended) };
    if (isTyped) return undefined;
    if (!isLongId(id)) {
      if (named !== undefined && !named.ids.has(id)) return { kind: 'problem', found: isName(id, named.ids) };
      if (this.#areLong ?? areLongIds(this.#long, this.#others - 1))
        return { kind: 'problem', found: isUnlike(id) };
    }
    const known = title === '' ? undefined : this.#lookUp?.(title);
    if (known === undefined || known.lost || known.ids.has(id)) return undefined;
    return { kind: known.isListed ? 'problem' : 'warning', found: differs(id, known.ids) };
  }
}

/** States of products in a list, as `foldState` has them. */
const ends: ReadonlySet<string> = new Set(
  (
    'discontinued,delisted,sold out,out of stock,inactive,archived,no longer available,not available,unavailable,end of life,do not post,' +
    '下架,已下架,停售,售罄,缺货,停产,ausverkauft,nicht verfugbar,nicht mehr verfugbar,nicht mehr lieferbar,ausgelistet,eingestellt,inaktiv,' +
    'epuise,indisponible,rupture,rupture de stock,en rupture,arrete,supprime,agotado,descatalogado,no disponible,sin stock,inactivo,' +
    'habis,stok habis,tidak tersedia,dihentikan,esgotado,descontinuado,indisponivel,fora de linha,inativo,esaurito,non disponibile,' +
    'fuori produzione,hết hàng,ngừng bán,ngừng kinh doanh,หมด,สินค้าหมด,เลิกขาย,dihentikan,販売終了,廃番,売り切れ,欠品,품절,단종,판매중지'
  )
    .split(',')
    .map(foldState),
);

/** Whether a cell of a list of products says that its product is not sold any more, or not now. */
export function productEnd(cell: string): boolean {
  return cell !== '' && isStateOf(ends, cell);
}

function isEnded(id: string, end: string): CellProblem {
  return {
    column: 'product_id',
    code: 'product_ended',
    value: showValue(id),
    problem: `the product list says of this product: ${showValue(end)}`,
    fix: ['Choose another product, or skip the row.', hint('trustIds')],
  };
}

function isLost(id: string, { sheet, id: lost }: NonNullable<KnownIds['lost']>): CellProblem {
  return {
    column: 'product_id',
    code: id === '' ? 'missing_value' : 'name_as_id',
    value: showValue(id),
    problem: `in the worksheet ${showValue(sheet)}, a program turned the id of this product into a number and lost its last digits: ${lost}`,
    fix: [
      'Write the id here. Or format its column in that worksheet as text, enter the ids again, and drop the sheet again.',
      hint('findProducts'),
    ],
  };
}

function isName(id: string, ids: ReadonlyMap<string, string>): CellProblem {
  return {
    column: 'product_id',
    code: 'name_as_id',
    value: showValue(id),
    problem: 'this is what a product is called, not its id',
    fix: [`Fill in the id. ${evidenceOf(ids)}`, hint('findProducts')],
  };
}

function isUnlike(id: string): CellProblem {
  return {
    column: 'product_id',
    code: 'id_unlike_others',
    value: showValue(id),
    problem: 'this is not like the other ids in this column, which are long numbers',
    fix: ['Fill in the id that the service has for the product.', hint('trustIds'), hint('findProducts')],
  };
}

function differs(id: string, ids: ReadonlyMap<string, string>): CellProblem {
  return {
    column: 'product_id',
    code: 'product_differs',
    value: showValue(id),
    problem: 'this id does not belong to the product title of its row',
    fix: [`${evidenceOf(ids)} Check which of the two is wrong.`, hint('trustIds')],
  };
}

function evidenceOf(ids: ReadonlyMap<string, string>): string {
  return [...ids.values()].slice(0, 2).join(' ');
}

/** What is said of a row whose title is not the one that a list has for viewers. */
export function otherTitle(title: string, { title: meant, evidence, match }: KnownTitle): CellProblem {
  return {
    column: 'product_title',
    code: match === 'open' ? 'title_differs' : 'title_is_code',
    value: showValue(title),
    problem: 'viewers would see this, but the product list has another title',
    fix: `Write ${showValue(meant)}: ${evidence}`,
    meant,
  };
}
