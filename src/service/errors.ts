/**
 * How a call can fail, one class per meaning (contract, sections 3, 4, 5 and 7). Callers tell errors apart by class, never
 * by message. Every error names its operation and what a person can do.
 */
import type { ErrorCode } from '../manifest/problems/error-codes.ts';
import { authorizationExpiredCode } from './contract/creators.ts';

interface ApiErrorDetails {
  readonly operation: string;
  /** HTTP status of the answer, if any. */
  readonly status?: number | undefined;
  /** Business code of the envelope, if any. */
  readonly serviceCode?: number | undefined;
  /** Message of the service, cut to fit a log line or a sheet. */
  readonly serviceMessage?: string | undefined;
  readonly cause?: unknown;
}

/** A call that failed; each meaning has a class of its own. */
export abstract class ApiError extends Error {
  /** Stable code: written to sheets, used to group rows, and listed in `docs/runbook.md`. */
  abstract readonly code: ErrorCode;
  abstract readonly fix: string;
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

/** The connection was never made (refused, DNS, connect timeout), so the service has not seen the call. */
export class NotSentError extends ApiError {
  readonly code: ErrorCode = 'service_unreachable';
  readonly fix: string =
    "Try again later. If it fails again, ask an operator to check the service's address and the network.";
}

/** The process stood still between the journal entry of a call and its first byte, for too long: it was not sent. */
export class TooLateError extends NotSentError {
  override readonly code = 'sent_too_late';
  override readonly fix =
    'The call is retried automatically. If this persists, ask an operator why the machine stalls, or why its disk is slow.';
}

/** The call was sent, or may have been, and no usable answer says whether it took effect. */
export class OutcomeUnknownError extends ApiError {
  readonly code: ErrorCode = 'outcome_unknown';
  readonly fix: string =
    "Check the creator's profile, or the service's dashboard. The row is not resent automatically.";
}

/** This process gave the call up, because it stops: the service may still be at work on it. */
export class CutOffError extends OutcomeUnknownError {}

/** An answer with a good status that breaks the contract (not JSON, half a body, a missing field). */
export class MalformedAnswerError extends OutcomeUnknownError {
  override readonly code = 'malformed_answer';
  override readonly fix =
    'Try again. If the error persists, ask service support: the service’s answer does not follow its API.';
}

/** HTTP 429, or a code of `api.codes.throttled`. `retryAfterMs` is the wait of `Retry-After`, if given. */
export class ThrottledError extends ApiError {
  readonly code = 'throttled';
  readonly fix =
    'The call is retried automatically. If this persists, ask an operator to lower the rate limit.';
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: ApiErrorDetails & { readonly retryAfterMs?: number | undefined }) {
    super(message, details);
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** HTTP 500, or that code, if it is one of `api.codes.retry`: the contract says to retry it when transient. */
export class ServerError extends ApiError {
  readonly code = 'server_error';
  readonly fix = 'Try again later. If the error persists, ask service support.';
}

/** The service refused the call: a 4xx other than 401, 403, 408 and 429, or an envelope code that `api.codes` does not name. */
export class RefusedError extends ApiError {
  readonly code: ErrorCode;
  readonly fix: string;

  constructor(message: string, details: ApiErrorDetails) {
    super(message, details);
    const correct = 'In the sheet, fix what the service names. Then update the campaign with it.';
    // Other than 400, a status alone does not tell that the row is wrong.
    const mayPass = !details.serviceCode && details.status !== 400;
    this.fix = mayPass ? `${correct} If the row is right, retry it: the cause may be gone.` : correct;
    this.code = details.serviceCode ? `${details.serviceCode}` : `http_${details.status ?? 0}`;
  }
}

/** HTTP 401 or 403, or a code of `api.codes.keyRefused`: the API key is at fault, not the row. */
export class KeyRefusedError extends ApiError {
  readonly code = 'key_refused';
  readonly fix =
    'Ask an operator for an API key with permission for this operation, then resume the campaign.';
}

/** A code of `api.codes.forbidden` with HTTP 2xx: a permission is missing, of this creator or, if it is so for everyone, of the key. */
export class ForbiddenError extends RefusedError {
  override readonly fix =
    'Get the permission that the service names, for the creator or the API key. Then retry the row.';
}

/** Code 40101, or another of `api.codes.creatorExpired`: the creator must authorize again. Rows get the code of the contract. */
export class CreatorAuthorizationExpiredError extends RefusedError {
  override readonly code = `${authorizationExpiredCode}` as const;
  override readonly fix = 'Ask the creator to authorize again, then resume the campaign for this creator.';
}

/** HTTP 404 of the public video fetch: the video was deleted, or never existed. */
export class GoneError extends ApiError {
  readonly code = 'video_gone';
  readonly fix = 'Nothing to do: the public video no longer exists.';
}

/** The request breaks a rule of the contract. It was not sent. */
export class InvalidRequestError extends ApiError {
  readonly code = 'invalid_request';
  readonly fix = 'Fix this field in the sheet, then update the campaign with it.';
  /** Path of the field in the request, such as `socialShop.productInfo.title`. */
  readonly field: string;

  constructor(message: string, details: ApiErrorDetails & { readonly field: string }) {
    super(message, details);
    this.field = details.field;
  }
}

/** The setting of an operation that the contract does not show (section 4.9) is missing or wrong. Nothing was sent. */
export class NotConfiguredError extends ApiError {
  readonly code = 'not_configured';
  readonly fix = 'Ask an operator to set it up.';
  /** Name of the setting, such as `api.confirmUpload`. */
  readonly setting: string;

  constructor(message: string, details: ApiErrorDetails & { readonly setting: string }) {
    super(message, details);
    this.setting = details.setting;
  }
}

/** The presigned URL leads to an address that the settings do not allow. Nothing was sent. */
export class UploadAddressRefusedError extends ApiError {
  readonly code = 'upload_address_refused';
  readonly fix =
    "Ask an operator whether the address of the service's storage may be allowed, then retry the row.";
}

/** The bytes did not arrive at the presigned URL. Sending them again is harmless. */
export class UploadFailedError extends OutcomeUnknownError {
  override readonly code: ErrorCode = 'upload_failed';
  override readonly fix: string = 'Try again later. If the error persists, ask service support.';
}

/** The presigned URL has expired (`expiresAt`), or the storage refuses it with 403. It must be presigned again. */
export class UploadUrlExpiredError extends UploadFailedError {
  override readonly code = 'upload_url_expired';
  override readonly fix = 'Try again. If the error persists, check the clock of this machine.';
}
