import { expect, it } from 'vitest';
import { LedgerFormatError, ledgerFormat } from '../../src/ledger/format.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { redisNamespace } from '../support/redis/redis.ts';

function setup() {
  const { redis, prefix, connect } = redisNamespace();
  return { redis, prefix, program: () => createLedger({ redis: connect(), prefix }) };
}

it('an empty ledger takes the format of the program', async () => {
  const { redis, prefix, program } = setup();
  await program().format.open();
  expect(await redis.hget(`${prefix}:format`, 'version')).toBe(String(ledgerFormat));
  await expect(program().format.open()).resolves.toBeUndefined();
});

it('a ledger keeps its id', async () => {
  const { program } = setup();
  const id = await program().format.id();
  expect(id).toMatch(/^[0-9a-f]{10}$/);
  expect(await program().format.id()).toBe(id);
  expect(await setup().program().format.id()).not.toBe(id);
});

it.each([ledgerFormat - 1, ledgerFormat + 1])('format %i is refused, with what to do', async (version) => {
  const { redis, prefix, program } = setup();
  await redis.hset(`${prefix}:format`, 'version', version);
  const refused = await program()
    .format.open()
    .catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(LedgerFormatError);
  expect(refused).toMatchObject({
    message: expect.stringContaining(`format ${version}`),
    fix: expect.stringContaining('version that began them'),
  });
  expect(await redis.hget(`${prefix}:format`, 'version')).toBe(String(version));
});
