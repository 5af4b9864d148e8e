/** The caption, product, pre-check and music of a post (contract, section 4.1), and whether to add the product first (4.4). */

import {
  charactersOf,
  maxAnchorTitleLength,
  maxCaptionLength,
  preCheckOvertimeRange,
  productSources,
} from '../../service/contract/posts.ts';
import { foldedNames, foldHeader } from '../columns.ts';
import { hint } from '../problems/hint.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { thousands } from '../wording.ts';
import { creatorIn, findIdFault, isProductId } from './id.ts';
import { findLinkFault, isUrl } from './media-source.ts';
import { hasControls, hasControlsOrBreaks } from './scalars.ts';

/** Reads the caption. Its length counts code points. */
export function readCaption(input: RowInput): string {
  const caption = input.required('caption');
  if (caption.length > maxCaptionLength && charactersOf(caption) > maxCaptionLength) {
    const length = charactersOf(caption);
    input.report(
      'caption',
      'too_long',
      `caption has ${thousands(length)} characters; ${thousands(maxCaptionLength)} are allowed`,
      `Shorten it by ${thousands(length - maxCaptionLength)}.`,
    );
  } else if (hasControls(caption)) {
    const problem = 'caption contains a control character';
    input.report('caption', 'control_characters', problem, 'Type the caption again.');
  }
  return caption;
}

/** Reads `pre_check` and its time limit. Only videos have them. */
export function readPreCheck(
  input: RowInput,
  mediaType: Row['mediaType'] | undefined,
): Pick<Row, 'preCheck' | 'preCheckOvertime'> {
  const preCheck = input.boolean('pre_check');
  const preCheckOvertime = input.duration('pre_check_overtime', preCheckOvertimeRange);
  if (mediaType === 'PHOTO') {
    const report = (column: 'pre_check' | 'pre_check_overtime') =>
      input.report(column, 'pre_check_of_photo', 'only a video can be pre-checked', `Clear ${column}.`);
    if (preCheck === true) report('pre_check');
    if (preCheckOvertime !== undefined) report('pre_check_overtime');
  } else if (preCheckOvertime !== undefined && preCheck !== true) {
    input.report(
      'pre_check_overtime',
      'overtime_without_pre_check',
      'pre_check_overtime is given, but pre_check is not yes',
      'Set pre_check to yes, or clear pre_check_overtime.',
    );
  }
  return { preCheck, preCheckOvertime };
}

/** The service has no label for photo posts (contract, section 4.1). */
export const noLabelForPhotos = {
  problem: 'the service takes this label for videos only',
  fix: 'Label the post in the social app',
};

/** Reads `is_ai_generated`. Generated videos are labelled unless it says no. */
export function readAiLabel(
  input: RowInput,
  mediaType: Row['mediaType'] | undefined,
  isGenerated: boolean,
): Row['isAiGenerated'] {
  const label = input.boolean('is_ai_generated');
  if (label === true && mediaType === 'PHOTO') {
    const { problem, fix } = noLabelForPhotos;
    input.report('is_ai_generated', 'ai_label_of_photo', problem, `${fix}, and leave the cell empty.`);
  }
  return label ?? (isGenerated && mediaType === 'VIDEO' ? true : undefined);
}

/** Whether the post would be labelled by default if it were a video. */
export function lacksAiLabel({ mediaType, generation, isAiGenerated }: Row): boolean {
  return mediaType === 'PHOTO' && generation !== undefined && isAiGenerated === undefined;
}

/** What people write where there is no id, or none yet. */
const placeholders: ReadonlySet<string> = new Set(
  (
    '- -- --- . _ none no nil null na n.a. tbd tba tbc todo open any default original originalsound original-sound ' +
    'trending keine keins ohne offen aucun aucune sin ninguno ninguna nenhum nenhuma nessuno nessuna kosong không ไม่มี なし 없음 ' +
    '无 没有 待定 未定 原声'
  ).split(' '),
);

export function isPlaceholder(id: string): boolean {
  return id.length < 16 && placeholders.has(id.toLowerCase());
}

function reportPlaceholder(input: RowInput, column: 'product_id' | 'music_id', fix: string): void {
  input.report(column, 'word_as_id', 'this is a word, not an id', [
    fix,
    hint(column === 'music_id' ? 'findMusic' : 'findProducts'),
  ]);
}

/** What people write for a post without background music, as `foldHeader` has it. */
const noMusic = foldedNames(
  'originalsound originalaudio original sonidooriginal audiooriginal originalton oton sonoriginal somoriginal audiooriginale ' +
    'suonooriginale suaraasli 原声 オリジナル音源 none nomusic nosound ohne ohnemusik keine keinemusik sinmusica sinsonido ' +
    'sansmusique senzamusica semmusica tanpamusik - – — /',
);

/** Reads the background music. Its other columns need `music_id`. */
export function readMusic(input: RowInput): Row['music'] {
  const others = ['music_id', 'music_author', 'music_duration'] as const;
  const isNone = noMusic.has(foldHeader(input.text('music_title')));
  if (isNone && others.every((column) => input.text(column) === '')) return undefined;
  const id = input.id('music_id');
  if (isPlaceholder(id)) reportPlaceholder(input, 'music_id', 'Clear the cell for a post without music.');
  const title = input.line('music_title') || undefined;
  const author = input.line('music_author') || undefined;
  const duration = input.line('music_duration') || undefined;
  if (id !== '') return { id, title, author, duration };
  if (title !== undefined || author !== undefined || duration !== undefined) {
    const column = input.title('music_id');
    const problem = 'music needs an id: find it, or clear the title to post without music';
    const fix = [`Fill in ${column}, or clear the other music columns.`, hint('findMusic')] as const;
    input.report('music_id', 'music_without_id', problem, fix, { value: title ?? '' });
  }
  return undefined;
}

const needsProduct = 'Fill in the id of the product. Every post needs one: skip a row without a product.';

/** Reads the product; the default source is `SHOWCASE`. */
export function readProduct(input: RowInput): Row['product'] {
  const id = input.id('product_id');
  if (id === '') reportMissingId(input);
  else if (isPlaceholder(id)) reportPlaceholder(input, 'product_id', needsProduct);
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
      `${input.title('product_link')} adds the product to the showcase, but ${input.title('showcase')} is no`,
      `Clear ${input.title('product_link')}, or set ${input.title('showcase')} to yes.`,
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
    'product_id is empty; product_link only adds the product to the showcase, and the post needs its id',
    ['Fill in product_id too.', hint('findProducts')],
  );
}

function readTitle(input: RowInput): string {
  const title = input.required('product_title');
  const length = charactersOf(title);
  const other = isUrl(title) ? 'a link' : isProductId(title) && 'an id';
  if (other) {
    const what = `${input.title('product_title')} is ${other}, not a title`;
    input.report('product_title', 'id_as_title', what, 'Write the title that viewers see.');
  } else if (length > maxAnchorTitleLength) {
    input.report(
      'product_title',
      'too_long',
      `${input.title('product_title')} has ${thousands(length)} characters; ${maxAnchorTitleLength} are allowed`,
      `Shorten it by ${length - maxAnchorTitleLength}.`,
    );
  } else if (hasControlsOrBreaks(title)) {
    input.report(
      'product_title',
      'control_characters',
      `${input.title('product_title')} contains a control character or a line break`,
      'Type the title again on one line.',
    );
  }
  return title;
}

function readLink(input: RowInput): string | undefined {
  const link = input.text('product_link');
  if (link === '') return undefined;
  const fault = findLinkFault(link);
  if (fault !== null) input.report('product_link', fault.code, fault.problem, fault.fix);
  return link;
}

/**
 * The creator of a row: username without `@`, `creatorId` or account id. The link of a profile, on any host, is read as its username.
 * `1.234.0` stays: a username may have dots.
 */
export function readCreator(input: RowInput): string {
  const text = creatorIn(input.required('creator'));
  const fault = text === '' ? null : findIdFault(text);
  if (fault !== null && (fault !== 'number' || /[^\d.]/.test(text))) input.reportIdFault('creator', fault);
  return text;
}
