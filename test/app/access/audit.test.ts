import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type AuditFormat, exportAudit, readAudit } from '../../../src/app/access/audit.ts';
import { auditEntriesKept } from '../../../src/ledger/access/audit.ts';
import { openAccess } from '../../support/console/access.ts';

type Access = ReturnType<typeof openAccess>;

const entry = (what: string) => ({ who: 'lin', from: '10.0.0.1', what, by: '/campaigns/c1/pause' });

async function exported(access: Access, format: AuditFormat): Promise<string> {
  const chunks: Buffer[] = [];
  const to = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  await exportAudit(access, format, to);
  return Buffer.concat(chunks).toString();
}

describe('the audit', () => {
  it('shows the newest change first, a page at a time', async () => {
    const access = openAccess();
    for (let index = 0; index < 60; index += 1)
      await access.ledger.access.audit.add(entry(`change ${index}`));
    const first = await readAudit(access);
    expect(first.entries).toHaveLength(50);
    expect(first.total).toBe(60);
    expect(first.entries[0]).toMatchObject({ ...entry('change 59'), at: access.clock.now });
    const second = await readAudit(access, first.next);
    expect(second.entries.map(({ what }) => what)).toEqual(
      Array.from({ length: 10 }, (_, index) => `change ${9 - index}`),
    );
    expect(second.next).toBeUndefined();
    expect((await readAudit(access, undefined, 60)).next).toBeUndefined();
  });

  it('forgets the oldest changes', async () => {
    const access = openAccess();
    const fill = `for index = 1, ${auditEntriesKept.changes} do redis.call('XADD', KEYS[1], '*', 'at', 0, 'what', 'change ' .. index) end`;
    await access.redis.eval(fill, 1, `${access.prefix}:audit`);
    for (const what of ['new', 'newer']) await access.ledger.access.audit.add(entry(what));
    expect(await readAudit(access)).toMatchObject({ total: auditEntriesKept.changes });
    expect((await exported(access, 'jsonl')).trimEnd().split('\n').at(-1)).toContain('"change 3"');
  });

  it('is exported so that no spreadsheet program runs it', async () => {
    const access = openAccess();
    await access.ledger.access.audit.add(entry('=cmd|calc'));
    await access.ledger.access.audit.add(entry('said "yes", and\nmore'));
    const at = new Date(access.clock.now).toISOString();
    expect(await exported(access, 'csv')).toBe(
      `\ufeffat,who,from,what,by\r\n${at},lin,10.0.0.1,"said ""yes"", and\nmore",/campaigns/c1/pause\r\n${at},lin,10.0.0.1,'=cmd|calc,/campaigns/c1/pause\r\n`,
    );
    expect(
      (await exported(access, 'jsonl')).split('\n').map((line) => line && JSON.parse(line).what),
    ).toEqual(['said "yes", and\nmore', '=cmd|calc', '']);
  });

  it('starts with the newest change for an id that is none', async () => {
    const access = openAccess();
    await access.ledger.access.audit.add(entry('change'));
    expect((await readAudit(access, '0-0 COUNT 1')).entries).toHaveLength(1);
  });
});
