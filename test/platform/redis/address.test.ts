import { describe, expect, test } from 'vitest';
import { describeRedisAddress, parseRedisAddress } from '../../../src/platform/redis/address.ts';
import { RedisUrlError } from '../../../src/platform/redis/errors.ts';

describe('forms of REDIS_URL', () => {
  test.each([
    ['redis://localhost', { kind: 'server', host: 'localhost', port: 6379, db: 0, tls: false }],
    ['redis://10.0.0.1:6380/3', { kind: 'server', host: '10.0.0.1', port: 6380, db: 3, tls: false }],
    ['redis://[::1]:6380', { kind: 'server', host: '::1', port: 6380, db: 0, tls: false }],
    ['redis://:p%40ss@h', { kind: 'server', host: 'h', port: 6379, password: 'p@ss', db: 0, tls: false }],
    [
      'rediss://me:s3cret@h:1/2',
      { kind: 'server', host: 'h', port: 1, username: 'me', password: 's3cret', db: 2, tls: true },
    ],
    [
      'redis://me:a@b@h',
      { kind: 'server', host: 'h', port: 6379, username: 'me', password: 'a@b', db: 0, tls: false },
    ],
    ['/run/redis.sock', { kind: 'socket', path: '/run/redis.sock', db: 0, tls: false }],
    ['unix:///run/redis.sock?db=4', { kind: 'socket', path: '/run/redis.sock', db: 4, tls: false }],
    ['unix://:pw@/run/r.sock', { kind: 'socket', path: '/run/r.sock', password: 'pw', db: 0, tls: false }],
    [
      'redis+sentinel://:pw@a:26379,b/main/1?sentinelPassword=x',
      {
        kind: 'sentinel',
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 26379 },
        ],
        name: 'main',
        password: 'pw',
        sentinelPassword: 'x',
        db: 1,
        tls: false,
      },
    ],
    [
      'rediss://h?ca=/ca.pem&cert=/me.pem&key=/me.key',
      {
        kind: 'server',
        host: 'h',
        port: 6379,
        certificates: { ca: '/ca.pem', cert: '/me.pem', key: '/me.key' },
        db: 0,
        tls: true,
      },
    ],
    [
      'rediss+cluster://a:7000,b:7001',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 7000 },
          { host: 'b', port: 7001 },
        ],
        db: 0,
        tls: true,
      },
    ],
  ])('%s', (url, expected) => {
    expect(parseRedisAddress(url)).toEqual(expected);
  });

  test.each([
    'http://h',
    'h:6379',
    'redis://',
    'redis://a,b',
    'redis://h:99999',
    'redis://h/x',
    'redis+sentinel://a:1',
    'redis+cluster://a:1/3',
    'unix://host/path',
    'redis://:%zz@h',
  ])('%s is refused', (url) => {
    expect(() => parseRedisAddress(url)).toThrow(RedisUrlError);
  });
});

test.each([
  'redis://me:s3cret@h:1/2',
  'rediss://:s3cret@h',
  'unix://:s3cret@/run/r.sock',
  'redis+sentinel://:s3cret@a:1/main?sentinelPassword=s3cret',
  'redis+cluster://me:s3cret@a:1,b:2',
])('the description of %s names no password', (url) => {
  expect(describeRedisAddress(parseRedisAddress(url))).not.toContain('s3cret');
});

test.each(['redis://:s3cret@h:99999', 'nonsense://:s3cret@h', ':s3cret@h'])(
  'the refusal of %s names no password',
  (url) => {
    expect(() => parseRedisAddress(url)).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
    );
  },
);
