/** The caption of a post and its lesser options: pre-check, music, label, region (contract, section 4.1). */
import { maxCaptionLength, preCheckOvertimeRange } from '../api/contract/posts.ts';
import type { Row } from './row.ts';
import type { RowInput } from './row-input.ts';
import { hasControls } from './scalars.ts';

/** Reads the caption; its length is counted in UTF-16 units. */
export function readCaption(input: RowInput): string {
  const caption = input.required('caption');
  if (caption.length > maxCaptionLength) {
    input.report(
      'caption',
      'too_long',
      `caption has ${caption.length} characters, ${maxCaptionLength} are allowed`,
      `Shorten it by ${caption.length - maxCaptionLength}.`,
    );
  } else if (hasControls(caption)) {
    input.report(
      'caption',
      'control_characters',
      'caption holds a control character',
      'Type the caption anew.',
    );
  }
  return caption;
}

/** Reads `pre_check` and its time limit, which go together and with a video only. */
export function readPreCheck(
  input: RowInput,
  mediaType: Row['mediaType'] | undefined,
): Pick<Row, 'preCheck' | 'preCheckOvertime'> {
  const preCheck = input.boolean('pre_check');
  const preCheckOvertime = input.whole('pre_check_overtime', preCheckOvertimeRange);
  if (preCheck === true && mediaType === 'PHOTO') {
    input.report('pre_check', 'pre_check_of_photo', 'only a video is pre-checked', 'Clear pre_check.');
  } else if (preCheckOvertime !== undefined && preCheck !== true) {
    input.report(
      'pre_check_overtime',
      'overtime_without_pre_check',
      'pre_check_overtime is given, but no pre-check is asked for',
      'Set pre_check to yes, or clear pre_check_overtime.',
    );
  }
  return { preCheck, preCheckOvertime };
}

/** Reads the background music: whatever is said of it needs its id. */
export function readMusic(input: RowInput): Row['music'] {
  const id = input.id('music_id');
  const title = input.line('music_title') || undefined;
  const author = input.line('music_author') || undefined;
  const duration = input.line('music_duration') || undefined;
  if (id !== '') return { id, title, author, duration };
  if (title !== undefined || author !== undefined || duration !== undefined) {
    input.report(
      'music_id',
      'music_without_id',
      'music is described, but music_id is empty',
      'Fill in music_id (`campaigns music TEXT` looks it up), or clear the other columns of music.',
    );
  }
  return undefined;
}
