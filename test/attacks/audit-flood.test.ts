/** Sign-ins, which everybody with a password can repeat, must not push changes out of the audit. */
import { expect, it } from 'vitest';
import { readAudit } from '../../src/access/audit.ts';
import { signInsKept } from '../../src/ledger/access/audit.ts';
import { openAccess, quickUser } from '../support/console/access.ts';
import { openConsoleApp } from '../support/console/console-app.ts';
import { Visitor } from '../support/console/visitor.ts';

const entry = (what: string) => ({ who: 'lin', from: '10.0.0.1', what, by: '/campaigns/c1/pause' });

it('sign-ins and sign-outs of the console are kept apart from changes, and shown with them', async () => {
  const { server, ledger, connect, prefix } = await openConsoleApp();
  await quickUser({ ledger }, 'anna', 'operator');
  const anna = new Visitor(server.url);
  await anna.signIn('anna');
  await anna.post('/sign-out', { _csrf: await anna.csrf() });
  const redis = connect();
  expect(await redis.xlen(`${prefix}:audit`)).toBe(0);
  redis.disconnect();
  const { entries, total } = await readAudit({ ledger });
  expect([entries.map(({ what }) => what), total]).toEqual([['Signed out.', 'Signed in.'], 2]);
});

it('very many sign-ins remove the oldest of them, and no change', async () => {
  const access = openAccess();
  await access.ledger.access.audit.add(entry('paused'));
  const fill = `for index = 1, ${signInsKept} do redis.call('XADD', KEYS[1], '*', 'at', 0, 'what', 'in') end`;
  await access.redis.eval(fill, 1, `${access.prefix}:audit:sign-ins`);
  await access.ledger.access.audit.addSignIn(entry('in again'));
  const { total, entries } = await readAudit(access, undefined, signInsKept + 1);
  expect([total, entries.at(0)?.what, entries.at(-1)?.what]).toEqual([signInsKept + 1, 'in again', 'paused']);
});

it('pages lose no entry where a change and a sign-in have the same id', async () => {
  const access = openAccess();
  const add = (list: string, id: string, what: string) =>
    access.redis.xadd(`${access.prefix}:${list}`, id, 'at', '0', 'what', what);
  for (const ms of [1, 2, 3]) {
    await add('audit', `${ms}-0`, `change ${ms}`);
    await add('audit:sign-ins', `${ms}-0`, `sign-in ${ms}`);
  }
  await add('audit', '10-0', 'change 10');
  const seen: string[] = [];
  for (let before: string | undefined, more = true; more; ) {
    const page = await readAudit(access, before, 4);
    expect(page.entries.length).toBeLessThanOrEqual(4);
    seen.push(...page.entries.map(({ what }) => what));
    before = page.next;
    more = before !== undefined;
  }
  expect(seen.toSorted()).toEqual(
    ['change 10', ...[1, 2, 3].flatMap((ms) => [`change ${ms}`, `sign-in ${ms}`])].toSorted(),
  );
  expect(seen[0]).toBe('change 10');
});
