/** The product anchor of a row, and whether to add the product to the showcase first (contract, sections 4.1 and 4.4). */
import { charactersOf, maxAnchorTitleLength } from '../../service/contract/post-limits.ts';
import { productSources } from '../../service/contract/posts.ts';
import { hint } from '../problems/hint.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { findLinkFault } from './media-source.ts';
import { hasControlsOrBreaks } from './scalars.ts';

/** Reads the product; the default source is `SHOWCASE`. */
export function readProduct(input: RowInput): Row['product'] {
  const id = input.id('product_id');
  if (id === '') reportMissingId(input);
  return {
    id,
    title: readTitle(input),
    source: input.choice('product_source', productSources) ?? 'SHOWCASE',
    link: readLink(input),
  };
}

/** Whether to add the product first. Default: yes for source `SHOWCASE` and for products added by link. */
export function readShowcase(input: RowInput, product: Row['product']): boolean {
  const given = input.boolean('showcase');
  if (given === undefined) return product.source === 'SHOWCASE' || product.link !== undefined;
  if (!given && product.link !== undefined) {
    input.report(
      'product_link',
      'link_without_showcase',
      'product_link adds the product to the showcase, but showcase is no',
      'Clear product_link, or set showcase to yes.',
    );
  }
  return given;
}

function reportMissingId(input: RowInput): void {
  if (input.text('product_link') === '') {
    input.required('product_id');
    return;
  }
  input.report(
    'product_id',
    'missing_value',
    'product_id is empty; product_link only adds the product to the showcase, but the post is anchored to it by its id',
    ['Fill in product_id too.', hint('findProducts')],
  );
}

function readTitle(input: RowInput): string {
  const title = input.required('product_title');
  const length = charactersOf(title);
  if (length > maxAnchorTitleLength) {
    input.report(
      'product_title',
      'too_long',
      `product_title has ${length} characters; ${maxAnchorTitleLength} are allowed`,
      `Shorten it by ${length - maxAnchorTitleLength}.`,
    );
  } else if (hasControlsOrBreaks(title)) {
    input.report(
      'product_title',
      'control_characters',
      'product_title contains a control character or a line break',
      'Type the title again on one line.',
    );
  }
  return title;
}

function readLink(input: RowInput): string | undefined {
  const link = input.text('product_link');
  if (link === '') return undefined;
  const fault = findLinkFault(link);
  if (fault !== null) input.report('product_link', fault.code, fault.problem, fault.cure);
  return link;
}
