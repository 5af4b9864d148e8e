/** Sheets on pages: their encoding, the places of their rows, and an example. */

import type { Problem, RowPlace } from '../../manifest/problems/problem.ts';
import { thousands } from '../../manifest/wording.ts';
import { wrongEncodingCode } from '../../sheets/text/decoder.ts';
import { type Encoding, encodings, parseEncoding } from '../../sheets/text/encoding.ts';
import { type Html, html, words } from '../html.ts';
import type { PageRequest } from '../request.ts';
import { section } from './blocks.ts';
import { select } from './form.ts';

export function encodingChoice(chosen: Encoding | undefined): Html {
  return select('Encoding', 'encoding', [['', 'detected'], ...encodings], chosen);
}

/** The encoding that a person has chosen, from the form or the address. */
export function chosenEncoding({ form, query }: Pick<PageRequest, 'form' | 'query'>): Encoding | undefined {
  return parseEncoding(form.get('encoding') ?? query.get('encoding') ?? '');
}

/** Whether the text is not in the encoding that it was read in. */
export function isEncodingWrong(problems: readonly Pick<Problem, 'code'>[]): boolean {
  return problems.some(({ code }) => wrongEncodings.has(code));
}

const wrongEncodings: ReadonlySet<string> = new Set(encodings.map(wrongEncodingCode));

/** Place of a row: `Line 1,005`; among several worksheets `Week 2, line 5`. */
export function placeName({ line, worksheet }: RowPlace): string {
  return worksheet === undefined ? `Line ${thousands(line)}` : `${worksheet}, line ${thousands(line)}`;
}

/** The same where the line alone is meant, as in a column of lines. */
export function lineName(place: RowPlace): string {
  return place.worksheet === undefined ? thousands(place.line) : placeName(place);
}

/** By column: header, header in Chinese, and the cells of two rows. */
const smallest = [
  ['creator', '达人', 'lin.xiaoyu', 'amber_looks'],
  ['media', '素材', 'rosewood/take01.mp4', 'peach-1.jpg|peach-2.jpg'],
  ['caption', '文案', '春日限定 03 号玫瑰木，黄皮也显白', 'It survived the noodles.'],
  ['product_id', '商品ID', '1729384071926530211', '1729384071926530213'],
  ['product_title', '商品标题', 'Velvet Matte 03 Rosewood', 'Dew Tint 02 Peach'],
] as const;

/** An example of a sheet, as a spreadsheet program shows it. */
export function smallestSheet(note: Html | string): Html {
  return section(
    { id: 'smallest', title: 'The smallest sheet', note },
    html`<div class="scroller" role="group" aria-labelledby="smallest" tabindex="0"><table class="sheet">
      <thead>
        <tr class="letters"><td></td>${smallest.map((_, index) => html`<td>${'ABCDE'.charAt(index)}</td>`)}</tr>
        <tr><td class="n">1</td>${smallest.map(([name, chinese]) => html`<th scope="col">${name} <span class="none" lang="zh">${chinese}</span></th>`)}</tr>
      </thead>
      <tbody>${[2, 3].map((row) => html`<tr><th scope="row" class="n">${row}</th>${smallest.map((column) => html`<td>${words(column[row] ?? '')}</td>`)}</tr>`)}</tbody>
    </table></div>`,
  );
}
