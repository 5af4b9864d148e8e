import { describe, expect, it } from 'vitest';
import { digestOf, makeToken, removeToken, whoIs } from '../../../src/app/access/credentials.ts';
import { listUsers, removeUser } from '../../../src/app/access/users.ts';
import { openAccess, quickUser } from '../../support/console/access.ts';

describe('a token', () => {
  it('stands for its user, and is told from others by its beginning', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const { token, prefix } = await makeToken(access, 'Lin');
    expect((await whoIs(access, { kind: 'token', secret: token })).user).toEqual({
      name: 'lin',
      role: 'viewer',
    });
    expect(token.startsWith(prefix)).toBe(true);
    expect(token.length).toBeGreaterThan(prefix.length + 30);
    expect(await listUsers(access)).toMatchObject([{ tokens: [{ prefix }] }]);
  });

  it('is void once it is removed, and no other with it', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const [one, other] = [await makeToken(access, 'lin'), await makeToken(access, 'lin')];
    await removeToken(access, 'lin', one.prefix);
    expect((await whoIs(access, { kind: 'token', secret: one.token })).user).toBeUndefined();
    expect((await whoIs(access, { kind: 'token', secret: other.token })).user).toBeDefined();
    await expect(removeToken(access, 'lin', one.prefix)).rejects.toMatchObject({ code: 'token_not_found' });
  });

  it('that was made while its user was removed stays void, also for a new user of that name', async () => {
    const access = openAccess();
    const before = await quickUser(access, 'lin', 'operator');
    await removeUser(access, 'lin', { canBeLast: true });
    const late = { prefix: 'cr_late', most: 20 };
    const { tokens } = access.ledger.access;
    expect(await tokens.add(digestOf('cr_late'), before, late)).toBe('missing');
    await quickUser(access, 'lin', 'operator');
    expect(await tokens.add(digestOf('cr_late'), before, late)).toBe('missing');
    expect((await whoIs(access, { kind: 'token', secret: 'cr_late' })).user).toBeUndefined();
    expect(await listUsers(access)).toMatchObject([{ tokens: [] }]);
  });

  it('is no session, and a session no token', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const { token } = await makeToken(access, 'lin');
    expect((await whoIs(access, { kind: 'session', secret: token })).user).toBeUndefined();
  });

  it('is not made for a user who is not there, nor without end', async () => {
    const access = openAccess();
    await expect(makeToken(access, 'lin')).rejects.toMatchObject({ code: 'user_not_found' });
    await quickUser(access, 'lin', 'viewer');
    for (let index = 0; index < 20; index += 1) await makeToken(access, 'lin');
    await expect(makeToken(access, 'lin')).rejects.toMatchObject({ code: 'tokens_full' });
    await quickUser(access, 'anna', 'viewer');
    expect(await makeToken(access, 'anna')).toMatchObject({ name: 'anna' });
  });

  it('is one of twenty, also if many are asked for at once', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const made = await Promise.allSettled(Array.from({ length: 40 }, () => makeToken(access, 'lin')));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20);
    expect((await access.ledger.access.tokens.list()).length).toBe(20);
    const forms = await Promise.allSettled([1, 2].map(() => makeToken(access, 'lin', { has: 19 })));
    expect(forms.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });

  it('is made once by a form that is sent twice at once', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    const forms = await Promise.allSettled([1, 2, 3].map(() => makeToken(access, 'lin', { has: 0 })));
    expect(forms.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is made once by a form that is sent twice', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'viewer');
    await makeToken(access, 'lin', { has: 0 });
    await expect(makeToken(access, 'lin', { has: 0 })).rejects.toMatchObject({ code: 'tokens_changed' });
    expect(await listUsers(access)).toMatchObject([{ tokens: [expect.anything()] }]);
  });
});
