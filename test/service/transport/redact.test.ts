import { describe, expect, it } from 'vitest';
import { keyRedactor } from '../../../src/service/transport/redact.ts';
import { testClient } from '../../support/client.ts';
import { envelopeAnswer, wireServer } from '../../support/wire-server.ts';

const key = 'a"b/<c>&\'\\+~-$1';

describe('the key is taken out', () => {
  it.for([
    ['plain', key],
    ['in JSON', JSON.stringify(key).slice(1, -1)],
    ['in JSON with every slash escaped', JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/')],
    ['in JSON within JSON', JSON.stringify(JSON.stringify(key)).slice(3, -3)],
    ['in \\u escapes', [...key].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')],
    ['in some \\u escapes', key.replace('<', '\\u003C').replace('&', '\\u0026')],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in small letters', encodeURIComponent(key).toLowerCase()],
    [
      'percent-encoded to the last letter',
      [...Buffer.from(key)].map((b) => `%${b.toString(16).padStart(2, '0')}`).join(''),
    ],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
    [
      'in HTML',
      key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ],
    ['in decimal entities', [...key].map((c) => `&#${c.codePointAt(0)};`).join('')],
    [
      'in hexadecimal entities',
      [...key].map((c) => `&#x${c.codePointAt(0)?.toString(16).toUpperCase()};`).join(''),
    ],
    ['in capitals', key.toUpperCase()],
    ['in entities within percent-encoding', encodeURIComponent(key.replace('/', '&#47;'))],
  ])('%s', ([, spelled]) => {
    expect(keyRedactor(key).find(`the key ${spelled} is odd`)).toBe('the key [key] is odd');
  });
});

it('other texts are left alone', () => {
  expect(keyRedactor('a.key1').find('the aXkey1 %20 is &amp; odd')).toBeUndefined();
});

it('the key is taken out of the errors of a showcase', async () => {
  const errors = [{ code: 1, message: 'canary-key-5f2a may not', detail: { productId: '1' } }];
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ errors })));
  const answer = await testClient(server.origin).showcase.add({
    id: 1,
    addType: 'PRODUCT_ID',
    productIds: ['1'],
  });

  expect(answer.errors).toMatchObject([{ code: 1, message: '[key] may not' }]);
});
