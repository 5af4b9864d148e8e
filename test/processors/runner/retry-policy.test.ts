import { ReplyError } from 'ioredis';
import { describe, expect, it } from 'vitest';
import { NotConfirmedError } from '../../../src/platform/redis/durability.ts';
import { UnreadableRowError } from '../../../src/processors/runner/campaign-view.ts';
import { idempotent, outcomeOf } from '../../../src/processors/runner/retry-policy.ts';
import {
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  InvalidRequestError,
  KeyRefusedError,
  MalformedAnswerError,
  NotConfiguredError,
  NotSentError,
  OutcomeUnknownError,
  RefusedError,
  ServerError,
  ThrottledError,
  TooLateError,
  UploadFailedError,
} from '../../../src/service/errors.ts';
import { MediaError } from '../../../src/service/media/errors.ts';

const operation = 'createCreatorPost';
const details = { operation };
const guarded = { journalled: true, on500: 'retry' } as const;
const reviewed = { journalled: true, on500: 'review' } as const;
const retry = (exhausted: 'failed' | 'review') => expect.objectContaining({ kind: 'retry', exhausted });
const kind = (name: string) => expect.objectContaining({ kind: name });

describe('outcomeOf', () => {
  it.for([
    ['not sent', new NotSentError('', details), kind('not-sent'), kind('not-sent'), kind('not-sent')],
    [
      'a process that stood still',
      new TooLateError('', details),
      retry('failed'),
      retry('failed'),
      retry('failed'),
    ],
    ['no answer', new OutcomeUnknownError('', details), kind('unknown'), kind('unknown'), retry('failed')],
    [
      'broken answer',
      new MalformedAnswerError('', details),
      kind('unknown'),
      kind('unknown'),
      retry('failed'),
    ],
    ['500', new ServerError('', details), retry('review'), kind('unknown'), retry('failed')],
    [
      'refusal',
      new RefusedError('', { operation, status: 400 }),
      kind('refused'),
      kind('refused'),
      kind('refused'),
    ],
    [
      'a missing permission',
      new ForbiddenError('', { operation, status: 200, serviceCode: 403 }),
      expect.objectContaining({ kind: 'refused', isForbidden: true }),
      expect.objectContaining({ kind: 'refused', isForbidden: true }),
      expect.objectContaining({ kind: 'refused', isForbidden: true }),
    ],
    [
      'wrong request',
      new InvalidRequestError('', { operation, field: 'title' }),
      kind('refused'),
      kind('refused'),
      kind('refused'),
    ],
    [
      'not configured',
      new NotConfiguredError('', { operation, setting: 'x' }),
      kind('refused'),
      kind('refused'),
      kind('refused'),
    ],
    ['key refused', new KeyRefusedError('', details), kind('hold'), kind('hold'), kind('hold')],
    [
      'expired creator',
      new CreatorAuthorizationExpiredError('', details),
      kind('creator-expired'),
      kind('creator-expired'),
      kind('creator-expired'),
    ],
    ['failed PUT', new UploadFailedError('', details), kind('unknown'), kind('unknown'), retry('failed')],
    ['unreadable row', new UnreadableRowError(''), kind('refused'), kind('refused'), kind('refused')],
    [
      'missing medium',
      new MediaError('media_missing', '', 'a'),
      kind('refused'),
      kind('refused'),
      kind('refused'),
    ],
    [
      'failed download',
      new MediaError('media_download_failed', '', 'a'),
      retry('failed'),
      retry('failed'),
      retry('failed'),
    ],
  ] as const)('%s', ([, error, withRetry, withReview, repeatable]) => {
    expect(outcomeOf(error, guarded)).toEqual(withRetry);
    expect(outcomeOf(error, reviewed)).toEqual(withReview);
    expect(outcomeOf(error, idempotent)).toEqual(repeatable);
  });

  it('keeps how long a 429 asks to wait, and for which operation', () => {
    const error = new ThrottledError('', { operation, retryAfterMs: 7000 });
    expect(outcomeOf(error, guarded)).toMatchObject({ kind: 'throttled', operation, retryAfterMs: 7000 });
  });

  it('names code, subject and fix for people', () => {
    const outcome = outcomeOf(
      new MediaError('media_missing', 'It is not there.', 'a.mp4'),
      idempotent,
      'other',
    );
    expect(outcome).toMatchObject({
      failure: {
        code: 'media_missing',
        message: 'It is not there.',
        subject: 'a.mp4',
        fix: expect.any(String),
      },
    });
  });

  it.for([
    ['500', new ServerError('', details)],
    ['no answer', new OutcomeUnknownError('', details)],
    ['broken answer', new MalformedAnswerError('', details)],
  ] as const)('%s: the fix fits how the row ends', ([, error]) => {
    for (const policy of [guarded, reviewed]) {
      const outcome = outcomeOf(error, policy);
      expect(outcome).toMatchObject({ failure: { fix: expect.stringContaining('then decide.') } });
    }
    expect(outcomeOf(error, idempotent)).toMatchObject({
      failure: { fix: expect.stringMatching(/^Try again/) },
    });
  });
});

describe('a send journal that Redis does not confirm', () => {
  it('snoozes the queue, and uses no attempt', () => {
    expect(outcomeOf(new NotConfirmedError('0 of 1 replicas have it'), guarded)).toEqual({
      kind: 'snooze',
      ms: expect.any(Number),
    });
  });
});

describe('a defect', () => {
  it('ends a row after a bounded number of tries, or sends it to review where a call may have gone out', () => {
    const error = new TypeError('x is not a function');
    expect(outcomeOf(error, idempotent)).toMatchObject({ kind: 'retry', exhausted: 'failed' });
    expect(outcomeOf(error, guarded)).toMatchObject({
      kind: 'unknown',
      failure: { code: 'internal_error' },
    });
  });

  it('leaves errors of Redis to pass by themselves', () => {
    expect(outcomeOf(new ReplyError('OOM command not allowed'), guarded)).toBeUndefined();
  });
});
