/** What happened to rows, in a few words for people. */

/** Titles of codes whose message is not a short sentence. */
export const codeTitles: ReadonlyMap<string, string> = new Map([
  ['outcome_unknown', 'The service did not answer'],
  ['records_lost', 'Redis lost the records of what was sent'],
  ['posted_twice', 'Posted twice: delete one post in the social app'],
  ['post_of_another_row', 'The service named a post of another row'],
  ['sent_too_late', 'This machine stalled before it sent the call'],
  ['malformed_answer', 'The service gave an answer that cannot be read'],
  ['server_error', 'The service had an error'],
  ['service_unreachable', 'The service could not be reached'],
  ['showcase_refused', 'A product was not added to the showcase'],
  ['generation_failed', 'The AI generation failed'],
  ['generation_cancelled', 'The AI generation was cancelled'],
  ['generation_expired', 'The AI generation expired'],
  ['poll_deadline', 'The AI generation was not complete in time'],
  ['poll_refused', 'The service did not return the AI result'],
  ['late', 'The scheduled time has passed'],
  ['media_missing', 'A media file is gone'],
  ['media_empty', 'A media file is empty'],
  ['media_too_large', 'A media file is too large'],
  ['media_cover_too_large', 'A cover is too large'],
  ['media_changed', 'A media file was changed'],
  ['media_download_failed', 'A download failed'],
  ['media_download_refused', 'A download was refused'],
  ['media_url_expired', 'A link no longer leads to a file'],
  ['media_web_page', 'A link leads to a web page, not to a file'],
  ['result_expired', 'The AI result can no longer be fetched'],
  ['upload_failed', 'The upload failed'],
  ['upload_url_expired', 'The upload failed'],
  ['publishing_failed', 'The post was not published'],
  ['post_unread', 'An earlier post could not be looked up'],
]);

export const productUnavailable = 'A product is not available';
