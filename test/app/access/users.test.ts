import { describe, expect, it } from 'vitest';
import { makeToken, signIn, whoIs } from '../../../src/app/access/credentials.ts';
import { roles } from '../../../src/app/access/roles.ts';
import {
  addFirstAdmin,
  addUser,
  listUsers,
  removeUser,
  setPassword,
  setRole,
} from '../../../src/app/access/users.ts';
import { mostUsers, type Role } from '../../../src/ledger/access/users.ts';
import { hint } from '../../../src/manifest/problems/hint.ts';
import { goodPassword, openAccess, quickUser } from '../../support/console/access.ts';
import { keysOf } from '../../support/redis/redis.ts';

const from = '10.0.0.1';

describe('users', () => {
  it('are added with a name in small letters, and sign in with any', async () => {
    const access = openAccess();
    const added = await addUser(access, { name: ' Lin.Yue ', role: 'viewer', password: goodPassword });
    expect(added.name).toBe('lin.yue');
    expect(await signIn(access, { name: 'LIN.YUE', password: goodPassword, from })).toMatchObject({
      kind: 'signed-in',
      name: 'lin.yue',
    });
  });

  it('begin with one admin, also when the first two are added at once', async () => {
    const access = openAccess();
    const added = await Promise.all(
      ['lin', 'anna'].map((name) => addUser(access, { name, role: 'viewer', password: goodPassword })),
    );
    expect(added.map(({ role }) => role).toSorted()).toEqual(['admin', 'viewer']);
    expect((await listUsers(access)).map(({ role }) => role).toSorted()).toEqual(['admin', 'viewer']);
  });

  it('begin with an admin, whatever role was asked for', async () => {
    const access = openAccess();
    const viewer = (name: string) => addUser(access, { name, role: 'viewer', password: goodPassword });
    expect([await viewer('lin'), await viewer('anna')]).toMatchObject([
      { role: 'admin' },
      { role: 'viewer' },
    ]);
  });

  it.each(['', '.lin', 'a b', 'a\nb', 'x'.repeat(65), '<b>'])('are not called %j', async (name) => {
    const access = openAccess();
    await expect(addUser(access, { name, role: 'viewer', password: goodPassword })).rejects.toMatchObject({
      code: 'user_name_invalid',
    });
  });

  it.each(['too short', 'lin.yue 12345678', 'abababababab', 'x'.repeat(300)])(
    'do not get the password %j',
    async (password) => {
      const access = openAccess();
      await expect(addUser(access, { name: 'lin.yue', role: 'viewer', password })).rejects.toMatchObject({
        code: 'password_invalid',
      });
    },
  );

  it('begin with one admin, and no second one is made', async () => {
    const access = openAccess();
    expect(await addFirstAdmin(access, goodPassword)).toBe('admin');
    expect(await addFirstAdmin(access, goodPassword)).toBeUndefined();
    expect(await listUsers(access)).toMatchObject([{ name: 'admin', role: 'admin' }]);
  });

  it('begin with one admin, whom two consoles make at once', async () => {
    const access = openAccess();
    const made = await Promise.all([1, 2].map(() => addFirstAdmin(access, goodPassword)));
    expect(made.toSorted()).toEqual(['admin', undefined]);
  });

  it('are not added twice', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'operator');
    await expect(
      addUser(access, { name: 'Lin', role: 'viewer', password: goodPassword }),
    ).rejects.toMatchObject({ code: 'user_exists' });
    expect(await listUsers(access)).toMatchObject([{ name: 'lin', role: 'operator' }]);
  });

  it('are bounded in number', async () => {
    const access = openAccess();
    const names = Array.from({ length: mostUsers }, (_, index) => `u${index}`);
    await Promise.all(names.map((name) => quickUser(access, name, 'viewer')));
    await expect(
      addUser(access, { name: 'more', role: 'viewer', password: goodPassword }),
    ).rejects.toMatchObject({ code: 'users_full' });
  });

  it('keep no password or token that Redis could tell', async () => {
    const access = openAccess();
    await addUser(access, { name: 'lin', role: 'viewer', password: goodPassword });
    const { token } = await makeToken(access, 'lin');
    const signedIn = await signIn(access, { name: 'lin', password: goodPassword, from });
    const kept = [];
    for (const key of await keysOf(access.redis, access.prefix)) {
      kept.push(
        key,
        (await access.redis.type(key)) === 'hash' ? JSON.stringify(await access.redis.hgetall(key)) : '',
      );
    }
    const secrets = [goodPassword, token, signedIn.kind === 'signed-in' ? signedIn.secret : 'missing'];
    for (const secret of secrets) expect(kept.join()).not.toContain(secret);
    expect(kept.join()).toContain('scrypt$32768$8$3$');
  });

  it('lose their sessions with a new password, and keep their tokens', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'operator');
    const { token } = await makeToken(access, 'lin');
    const session = await signIn(access, { name: 'lin', password: goodPassword, from });
    if (session.kind !== 'signed-in') throw new Error(session.kind);
    const shown = { kind: 'session', secret: session.secret } as const;
    expect((await whoIs(access, shown)).user).toEqual({ name: 'lin', role: 'operator' });
    await setPassword(access, 'lin', 'another four words');
    expect((await whoIs(access, shown)).user).toBeUndefined();
    expect((await whoIs(access, { kind: 'token', secret: token })).user).toBeDefined();
    expect((await signIn(access, { name: 'lin', password: goodPassword, from })).kind).toBe('wrong');
  });

  it('do not get a bad password later, either', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'operator');
    await expect(setPassword(access, 'lin', 'too short')).rejects.toMatchObject({ code: 'password_invalid' });
    await expect(setPassword(access, 'anna', goodPassword)).rejects.toMatchObject({ code: 'user_not_found' });
  });

  it('lose sessions and tokens when they are removed, for good', async () => {
    const access = openAccess();
    await quickUser(access, 'lin', 'operator');
    const { token } = await makeToken(access, 'lin');
    const session = await signIn(access, { name: 'lin', password: goodPassword, from });
    if (session.kind !== 'signed-in') throw new Error(session.kind);
    await removeUser(access, 'lin', { canBeLast: true });
    await quickUser(access, 'lin', 'operator');
    for (const shown of [
      { kind: 'token', secret: token },
      { kind: 'session', secret: session.secret },
    ] as const) {
      expect(await whoIs(access, shown)).toEqual({ hasUsers: true, user: undefined });
    }
    expect(await listUsers(access)).toMatchObject([{ name: 'lin', tokens: [] }]);
  });

  it.each(roles.filter((role) => role !== 'admin'))(
    'keep their only admin, who may not become %s',
    async (role) => {
      const access = openAccess();
      await quickUser(access, 'anna', 'admin');
      await quickUser(access, 'lin', 'operator');
      const last = { code: 'last_admin', fix: expect.arrayContaining([hint('addUser')]) };
      await expect(removeUser(access, 'anna')).rejects.toMatchObject(last);
      await expect(setRole(access, 'anna', role)).rejects.toMatchObject(last);
      await setRole(access, 'lin', 'admin');
      expect(await setRole(access, 'anna', role)).toBe('anna');
    },
  );

  it('lose their only admin by a command of the machine, which can make another one', async () => {
    const access = openAccess();
    await quickUser(access, 'anna', 'admin');
    await quickUser(access, 'lin', 'viewer');
    await setRole(access, 'anna', 'editor', { canBeLast: true });
    await setRole(access, 'lin', 'admin');
    await removeUser(access, 'lin', { canBeLast: true });
    expect(await listUsers(access)).toMatchObject([{ name: 'anna', role: 'editor' }]);
  });

  it('with an unknown role are nobody', async () => {
    const access = openAccess();
    await quickUser(access, 'anna', 'admin');
    const { token } = await makeToken(access, 'anna');
    await quickUser(access, 'lin', 'admin');
    await setRole(access, 'anna', 'owner' as Role);
    expect(await whoIs(access, { kind: 'token', secret: token })).toEqual({
      hasUsers: true,
      user: undefined,
    });
  });

  it('stay in reach of an admin when two step down at once', async () => {
    const access = openAccess();
    await quickUser(access, 'anna', 'admin');
    await quickUser(access, 'lin', 'admin');
    const done = await Promise.allSettled([setRole(access, 'anna', 'viewer'), removeUser(access, 'lin')]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(done).toContainEqual(
      expect.objectContaining({ reason: expect.objectContaining({ code: 'last_admin' }) }),
    );
  });

  it('have the role of now, also in a session of before', async () => {
    const access = openAccess();
    await quickUser(access, 'anna', 'operator');
    await quickUser(access, 'lin', 'operator');
    const { token } = await makeToken(access, 'lin');
    await setRole(access, 'lin', 'viewer');
    expect((await whoIs(access, { kind: 'token', secret: token })).user?.role).toBe('viewer');
  });
});
