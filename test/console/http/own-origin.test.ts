import { describe, expect, it } from 'vitest';
import { foreignness, isLoopback } from '../../../src/console/http/own-origin.ts';

describe('a host that only this machine can reach', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('%s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['0.0.0.0', '::', '10.0.0.1', 'example.com', 'localhost.example.com', '127.0.0.1.nip.io', ''])(
    'not: %s',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

describe('requests', () => {
  const host = '127.0.0.1:3000';

  it.each([
    ['a page that is opened', 'GET', { host }],
    ['a change by a page of ours', 'PUT', { host, origin: 'http://127.0.0.1:3000' }],
    ['a change by a program', 'PUT', { host }],
    ['a change by a browser that leaves Origin out', 'PUT', { host, 'sec-fetch-site': 'same-origin' }],
    ['the other end of a tunnel', 'PUT', { host: 'localhost:80', origin: 'http://localhost:80' }],
    ['IPv6', 'PUT', { host: '[::1]:3000', origin: 'http://[::1]:3000' }],
    [
      'reading for another page, whose browser keeps the answer from it',
      'GET',
      { host, origin: 'http://a.example' },
    ],
  ])('taken: %s', (_what, method, headers) => {
    expect(foreignness(method, headers)).toBeUndefined();
  });

  it.each([
    ['a foreign page', 'PUT', { host, origin: 'https://a.example' }],
    ['a page on another port', 'POST', { host, origin: 'http://127.0.0.1:8080' }],
    ['another name of this machine', 'PUT', { host, origin: 'http://localhost:3000' }],
    ['TLS where there is none', 'PUT', { host, origin: 'https://127.0.0.1:3000' }],
    ['a page without an origin', 'PATCH', { host, origin: 'null' }],
    ['a foreign page whose browser leaves Origin out', 'DELETE', { host, 'sec-fetch-site': 'cross-site' }],
    ['a neighbour whose browser leaves Origin out', 'PUT', { host, 'sec-fetch-site': 'same-site' }],
    ['a foreign name', 'PUT', { host: 'a.example:3000' }],
    ['a foreign name that is its own origin', 'PUT', { host: 'a.example', origin: 'http://a.example' }],
    ['reading under a foreign name', 'GET', { host: 'a.example' }],
    ['a name that begins like ours', 'GET', { host: 'localhost.a.example' }],
    ['a name behind ours', 'GET', { host: 'localhost@a.example' }],
    ['no host', 'GET', {}],
  ])('refused: %s', (_what, method, headers) => {
    expect(foreignness(method, headers)).toEqual(expect.any(String));
  });
});
