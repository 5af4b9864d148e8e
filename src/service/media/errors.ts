/** Errors of media. Each has a stable code, a message and a fix. */
import type { RowErrorCode } from '../../manifest/problems/error-codes.ts';
import { type Fix, hint } from '../../manifest/problems/hint.ts';

const fixes = {
  media_missing: ['Add the file to the media folder, or fix its path in the sheet.', hint('mediaRoot')],
  media_ambiguous: 'Rename one of them, and write its name in the sheet.',
  media_outside_root: ['Add the file to the media folder.', hint('mediaRoot')],
  media_not_regular: 'Name a file. Folders, devices and pipes are not supported.',
  media_unreadable: 'Ask an operator to give the runner permission to read the file.',
  media_empty: 'Replace the file.',
  media_too_large: [
    'Make the file smaller, or ask an operator to raise the limit.',
    hint('setting', { name: 'media.maxBytes' }),
  ],
  media_cover_too_large: 'Use a smaller image as the cover: at most 20 MB.',
  media_type_mismatch: 'Fix the extension of the file, or replace the file.',
  media_type_unknown: 'Use a video (such as MP4) or an image (such as JPEG or PNG).',
  media_changed: 'Retry the row, and leave the file unchanged until it is uploaded.',
  media_url_invalid: 'Use an http or https URL without user and password.',
  media_address_refused: [
    'Use a public URL, or ask an operator to allow this address.',
    hint('setting', { name: 'media.allowPrivateAddresses' }),
  ],
  media_download_failed: 'Check that the URL works, then retry the row.',
  media_download_refused: 'Use a URL that leads to the file itself, or download the file and add it.',
  media_url_expired: 'Put a fresh, public URL into the sheet, or download the file and add it.',
  media_web_page: 'Use the URL of the file itself, or download the file and add it.',
  media_spool_full: [
    'Ask an operator to make room for downloads, then retry the row.',
    hint('setting', { name: 'media.spool' }),
  ],
} as const satisfies Readonly<Partial<Record<RowErrorCode, Fix>>>;

export type MediaErrorCode = keyof typeof fixes;

const transientCodes: ReadonlySet<MediaErrorCode> = new Set([
  'media_changed',
  'media_download_failed',
  'media_spool_full',
]);

export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly code: MediaErrorCode;
  readonly fix: Fix;
  /** The path or URL as given. */
  readonly subject: string;
  /** Whether another attempt may succeed. */
  readonly transient: boolean;

  constructor(code: MediaErrorCode, message: string, subject: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.fix = fixes[code];
    this.transient = transientCodes.has(code);
  }
}
