/** What can be wrong with a medium. Each error has a stable code, says what is wrong and what would be right. */

/** By code: what a person can do about it, and whether it may go away by itself. */
const catalogue = {
  media_missing: {
    transient: false,
    cure: 'Put the file there, or mend the path; it is relative to the media root.',
  },
  media_outside_root: {
    transient: false,
    cure: 'Move the file under the media root, or name another one with --media-root.',
  },
  media_not_regular: { transient: false, cure: 'Name a file; folders, devices and pipes are not taken.' },
  media_unreadable: { transient: false, cure: 'Let the runner read the file: look at its permissions.' },
  media_empty: { transient: false, cure: 'Replace the file: it has no bytes.' },
  media_too_large: { transient: false, cure: 'Make the file smaller, or raise the setting media.maxBytes.' },
  media_type_mismatch: {
    transient: false,
    cure: 'Give the file the extension of what it is, or replace it by what it should be.',
  },
  media_type_unknown: {
    transient: false,
    cure: 'Give a video (such as MP4) or an image (such as JPEG or PNG).',
  },
  media_changed: {
    transient: true,
    cure: 'Leave the file alone while it is uploaded; it is read again by itself.',
  },
  media_url_invalid: { transient: false, cure: 'Give an http or https URL without user and password.' },
  media_address_refused: {
    transient: false,
    cure: 'Give a public URL, or add the address to the setting media.allowPrivateAddresses.',
  },
  media_download_failed: {
    transient: true,
    cure: 'It is fetched again by itself; if it stays, look whether the URL works.',
  },
  media_download_refused: {
    transient: false,
    cure: 'Give a URL that answers with the file itself, without a redirect.',
  },
  media_spool_full: {
    transient: true,
    cure: 'It is fetched again by itself; if it stays, raise the setting media.spool or free the disk.',
  },
} as const;

export type MediaErrorCode = keyof typeof catalogue;

export class MediaError extends Error {
  override readonly name = 'MediaError';
  readonly code: MediaErrorCode;
  readonly cure: string;
  /** The path or URL, as it was given. */
  readonly subject: string;
  /** Whether another attempt may do better. */
  readonly transient: boolean;

  constructor(code: MediaErrorCode, message: string, subject: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.cure = catalogue[code].cure;
    this.transient = catalogue[code].transient;
  }
}
