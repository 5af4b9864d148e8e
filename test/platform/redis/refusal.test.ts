import { Redis, ReplyError } from 'ioredis';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  isDamage,
  isOutage,
  isRedisFailure,
  nameKey,
  refusalCode,
  untilWritable,
  untilWritten,
} from '../../../src/platform/redis/refusal.ts';
import { redisNamespace } from '../../support/redis/redis.ts';

const refused = (message: string): Error => new (ReplyError as new (message: string) => Error)(message);

describe('a refusal to write', () => {
  it.for([
    ['OOM', "OOM command not allowed when used memory > 'maxmemory'."],
    ['READONLY', "READONLY You can't write against a read only replica. script: d96c, on @user_script:217."],
    ['READONLY', 'ERR Error running script (call to f_1): @user_script:1: -READONLY You cannot write'],
    ['MISCONF', 'MISCONF Errors writing to the AOF file: No space left on device'],
    ['NOREPLICAS', 'NOREPLICAS Not enough good replicas to write.'],
    ['CLUSTERDOWN', 'CLUSTERDOWN The cluster is down'],
  ] as const)('%s is known by its code: %s', ([code, message]) => {
    expect(refusalCode(refused(message))).toBe(code);
  });

  it('is seen in a transaction that was given up because of it', () => {
    const error = refused('EXECABORT Transaction discarded because of previous errors.');
    const previousErrors = [refused('READONLY You cannot write')];
    expect(refusalCode(Object.assign(error, { previousErrors }))).toBe('READONLY');
  });

  it('is not seen in other errors of Redis, nor in errors of others', () => {
    expect(refusalCode(refused('WRONGTYPE Operation against a key'))).toBeUndefined();
    expect(refusalCode(new Error('OOM'))).toBeUndefined();
  });
});

it('an error about the type of a key names the key', async () => {
  const { redis, prefix } = redisNamespace();
  await redis.set(`${prefix}:list`, 'no list');
  const error: Error = await redis.lrange(`${prefix}:list`, 0, -1).then(
    () => expect.fail('it is no list'),
    (reason) => reason,
  );
  nameKey(error);
  expect(isDamage(error)).toBe(true);
  expect(error.message).toMatch(/^WRONGTYPE .* \(.*:list\)$/);
});

describe('a failure of Redis', () => {
  it('is any answer that is an error, and any end of a connection', async () => {
    const connection = redisNamespace().connect();
    connection.disconnect();
    const closed: unknown = await connection.ping().catch((error: unknown) => error);
    expect(isRedisFailure(closed)).toBe(true);
    expect(isRedisFailure(refused('WRONGTYPE Operation'))).toBe(true);

    const patient = new Redis({ port: 1, maxRetriesPerRequest: 0 });
    patient.on('error', () => undefined);
    onTestFinished(() => patient.disconnect());
    const spent: unknown = await patient.ping().catch((error: unknown) => error);
    expect(isRedisFailure(spent)).toBe(true);
  });

  it('is no defect of ours', () => {
    expect(isRedisFailure(new TypeError('x is not a function'))).toBe(false);
  });
});

describe('damaged data', () => {
  it.for([
    'WRONGTYPE Operation against a key holding the wrong kind of value',
    'ERR hash value is not an integer',
    "ERR user_script:12: attempt to index local 'x' (a nil value)",
  ])('is told from outages: %s', (message) => {
    expect(isDamage(refused(message))).toBe(true);
  });

  it.for([
    'READONLY You cannot write',
    'ERR Error running script (call to f_1): @user_script:1: -OOM command not allowed',
    'ERR max number of clients reached',
    'NOAUTH Authentication required.',
    'MOVED 1 127.0.0.1:1',
  ])('is not: %s', (message) => {
    expect(isDamage(refused(message))).toBe(false);
  });
});

describe('an error that the owner of the connection reports', () => {
  it.for([
    refused('OOM command not allowed'),
    refused('UNBLOCKED force unblock from blocking operation, instance state changed (master -> replica?)'),
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' }),
    new Error('Connection is closed.'),
  ])('%s', (error) => {
    expect(isOutage(error)).toBe(true);
  });

  it('is none of BullMQ, of Redis about a command, or of ours', () => {
    const ours = Object.assign(new TypeError('x'), { code: 'ERR_INVALID_ARG_TYPE' });
    const others = [new Error('could not renew lock for job a'), refused('WRONGTYPE Operation'), ours];
    expect(others.filter(isOutage)).toEqual([]);
  });
});

describe('a wait until Redis takes writes', () => {
  it('ends with the refusal, for all who wait', async () => {
    let tries = 0;
    const wait = untilWritable(async () => {
      tries += 1;
      return tries < 3 ? refused('OOM') : undefined;
    });
    await Promise.all([wait(), wait()]);
    expect(tries).toBe(3);
  });
});

describe('a script that must be written', () => {
  it('is repeated while Redis refuses', async () => {
    let tries = 0;
    const run = untilWritten(async ([value]) => {
      tries += 1;
      if (tries < 3) throw refused('MISCONF Errors writing to the AOF file');
      return value;
    });
    expect(await run(['result'])).toBe('result');
    expect(tries).toBe(3);
  });

  it('is given up in the end, and at once for any other error', async () => {
    const full = untilWritten(async () => Promise.reject(refused('OOM')), 0);
    await expect(full([])).rejects.toThrow('OOM');
    let tries = 0;
    const wrong = untilWritten(async () => {
      tries += 1;
      throw refused('ERR wrong number of arguments');
    });
    await expect(wrong([])).rejects.toThrow('wrong number');
    expect(tries).toBe(1);
  });
});
