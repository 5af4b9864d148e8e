/** Links are sent as valid URIs. */
import { expect, test } from 'vitest';
import { uriOf } from '../../src/service/contract/uri.ts';
import { InvalidRequestError } from '../../src/service/errors.ts';
import { rejection, testClient } from '../support/client.ts';
import { envelopeAnswer, wireServer } from '../support/wire-server.ts';

test.each([
  ['https://Shop.example:8443/p/1?a=b&c=%20#top', 'https://Shop.example:8443/p/1?a=b&c=%20#top'],
  ['https://shop.example/a b/新品', 'https://shop.example/a%20b/%E6%96%B0%E5%93%81'],
  ['https://shop.example/100%', 'https://shop.example/100%25'],
  ['https://shop.example/a"<b>\\^`{|}', 'https://shop.example/a%22%3Cb%3E%5C%5E%60%7B%7C%7D'],
  ['https://shop.example/a[1]?b[]=2', 'https://shop.example/a%5B1%5D?b%5B%5D=2'],
  ['https://[::1]:80/a b', 'https://[::1]:80/a%20b'],
  ['https://shop.example/p#a#b c', 'https://shop.example/p#a%23b%20c'],
  ['https://商店.example:81/x', 'https://xn--czrs0t.example:81/x'],
  ['shop://product/新 1', 'shop://product/%E6%96%B0%201'],
  ['urn:product:ü', 'urn:product:%C3%BC'],
  ['https://shop.example/a\nb', 'https://shop.example/a\nb'],
])('%j is sent as %s', (text, uri) => {
  expect(uriOf(text)).toBe(uri);
});

async function linkServer() {
  const server = await wireServer((_, socket) => socket.write(envelopeAnswer({ scheduleId: 's1' })));
  const client = testClient(server.origin);
  return {
    server,
    add: (productLink: string) => client.showcase.add({ id: 1, addType: 'PRODUCT_LINK', productLink }),
    generate: (...inputReferences: string[]) =>
      client.generations.create({
        type: 'IMAGE_GENERATION',
        params: { prompt: 'p', model: 'gpt-image-2', aspectRatio: '9:16', inputReferences },
        nums: 1,
      }),
  };
}

test('links and references are encoded on their way', async () => {
  const { server, add, generate } = await linkServer();
  await add('https://shop.example/新');
  await generate('https://cdn.example/a b.png');

  expect(JSON.parse(String(server.requests[0]?.body))).toMatchObject({
    productLink: 'https://shop.example/%E6%96%B0',
  });
  expect(JSON.parse(String(server.requests[1]?.body))).toMatchObject({
    params: { inputReferences: ['https://cdn.example/a%20b.png'] },
  });
});

test('a product link may have another scheme', async () => {
  const { server, add } = await linkServer();
  await add('shop://product/1');

  expect(String(server.requests[0]?.body)).toContain('"shop://product/1"');
});

test.each([
  'https://shop.example/a\u0007b',
  'https://shop.example/a\u0085',
  'https://x/\ud800',
  'shop.example/p',
  '',
])('the link %j is not sent', async (link) => {
  const { server, add, generate } = await linkServer();

  expect(await rejection(add(link))).toMatchObject({ field: 'productLink' });
  expect(await rejection(generate(link))).toBeInstanceOf(InvalidRequestError);
  expect(server.connections()).toBe(0);
});
