/** What a header says by a part of it: `Caption incl. hashtags`, `Asset (file or link)`, `Reference image`. */
import { type ColumnName, foldHeader } from '../columns.ts';
import { namedColumn } from './header.ts';

interface NamedPart {
  readonly column: ColumnName;
  /** As written. */
  readonly part: string;
}

/** Too doubtful to be read without a question. */
const others: ReadonlyMap<string, ColumnName> = new Map(
  (
    [
      ['ai_seconds', 'length duration secs sec'],
      [
        'ai_size',
        'bildformat videoformat seitenformat formatvideo formatovideo formatodevideo aspect dimensions',
      ],
      ['music_title', 'sound sounds song track audio ton son sonido som suono suara'],
      [
        'ai_count',
        'numerodeimagenes numimagenes noimagenes numberofimages noofimages numimages nbimages nombredimages anzahlbilder',
      ],
      ['product_id', 'idtiktok tiktokid tiktokproductid tiktokproduktid idproductotiktok idproduittiktok'],
      ['ai_references', 'ref refs refimage refimages'],
      ['product_title', 'pintitle'],
      ['cover_timestamp_ms', 'coverat covertime coversecond coverseconds coversec coverzeit coversekunde'],
      ['creator', 'who postedby wer qui quien quem siapa'],
    ] as const
  ).flatMap(([column, names]) => names.split(' ').map((name) => [name, column] as const)),
);

/** Words by which a header is of remarks on a column: `Caption ideas`, `Product (client wishes)`. */
const remarks: ReadonlySet<string> = new Set(
  (
    'idea ideas note notes remark remarks comment comments wish wishes feedback internal brief briefing draft old ' +
    'status ok approved approval check checked todo by length count ' +
    'idee ideen notiz notizen bemerkung kommentar kommentare wunsch wunsche intern entwurf alt freigabe ' +
    'note idees remarque commentaire brouillon ancien interne nota notas comentario comentarios borrador ' +
    'interno rascunho observacao catatan komentar draf'
  ).split(' '),
);

/** Longer headers are sentences. */
const longestName = 80;
const mostWords = 8;

/**
 * Without what is in brackets, then by its first words, then by its last: the longest part that names a column.
 * @returns undefined for a header of remarks, too.
 */
export function findNamedPart(name: string): NamedPart | undefined {
  if (name.length > longestName) return undefined;
  const words = wordsOf(withoutBrackets(name)).slice(0, mostWords);
  const all = wordsOf(name.replace(/[()[\]{}（）【】]/g, ' '));
  const starts = words.map((_word, at) => words.slice(0, words.length - at));
  const ends = words.map((_word, at) => words.slice(at)).slice(1);
  for (const part of [...starts, ...ends]) {
    const folded = foldHeader(part.join(''));
    const column = others.get(folded) ?? namedColumn(folded);
    const isOfRemarks = () => all.some((word) => !part.includes(word) && remarks.has(foldHeader(word)));
    if (column !== undefined && !isOfRemarks()) return { column, part: part.join(' ') };
  }
  return undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s/&+,;:|–—-]/).filter(Boolean);
}

const opening = '([{（【';
const closing = ')]}）】';

function withoutBrackets(name: string): string {
  let depth = 0;
  let kept = '';
  for (const character of name) {
    if (opening.includes(character)) depth += 1;
    else if (closing.includes(character)) depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += character;
  }
  return kept;
}

/** Whether a column has product ids. One called Product may have their titles. @param sheet name of its worksheet. */
export function hasProductIds(header: string, sheet: string): boolean {
  const isId = () => wordsOf(header.toLowerCase()).some((word) => word === 'id' || word === 'sku');
  return namedColumn(foldHeader(header.trim())) === 'product_id' || (isOfProducts(sheet) && isId());
}

/** Whether the name of a worksheet or a header speaks of products, in the languages of headers. */
export function isOfProducts(name: string): boolean {
  return /prod|catalog|katalog|sku|article|artikel|articulo|artigo|articolo|sanpham|สินค้า|商品|产品|製品|상품|제품/.test(
    foldHeader(name),
  );
}
