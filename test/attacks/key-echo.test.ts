/** A service, or a proxy before it, that answers with the API key: nothing of it may be kept or shown. */
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { OperationTemplate } from '../../src/service/contract/templates.ts';
import { MalformedAnswerError } from '../../src/service/errors.ts';
import { keyRedactor } from '../../src/service/transport/redact.ts';
import { noTemplates, rejection, testClient } from '../support/client.ts';
import { collect } from '../support/collect.ts';
import { openRunner } from '../support/in-process.ts';
import { finished, openScene } from '../support/processes/scene.ts';
import { aiVideoRow, videoRow } from '../support/sheets/rows.ts';
import { envelopeAnswer, httpAnswer, wireServer } from '../support/wire-server.ts';

const key = 'sk-live/9f2c+ab==Zz';

/** Spellings as they come out of the JSON of an answer. */
const spellings = [
  ['plain', key],
  ['in JSON within JSON', key.replaceAll('/', '\\/')],
  ['in \\u escapes', key.replaceAll('/', '\\u002f')],
  ['in large \\u escapes', key.replaceAll('/', '\\u002F').replaceAll('+', '\\u002B')],
  ['percent-encoded', encodeURIComponent(key)],
  ['percent-encoded in small letters', encodeURIComponent(key).replaceAll('%2F', '%2f')],
  ['in entities', key.replaceAll('/', '&#47;').replaceAll('=', '&#x3d;')],
  ['in named entities', key.replaceAll('/', '&sol;')],
  ['in base64', Buffer.from(key).toString('base64')],
  ['in base64, after a name', Buffer.from(`u:${key}`).toString('base64')],
  ['in base64, after a longer name', Buffer.from(`me:${key}`).toString('base64')],
  ['in base64 for URLs', Buffer.from(`{"key":"${key}"}`).toString('base64url')],
  ['in base64, percent-encoded', encodeURIComponent(Buffer.from(key).toString('base64'))],
  ['in capitals', key.toUpperCase()],
] as const;

/** Whatever a spelling leaves of the key, this much of it in a row would tell. */
function leak(text: string): string | undefined {
  const parts = [key, ...spellings.map(([, spelled]) => spelled)].flatMap((spelled) => [
    spelled.slice(0, 12),
    spelled.slice(-12),
  ]);
  return parts.find((part) => text.toLowerCase().includes(part.toLowerCase()));
}

async function clientOf(answer: Buffer, options: Parameters<typeof testClient>[1] = {}) {
  const server = await wireServer((_, socket) => socket.write(answer));
  return testClient(server.origin, { apiKey: key, ...options });
}

const generation = {
  type: 'IMAGE_GENERATION',
  params: { prompt: 'a cat', model: 'gpt-image-2', aspectRatio: '9:16' },
  nums: 1,
} as const;

test.each(spellings)('the key %s is taken out of the message of a refusal', async (_, spelled) => {
  const client = await clientOf(envelopeAnswer({}, 9, 400, `bad key "${spelled}".`));
  const error = await rejection(client.generations.create(generation));

  expect(error).toMatchObject({ serviceMessage: expect.stringMatching(/^bad key ".*\[key\].*"\.$/) });
  expect(leak(String(error))).toBeUndefined();
});

test.each(spellings)('the key %s is taken out of the texts of a success', async (_, spelled) => {
  const products = [{ id: '1', title: `for ${spelled}`, price: { currency: spelled } }];
  const client = await clientOf(envelopeAnswer({ products }));
  const found = await collect(client.showcase.all({ id: 1 }));

  expect(found).toHaveLength(1);
  expect(found[0]?.title).toContain('[key]');
  expect(leak(JSON.stringify(found))).toBeUndefined();
});

test.each(spellings)('an id that holds the key %s is of no use', async (_, spelled) => {
  const client = await clientOf(envelopeAnswer({ scheduleId: `s-${spelled}` }));
  const error = (await rejection(client.generations.create(generation))) as Error;

  expect(error).toBeInstanceOf(MalformedAnswerError);
  expect(error.message).toContain('data.scheduleId: it contains the API key');
  expect(leak(error.message)).toBeUndefined();
});

test('the key is taken out before a message is cut', async () => {
  const client = await clientOf(envelopeAnswer({}, 9, 400, `${'x'.repeat(285)}${key}`));
  const error = await rejection(client.generations.create(generation));

  expect(String(error)).not.toContain(key.slice(0, 4));
});

test.each([
  ['HTML', `<pre>x-api-key: ${key}</pre>`],
  ['JSON without a code', JSON.stringify({ message: `${key.split('').reverse().join('')} is wrong` })],
  ['a text', 'x-api-key: the first part of it'],
])('nothing is quoted of a body that is %s', async (_, body) => {
  const client = await clientOf(httpAnswer(400, body));
  const error = (await rejection(client.generations.create(generation))) as Error;

  expect(error.message).toBe('createAiGenerationSchedule was refused with HTTP 400.');
});

test('a presigned URL with the key is of no use: no bytes go there', async () => {
  const data = { fileId: 7, isNew: true, uploadUrl: `https://x/put?auth=${encodeURIComponent(key)}` };
  const client = await clientOf(envelopeAnswer(data));
  const file = { fileName: 'a.png', contentType: 'image/png', size: 1, hash: 'a'.repeat(64) };

  expect(await client.files.presign(file)).toEqual({ fileId: 7, isNew: true });
});

test('the key is taken out of the publishing records', async () => {
  const template: OperationTemplate = {
    method: 'GET',
    path: '/x',
    encoding: 'json',
    result: { list: '/data' },
  };
  const list = [
    { postId: '1', failureReason: `sent with ${key}`, status: key, publicUrl: `https://x/?k=${key}` },
    { postId: key },
  ];
  const client = await clientOf(envelopeAnswer(list), { templates: { ...noTemplates, listPosts: template } });
  const records = await collect(client.posts.list({}));

  expect(records).toMatchObject([
    { postId: '1', failureReason: 'sent with [key]', status: undefined, publicUrl: undefined },
  ]);
});

test.each([
  ['a post', videoRow, 'postId', 'posts'],
  ['a generation', aiVideoRow, 'scheduleId', 'generations'],
] as const)(
  '%s that is answered with the key as its id goes to review, and is not sent again',
  async (_, row, field, effect) => {
    const lines: string[] = [];
    const runner = await openRunner({
      log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }),
      relay: {
        answered: (text) =>
          text.replaceAll(new RegExp(`"${field}":"[^"]*"`, 'g'), `"${field}":"sandbox\\u002dkey"`),
      },
    });
    const id = await runner.importOrUpdate([row('a', { product_source: 'SHOP' })]);
    await runner.start();
    await runner.ended(id);
    const rows = await runner.rows(id);

    expect(rows).toMatchObject([{ state: 'review', error: { code: 'malformed_answer' } }]);
    expect(runner.sandbox.effects()[effect]).toHaveLength(1);
    expect(JSON.stringify(rows) + lines.join('')).not.toMatch(/sandbox.{1,6}key/);
  },
);

test.each([
  ['backslashes', '\\'.repeat(2e6)],
  ['signs of percent', '%25'.repeat(1e5)],
  ['ampersands', '&amp;'.repeat(1e5)],
  ['zeros in an escape', `\\u{${'0'.repeat(2e6)}`],
  ['the beginning of the key', key.slice(0, -1).repeat(1e5)],
])('a text of megabytes of %s is read once', (_, text) => {
  // Reading it once for each of its characters would take hours.
  expect(keyRedactor(key).find(text)).toBeUndefined();
});

test('a key of less than six characters is not looked for: it could be part of any id', () => {
  expect(keyRedactor('k1').find('task1')).toBeUndefined();
});

test('with NODE_DEBUG, neither the environment of children nor anything else shows the key', async (test) => {
  const scene = await openScene(test, {
    redis: 'private',
    env: { NODE_DEBUG: 'child_process,http,net,tls,undici' },
  });
  const { code, stderr } = await finished(scene.start(['creators']));

  expect({ code, started: /args: \[[^\]]*launch/.test(stderr) }).toEqual({ code: 0, started: true });
  expect(stderr).not.toContain(scene.sandbox.apiKey);
});
