/**
 * What can come of a call that did not succeed, one class per meaning (contract, sections 3, 4, 5 and 7).
 * Callers tell them apart by class, never by message. Every error says which operation it was and what a person can do.
 */

interface ApiErrorDetails {
  readonly operation: string;
  /** HTTP status of the answer, where there was one. */
  readonly status?: number | undefined;
  /** Business code of the envelope, where there was one. */
  readonly serviceCode?: number | undefined;
  /** What the service said, cut to a length fit for a log line or a sheet. */
  readonly serviceMessage?: string | undefined;
  readonly cause?: unknown;
}

export abstract class ApiError extends Error {
  /** Stable name of the meaning: written to sheets, grouped by, and listed in `docs/operations.md`. */
  abstract readonly code: string;
  /** What a person can do about it. */
  abstract readonly cure: string;
  readonly operation: string;
  readonly status: number | undefined;
  readonly serviceCode: number | undefined;
  readonly serviceMessage: string | undefined;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.operation = details.operation;
    this.status = details.status;
    this.serviceCode = details.serviceCode;
    this.serviceMessage = details.serviceMessage;
  }
}

/** The connection was never made (refused, DNS, connect timeout): the service has not seen the call. */
export class NotSentError extends ApiError {
  readonly code = 'service_unreachable';
  readonly cure = 'Check CREATOR_API_URL and the network; the call is repeated by itself.';
}

/** The call was, or may have been, sent and no usable answer tells what became of it. */
export class OutcomeUnknownError extends ApiError {
  readonly code: string = 'outcome_unknown';
  readonly cure: string = 'Look in the service whether it took effect; the row is not sent again by itself.';
}

/** An answer came with a good status, but it is not what the contract says (not JSON, half a body, a field that is missing). */
export class MalformedAnswerError extends OutcomeUnknownError {
  override readonly code = 'malformed_answer';
  override readonly cure = 'Ask the provider of the service: its answer does not follow the contract.';
}

/** HTTP 429. `retryAfterMs` is what `Retry-After` asked for, where it did. */
export class ThrottledError extends ApiError {
  readonly code = 'throttled';
  readonly cure = 'Lower the budget of this operation; the call is repeated by itself.';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ApiErrorDetails & { readonly retryAfterMs?: number | undefined }) {
    super(message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** HTTP 500: the contract says to retry it when transient. */
export class ServerError extends ApiError {
  readonly code = 'server_error';
  readonly cure = 'It is repeated by itself; if it stays, ask the provider of the service.';
}

/** The service understood the call and refused it (400 and other 4xx but 401, 403, 408, 429; or an envelope code other than 0). */
export class RefusedError extends ApiError {
  readonly code: string;
  readonly cure: string = 'Mend what the service names in the sheet, then hand it in again.';

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
    this.code = details.serviceCode ? String(details.serviceCode) : `http_${details.status ?? 0}`;
  }
}

/** HTTP 401 or 403: the API key is at fault, not the row. */
export class KeyRefusedError extends ApiError {
  readonly code = 'key_refused';
  readonly cure = 'Give a key that is valid and permitted for this operation, then resume the campaign.';
}

/** Business code 40101: the creator has to authorize anew. */
export class CreatorAuthorizationExpiredError extends RefusedError {
  override readonly cure = 'Let the creator authorize anew, then resume the campaign for this creator.';
}

/** HTTP 404 of the public video fetch: the video was deleted, or never was. */
export class GoneError extends ApiError {
  readonly code = 'video_gone';
  readonly cure = 'Nothing to do: the public video does not exist any more.';
}

/** The request breaks a rule of the contract. It was not sent. */
export class InvalidRequestError extends ApiError {
  readonly code = 'invalid_request';
  readonly cure = 'Mend the field that is named in the sheet, then hand it in again.';
  /** Path of the field in the request, as in `socialShop.productInfo.title`. */
  readonly field: string;

  constructor(message: string, details: ApiErrorDetails & { readonly field: string }) {
    super(message, details);
    this.field = details.field;
  }
}

/** An operation that the contract does not show (section 4.9), and whose form the settings do not give, or give wrongly. Nothing was sent. */
export class NotConfiguredError extends ApiError {
  readonly code = 'not_configured';
  readonly cure: string;
  /** Name of the setting, as in `api.confirmUpload`. */
  readonly setting: string;

  constructor(message: string, details: ApiErrorDetails & { readonly setting: string }) {
    super(message, details);
    this.setting = details.setting;
    this.cure = `Give the setting ${details.setting} as the provider of the service describes the operation.`;
  }
}

/** The bytes did not arrive at the presigned URL. Sending them again is harmless. */
export class UploadFailedError extends OutcomeUnknownError {
  override readonly code: string = 'upload_failed';
  override readonly cure: string = 'It is repeated by itself; if it stays, ask the provider of the service.';
}

/** The presigned URL has expired (`expiresAt`), or the storage refuses it with 403: it has to be presigned anew. */
export class UploadUrlExpiredError extends UploadFailedError {
  override readonly code = 'upload_url_expired';
  override readonly cure =
    'It is presigned anew by itself; if it stays, compare the clock of this machine with the time.';
}
