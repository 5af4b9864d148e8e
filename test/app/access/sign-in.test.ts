import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signIn, signOut, whoIs } from '../../../src/app/access/credentials.ts';
import { sessionTimes } from '../../../src/ledger/access/sessions.ts';
import { tryLimits } from '../../../src/ledger/access/try-limits.ts';
import { goodPassword, openAccess, quickUser } from '../../support/console/access.ts';
import { keysOf } from '../../support/redis/redis.ts';

type Access = ReturnType<typeof openAccess>;

async function guess(access: Access, name: string, from: string, password = 'wrong') {
  return signIn(access, { name, password, from });
}

async function signedIn(access: Access, name = 'lin', from = 'home') {
  const answer = await guess(access, name, from, goodPassword);
  if (answer.kind !== 'signed-in') throw new Error(answer.kind);
  return { kind: 'session', secret: answer.secret } as const;
}

/** Two addresses whose SHA-256 begins with the same 16 bits. */
function sharing16Bits(): [string, string] {
  const seen = new Map<string, string>();
  for (let index = 0; ; index += 1) {
    const address = `2001:db8:0:${index.toString(16)}::/64`;
    const bits = createHash('sha256').update(address).digest('hex').slice(0, 4);
    const other = seen.get(bits);
    if (other !== undefined) return [address, other];
    seen.set(bits, address);
  }
}

async function lockOut(access: Access, address: string): Promise<void> {
  for (let index = 0; index < tryLimits.addressTries; index += 1)
    await access.ledger.access.tries.begin({ name: `made up ${index}`, address });
}

describe('a session', () => {
  it('ends without use', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const session = await signedIn(access);
    access.clock.now += sessionTimes.idleMs - 1000;
    expect((await whoIs(access, session)).user?.name).toBe('lin');
    access.clock.now += sessionTimes.idleMs - 1000;
    expect((await whoIs(access, session)).user?.name).toBe('lin');
    access.clock.now += sessionTimes.idleMs + 1000;
    expect((await whoIs(access, session)).user).toBeUndefined();
  });

  it('ends after a week in any case', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const session = await signedIn(access);
    const end = access.clock.now + sessionTimes.longestMs;
    while (access.clock.now < end) {
      expect((await whoIs(access, session)).user?.name).toBe('lin');
      access.clock.now += sessionTimes.idleMs;
    }
    access.clock.now = end + 1;
    expect((await whoIs(access, session)).user).toBeUndefined();
  });

  it('is not kept alive by a look-up that is no use', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const session = await signedIn(access);
    access.clock.now += sessionTimes.idleMs - 1000;
    expect((await whoIs(access, session, false)).user?.name).toBe('lin');
    access.clock.now += 2000;
    expect((await whoIs(access, session)).user).toBeUndefined();
  });

  it('ends by signing out, and no other with it', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const [one, other] = [await signedIn(access), await signedIn(access)];
    await signOut(access, one.secret);
    expect((await whoIs(access, one)).user).toBeUndefined();
    expect((await whoIs(access, other)).user?.name).toBe('lin');
  });
});

describe('guessing', () => {
  it('is answered alike for a name that exists and one that does not', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    expect(await guess(access, 'nobody', 'a')).toEqual(await guess(access, 'lin', 'b'));
    expect(await guess(access, 'nobody', 'a')).toEqual(await guess(access, 'lin', 'b'));
  });

  it('takes longer each time, up to a minute, for every address', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const waits: number[] = [];
    for (let index = 0; index < 9; index += 1) {
      const answer = await guess(access, 'lin', `address ${index}`);
      if (answer.kind !== 'wrong') throw new Error(answer.kind);
      waits.push(answer.waitMs / 1000);
      expect(await guess(access, 'lin', 'elsewhere', goodPassword)).toEqual({
        kind: 'wait',
        waitMs: answer.waitMs,
      });
      access.clock.now += answer.waitMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
    await signedIn(access);
    expect(await guess(access, 'lin', 'elsewhere')).toEqual({ kind: 'wrong', waitMs: 1000 });
  });

  it('does not get more tries by sending them at once', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => guess(access, 'lin', `address ${index}`)),
    );
    expect(answers.filter(({ kind }) => kind === 'wrong')).toHaveLength(1);
  });

  it('does not hold up whoever signed in from the same address before', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    await signedIn(access, 'lin', 'home');
    for (let index = 0; index < 8; index += 1) {
      await guess(access, 'lin', `address ${index}`);
      access.clock.now += tryLimits.longestWaitMs;
    }
    await guess(access, 'lin', 'address');
    expect((await guess(access, 'lin', 'elsewhere', goodPassword)).kind).toBe('wait');
    await signedIn(access, 'lin', 'home');
  });

  it('locks out an address, whatever names it tries, and nobody else', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    for (let index = 0; index < tryLimits.addressTries; index += 1) {
      await quickUser(access, `name-${index}`, 'viewer');
      expect((await guess(access, `name-${index}`, 'bad')).kind).toBe('wrong');
    }
    expect(await guess(access, 'lin', 'bad', goodPassword)).toEqual({
      kind: 'locked',
      waitMs: tryLimits.lockMs,
    });
    await signedIn(access, 'lin', 'good');
    access.clock.now += tryLimits.lockMs;
    await signedIn(access, 'lin', 'bad');
  });

  it('counts refused attempts for the address that makes them', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    await guess(access, 'lin', 'bad');
    const kinds: string[] = [];
    for (let tries = 1; tries < tryLimits.addressTries; tries += 1)
      kinds.push((await guess(access, 'lin', 'bad')).kind);
    expect([kinds.slice(0, -1).every((kind) => kind === 'wait'), kinds.at(-1)]).toEqual([true, 'locked']);
    expect((await guess(access, 'lin', 'new', goodPassword)).kind).toBe('wait');
  });

  it('every second keeps nobody out of a new address for long', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const end = access.clock.now + tryLimits.lockMs;
    let guesses = 0;
    for (;;) {
      const answer = await guess(access, 'lin', 'bad');
      if (answer.kind === 'signed-in' || answer.kind === 'locked') break;
      guesses += 1;
      access.clock.now += 1000;
    }
    expect(guesses).toBeLessThan(tryLimits.addressTries);
    expect(access.clock.now).toBeLessThan(end);
    access.clock.now += tryLimits.longestWaitMs;
    expect((await guess(access, 'lin', 'bad')).kind).toBe('locked');
    await signedIn(access, 'lin', 'new');
  });

  it('goes not on without end for somebody with an account', async () => {
    const access = openAccess();
    await quickUser(access, 'eve', 'viewer');
    let tries = 0;
    await Promise.all(Array.from({ length: 30 }, (_, index) => quickUser(access, `name-${index}`, 'viewer')));
    while ((await guess(access, `name-${tries}`, 'bad')).kind === 'wrong' && tries < 30) {
      tries += 1;
      if (tries < tryLimits.addressTries) await signedIn(access, 'eve', 'bad');
    }
    expect(tries).toBe(tryLimits.addressTries);
  });

  it('from an address that was computed to share the count of another locks out only itself', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const [bad, good] = sharing16Bits();
    await lockOut(access, bad);
    expect((await guess(access, 'lin', bad, goodPassword)).kind).toBe('locked');
    await signedIn(access, 'lin', good);
  });

  it('is counted in other places in each ledger', async () => {
    const places = await Promise.all(
      [1, 2].map(async () => {
        const access = openAccess();
        await guess(access, 'lin', '198.51.100.7');
        const keys = await keysOf(access.redis, access.prefix);
        return keys.flatMap((key) => /:tries:(?:to|from):(\w+)$/.exec(key)?.[1] ?? []);
      }),
    );
    expect(places.map((each) => each.map(({ length }) => length))).toEqual([
      [8, 8],
      [8, 8],
    ]);
    expect(new Set(places.flat()).size).toBe(4);
  });

  it('from very many addresses shares 65,536 places, and is locked out all the same', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const taken = Array.from({ length: 65_536 }, (_, index) => [
      access.clock.now + 1000,
      index.toString(36),
    ]).flat();
    await access.redis.call('ZADD', [`${access.prefix}:tries:from`, ...taken]);
    await lockOut(access, 'late');
    expect((await guess(access, 'lin', 'late', goodPassword)).kind).toBe('locked');
    const keys = await keysOf(access.redis, access.prefix);
    expect(keys.filter((key) => /:tries:from:\w{4}$/.test(key))).toHaveLength(1);
    expect(await access.redis.zcard(`${access.prefix}:tries:from`)).toBe(65_536);
    access.clock.now += 2000;
    await guess(access, 'lin', 'later');
    expect(await access.redis.zcard(`${access.prefix}:tries:from`)).toBeLessThan(65_536);
  });

  it('remembers the last 50 addresses of an account', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    for (let index = 0; index < tryLimits.mostKnown + 10; index += 1) {
      access.clock.now += 1;
      await access.ledger.access.tries.succeed({ name: 'lin', address: `address ${index}` });
    }
    const [known = ''] = (await keysOf(access.redis, access.prefix)).filter((key) => key.includes(':known:'));
    expect(await access.redis.zcard(known)).toBe(tryLimits.mostKnown);
  });

  it('leaves only keys that expire, but for the secret of the counts', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    await guess(access, 'nobody', 'bad');
    await signedIn(access);
    const keys = (await keysOf(access.redis, access.prefix)).filter((key) => !/:(?:users|secret)$/.test(key));
    expect(keys.length).toBeGreaterThan(3);
    for (const key of keys) expect(await access.redis.pttl(key), key).toBeGreaterThan(0);
  });
});
