/** What statuses and codes of answers mean: one error class per meaning. */
import { expect, test } from 'vitest';
import {
  CreatorAuthorizationExpiredError,
  ForbiddenError,
  GoneError,
  KeyRefusedError,
  OutcomeUnknownError,
  RefusedError,
  ServerError,
  ThrottledError,
} from '../../../src/service/errors.ts';
import { rejection, testClient } from '../../support/client.ts';
import { envelopeAnswer, httpAnswer, wireServer } from '../../support/wire-server.ts';
import { failedCreation, someGeneration } from './failed-creation.ts';

test.each([
  [400, RefusedError, 'http_400'],
  [401, KeyRefusedError, 'key_refused'],
  [403, KeyRefusedError, 'key_refused'],
  [404, RefusedError, 'http_404'],
  [408, OutcomeUnknownError, 'outcome_unknown'],
  [409, RefusedError, 'http_409'],
  [413, RefusedError, 'http_413'],
  [429, ThrottledError, 'throttled'],
  [500, ServerError, 'server_error'],
  [501, OutcomeUnknownError, 'outcome_unknown'],
  [502, OutcomeUnknownError, 'outcome_unknown'],
  [503, OutcomeUnknownError, 'outcome_unknown'],
  [504, OutcomeUnknownError, 'outcome_unknown'],
  [599, OutcomeUnknownError, 'outcome_unknown'],
  [304, OutcomeUnknownError, 'outcome_unknown'],
])('HTTP %i is a %o', async (status, kind, code) => {
  const error = await failedCreation(httpAnswer(status, status === 304 ? '' : '<h1>No</h1>'));

  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ code, status, operation: 'createAiGenerationSchedule' });
});

test.each([
  [40101, 400, CreatorAuthorizationExpiredError],
  [403, 422, ForbiddenError],
  [429, 400, RefusedError],
  [40101, 403, KeyRefusedError],
])('code %i in the body of HTTP %i says why the call was refused', async (code, status, kind) => {
  const error = await failedCreation(envelopeAnswer({}, code, status, 'no'));

  expect((error as Error).constructor).toBe(kind);
});

test('a refusal quotes the message of the envelope', async () => {
  const error = await failedCreation(envelopeAnswer({}, 1234, 400, 'prompt is bad'));

  expect(error).toMatchObject({ code: '1234', serviceCode: 1234, serviceMessage: 'prompt is bad' });
});

test.each([
  ['no permission', /: no permission\.$/],
  ['Really?', /: Really\?$/],
  ['', /\(HTTP 403\)\.$/],
])('what the service said, "%s", ends as a sentence: another may follow', async (said, message) => {
  const error = await failedCreation(envelopeAnswer({}, 1, 403, said));
  expect((error as Error).message).toMatch(message);
});

test('a refusal quotes a message on one line, and cut', async () => {
  const error = await failedCreation(envelopeAnswer({}, 1, 400, `bad\n\n  news\u0000${'x'.repeat(1000)}`));

  expect(error).toMatchObject({ serviceMessage: `bad news ${'x'.repeat(284)}… (cut)` });
});

test('a code other than 0 with HTTP 200 is a refusal with that code', async () => {
  const error = await failedCreation(envelopeAnswer({}, 777));

  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ code: '777', status: 200 });
});

test('code 40101 with HTTP 200 is the creator, not the key', async () => {
  const error = await failedCreation(envelopeAnswer({}, 40101));

  expect(error).toBeInstanceOf(CreatorAuthorizationExpiredError);
  expect(error).toMatchObject({ code: '40101' });
});

test('code 40101 means the creator in an answer of add-to-showcase, elsewhere if it is set', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({}, 40101, 400)));
  const { showcase, generations } = testClient(server.origin, { codes: { creatorExpired: [] } });

  expect(await rejection(showcase.add({ id: 1, addType: 'PRODUCT_ID', productIds: ['1'] }))).toBeInstanceOf(
    CreatorAuthorizationExpiredError,
  );
  expect(await rejection(generations.create(someGeneration))).not.toBeInstanceOf(
    CreatorAuthorizationExpiredError,
  );
});

test.each([401, 403])('HTTP %i is the key, whatever code is in the body', async (status) => {
  expect(await failedCreation(envelopeAnswer({}, 40101, status))).toBeInstanceOf(KeyRefusedError);
  expect(await failedCreation(envelopeAnswer({}, 0, status))).toBeInstanceOf(KeyRefusedError);
});

test.each([
  [401, KeyRefusedError],
  [429, ThrottledError],
  [500, ServerError],
  [503, OutcomeUnknownError],
  [599, OutcomeUnknownError],
  [40101, CreatorAuthorizationExpiredError],
  [403, ForbiddenError],
  [400, RefusedError],
  [404, RefusedError],
  [408, RefusedError],
  [600, RefusedError],
  [-1, RefusedError],
])('without a setting, HTTP 200 with code %i is a %o', async (code, kind) => {
  const error = await failedCreation(envelopeAnswer({}, code));

  expect((error as Error).constructor).toBe(kind);
  expect(error).toMatchObject({ status: 200, serviceCode: code });
});

test('the code 403 refuses its call only, in the words of the service', async () => {
  const error = await failedCreation(envelopeAnswer({}, 403, 200, 'creator.showcase.write is not granted'));

  expect(error).toMatchObject({
    code: '403',
    message: 'createAiGenerationSchedule was refused with code 403: creator.showcase.write is not granted.',
  });
});

const codes = {
  throttled: [1001],
  keyRefused: ['2000-2009'],
  creatorExpired: [3001],
  forbidden: [4001],
  retry: [500, '5000-5999'],
};

test.each([
  [1001, ThrottledError],
  [2000, KeyRefusedError],
  [2009, KeyRefusedError],
  [2010, RefusedError],
  [3001, CreatorAuthorizationExpiredError],
  [4001, ForbiddenError],
  [500, ServerError],
  [5500, OutcomeUnknownError],
  // Not on the lists any more.
  [429, RefusedError],
  [401, RefusedError],
  [403, RefusedError],
  [503, RefusedError],
  [40101, RefusedError],
])('with lists of its own, HTTP 200 with code %i is a %o', async (code, kind) => {
  expect(((await failedCreation(envelopeAnswer({}, code), { codes })) as Error).constructor).toBe(kind);
});

test('a list that is left out is as without a setting', async () => {
  const own = { codes: { throttled: [1001] } };
  expect(await failedCreation(envelopeAnswer({}, 401), own)).toBeInstanceOf(KeyRefusedError);
});

test('40101 of add-to-showcase is of the contract: no list changes it', async () => {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({}, 40101)));
  const { showcase } = testClient(server.origin, { codes: { ...codes, throttled: [40101] } });
  const error = await rejection(showcase.add({ id: 1, addType: 'PRODUCT_ID', productIds: ['1'] }));

  expect(error).toBeInstanceOf(CreatorAuthorizationExpiredError);
});

test('whichever code tells that the creator must authorize again, rows get one', async () => {
  const error = await failedCreation(envelopeAnswer({}, 3001, 200, 'log in again'), { codes });

  expect(error).toMatchObject({
    code: '40101',
    message: expect.stringContaining('code 3001: log in again.'),
  });
});

test('the lists are of answers with HTTP 2xx: a status means what the contract says', async () => {
  const all = { codes: { ...codes, throttled: [77] } };

  expect(await failedCreation(envelopeAnswer({}, 77, 400), all)).toBeInstanceOf(RefusedError);
  expect(await failedCreation(envelopeAnswer({}, 77, 403), all)).toBeInstanceOf(KeyRefusedError);
});

test('a 429 by code carries the time to wait, and is observed as throttled', async () => {
  const kinds: string[] = [];
  const answer = httpAnswer(200, '{"code":429,"message":"slow down"}', { 'retry-after': '7' });
  const error = await failedCreation(answer, { observe: ({ kind }) => kinds.push(kind) });

  expect(error).toMatchObject({ retryAfterMs: 7000 });
  expect(kinds).toEqual(['throttled']);
});

test('code 40101 with HTTP 500 is a server error', async () => {
  expect(await failedCreation(envelopeAnswer({}, 40101, 500))).toBeInstanceOf(ServerError);
});

test('a 429 carries the time to wait', async () => {
  const error = await failedCreation(httpAnswer(429, '', { 'retry-after': '7' }));

  expect(error).toMatchObject({ retryAfterMs: 7000 });
});

test('a 429 with a date is computed with the injected clock', async () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  const answer = httpAnswer(429, '', { 'retry-after': 'Thu, 01 Jan 2026 12:00:42 GMT' });

  expect(await failedCreation(answer, { now: () => now })).toMatchObject({ retryAfterMs: 42_000 });
});

test('a 429 with a date is computed with the time of the answer, because the clock of this machine may be wrong', async () => {
  const date = 'Thu, 01 Jan 2026 12:00:00 GMT';
  const answer = httpAnswer(429, '', { date, 'retry-after': 'Thu, 01 Jan 2026 12:00:42 GMT' });
  const now = Date.UTC(2026, 0, 1, 11);

  expect(await failedCreation(answer, { now: () => now })).toMatchObject({ retryAfterMs: 42_000 });
});

test('404 of the public video fetch means gone', async () => {
  const server = await wireServer((_, socket) => socket.write(httpAnswer(404)));
  const error = await rejection(testClient(server.origin).videos.fetch('https://example.com/v/1'));

  expect(error).toBeInstanceOf(GoneError);
});
