import { expect, it } from 'vitest';
import { firstFormat, LedgerFormatError, type Migration, migrations } from '../../src/ledger/format.ts';
import { createLedger } from '../../src/ledger/ledger.ts';
import { redisNamespace } from '../support/redis/redis.ts';

const newest = migrations.at(-1)?.to ?? firstFormat;
const next = newest + 1;

/** A namespace, and programs that know more or fewer migrations. */
function setup() {
  const { redis, prefix, connect } = redisNamespace();
  const program = (more: readonly Migration[] = [], patienceMs = 0) =>
    createLedger({
      redis: connect(),
      prefix,
      format: { migrations: [...migrations, ...more], patienceMs, leaseMs: 600 },
    });
  return { redis, prefix, program };
}

/** The next migration: it notes the parts of its work. @param onPart runs after each of them. */
function migration(
  notes: string[],
  onPart: (part: string) => void | Promise<void> = () => undefined,
): Migration {
  return {
    to: next,
    besideOlder: false,
    async run({ redis, keys, cursor, keep }) {
      for (let part = Number(cursor || '0') + 1; part <= 3; part += 1) {
        await redis.hset(`${keys.prefix}:converted`, part, 'yes');
        notes.push(String(part));
        await keep(String(part));
        await onPart(String(part));
      }
    },
  };
}

const facts = { host: 'hall', pid: 7, version: '0.1.0', queues: ['post'], since: 1 };

it('an empty ledger takes the newest format, without a migration', async () => {
  const { program } = setup();
  const notes: string[] = [];
  await program([migration(notes)]).format.open();
  expect(notes).toEqual([]);
  await expect(program().format.open()).rejects.toThrow(`format ${next}`);
});

it('a ledger keeps its id', async () => {
  const { program } = setup();
  const id = await program().format.id();
  expect(id).toMatch(/^[0-9a-f]{10}$/);
  expect(await program().format.id()).toBe(id);
  expect(await setup().program().format.id()).not.toBe(id);
});

it('a program refuses a newer format, and says what to do', async () => {
  const { program } = setup();
  await program([migration([])]).format.open();
  const refused = program().format.open();
  await expect(refused).rejects.toThrow(LedgerFormatError);
  await expect(refused).rejects.toMatchObject({ cure: expect.stringContaining('newer version') });
});

it('an older format is migrated once, also by programs that open it at the same time', async () => {
  const { redis, prefix, program } = setup();
  await program().format.open();
  const notes: string[] = [];
  await Promise.all([1, 2, 3].map(() => program([migration(notes)]).format.open()));
  expect(notes).toEqual(['1', '2', '3']);
  expect(await redis.hgetall(`${prefix}:format`)).toMatchObject({ version: String(next) });
  expect(await redis.hget(`${prefix}:format`, 'migrating')).toBeNull();
});

it('a migration whose process was killed goes on from its cursor once the lease has run out', async () => {
  const { prefix, redis, program } = setup();
  await program().format.open();
  const notes: string[] = [];
  const killed = migration(notes, (part) => {
    if (part === '2') throw new Error('killed');
  });
  await expect(program([killed]).format.open()).rejects.toThrow('killed');
  await expect(program().format.open()).rejects.toThrow(LedgerFormatError);
  await program([migration(notes)]).format.open();
  expect(notes).toEqual(['1', '2', '3']);
  expect(await redis.hkeys(`${prefix}:converted`)).toEqual(['1', '2', '3']);
});

it('a process that has lost its lease changes nothing more and leaves the rest to the other', async () => {
  const { redis, prefix, program } = setup();
  await program().format.open();
  const notes: string[] = [];
  const frozen = migration(notes, async (part) => {
    if (part === '1') await redis.set(`${prefix}:format:lease`, 'another', 'PX', 300);
  });
  await program([frozen]).format.open();
  expect(notes).toEqual(['1', '2', '2', '3']);
});

it('a migration waits for the workers of older programs', async () => {
  const { program } = setup();
  const older = program();
  await older.format.open();
  const worker = older.presence.announce({ ...facts, format: newest });
  await worker.beat();
  const { format: seen } = await older.presence.announce({ ...facts, pid: 8, format: next }).beat();
  const notes: string[] = [];
  const said: string[] = [];
  const opening = program([migration(notes)], 10_000).format.open((message) => {
    said.push(message);
    void worker.withdraw().then(() => notes.push('stopped'));
  });
  await opening;
  expect(said).toEqual([expect.stringContaining(`format ${next}`)]);
  expect(notes).toEqual(['stopped', '1', '2', '3']);
  expect(seen).toBe(newest);
});

it('names the workers of older programs that do not stop, and converts nothing', async () => {
  const { redis, prefix, program } = setup();
  const older = program();
  await older.format.open();
  await older.presence.announce(facts).beat();
  const opening = program([migration([])]).format.open();
  await expect(opening).rejects.toThrow('hall:7 (version 0.1.0)');
  expect(await redis.exists(`${prefix}:converted`)).toBe(0);
});

it('refuses the format of a version that was never released', async () => {
  const { redis, prefix, program } = setup();
  await redis.hset(`${prefix}:format`, 'version', String(firstFormat - 1));
  await expect(program().format.open()).rejects.toThrow('never released');
});
