/** The caption, pre-check and music of a post (contract, section 4.1). */

import { charactersOf, maxCaptionLength, preCheckOvertimeRange } from '../../api/contract/posts.ts';
import { hint } from '../problems/hint.ts';
import type { Row } from '../row.ts';
import type { RowInput } from '../row-input.ts';
import { hasControls } from './scalars.ts';

/** Reads the caption. Its length counts code points. */
export function readCaption(input: RowInput): string {
  const caption = input.required('caption');
  if (caption.length > maxCaptionLength && charactersOf(caption) > maxCaptionLength) {
    const length = charactersOf(caption);
    input.report(
      'caption',
      'too_long',
      `caption has ${length} characters; ${maxCaptionLength} are allowed`,
      `Shorten it by ${length - maxCaptionLength}.`,
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
  const preCheckOvertime = input.whole('pre_check_overtime', preCheckOvertimeRange);
  if (preCheck === true && mediaType === 'PHOTO') {
    input.report('pre_check', 'pre_check_of_photo', 'only a video can be pre-checked', 'Clear pre_check.');
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

/** Reads the background music. Its other columns need `music_id`. */
export function readMusic(input: RowInput): Row['music'] {
  const id = input.id('music_id');
  const title = input.line('music_title') || undefined;
  const author = input.line('music_author') || undefined;
  const duration = input.line('music_duration') || undefined;
  if (id !== '') return { id, title, author, duration };
  if (title !== undefined || author !== undefined || duration !== undefined) {
    input.report('music_id', 'music_without_id', 'other music columns are filled in, but music_id is empty', [
      'Clear the other music columns, or fill in music_id.',
      hint('findMusic'),
    ]);
  }
  return undefined;
}
