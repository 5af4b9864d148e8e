/** Each operation answers what its document says: its documents, and its problems. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { makeToken } from '../../../src/app/access/credentials.ts';
import { isFile, type Operation } from '../../../src/app/operations/operation.ts';
import { allOperations as operations } from '../../../src/app/operations.ts';
import { describeApi } from '../../../src/console/api/openapi.ts';
import { type ApiAnswer, callApi } from '../../support/api.ts';
import { goodPassword, quickUser } from '../../support/console/access.ts';
import { openPages } from '../../support/console/console-pages.ts';
import { sendFile } from '../../support/drafts.ts';
import { openRunner } from '../../support/in-process.ts';
import { ledgerOn } from '../../support/ledger.ts';
import { listPostsSetting, playOnce } from '../../support/processes/scene.ts';
import { mp4 } from '../../support/sheets/media-bytes.ts';
import { videoRow } from '../../support/sheets/rows.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';
import { accessCalls, bodies, calls, sheet } from './calls.ts';

const document = describeApi('/api/v1', '0.0.0');
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');

/** What the document says of an answer that does not hold. */
function faultsOf(operation: Operation, answer: ApiAnswer): unknown {
  const { method, path } = operation;
  const kind = answer.status < 400 ? 'application/json' : 'application/problem+json';
  if (answer.type !== kind) return `it is ${answer.type}`;
  const { responses } = (
    document.paths as Record<string, Record<string, { responses: Record<string, { $ref?: string }> }>>
  )[path]?.[method] ?? { responses: {} };
  const response = responses[String(answer.status)];
  if (!response) return `status ${answer.status} is not in the document: ${answer.text}`;
  const place = response.$ref ?? `#/paths/${escaped(path)}/${method}/responses/${answer.status}`;
  const validate = ajv.getSchema(`document${place}/content/${escaped(kind)}/schema`);
  return validate?.(answer.body) === true ? [] : (validate?.errors ?? `${place} is missing`);
}

function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}

const operationOf = new Map(operations.map((operation) => [operation.id, operation]));

const namesOfDownloads = [
  ['downloadResults', /''.+, failed and review, \d+ \w{3}\.jsonl$/],
  ['exportVideos', /''Video \w+, all data, \d+ \w{3}\.jsonl$/],
] as const;

describe('the REST API', () => {
  const scene = playOnce(async (owner) => {
    const settings = { api: { listPosts: listPostsSetting() }, records: { every: '1h' } };
    const runner = await openRunner({ settings }, owner);
    runner.sandbox.faults.add({
      operation: 'createCreatorPost',
      kind: 'lost-answer',
      match: { title: 'Caption lost' },
    });
    const rows = [videoRow('good'), videoRow('refused', { product_id: 'unavailable-1' }), videoRow('lost')];
    const id = await runner.importOrUpdate(rows);
    await runner.start();
    await runner.ended(id);
    // No row runs from here on, so that each answer is the same each time.
    await (await runner.queues.queue('campaign')).pause();
    await addVideos(runner, [videoUrl('one')], { creator: 'anna' });
    const { url, runtime } = await openPages(runner, owner);
    mkdirSync(join(runner.folder, 'media'), { recursive: true });
    const answers: ApiAnswer[] = [];
    let draft = '';
    let link = '';
    for (const [operation, path, call] of calls) {
      const method = operationOf.get(operation)?.method.toUpperCase();
      const answer = await callApi(url, path.replace('DRAFT', draft).replace('LINK', link), {
        ...call,
        method,
      });
      if (operation === 'createDraft') draft = String(answer.body.id);
      if (operation === 'shareCampaign') ({ id: link } = answer.body.link as { readonly id: string });
      // The second campaign has a row that waits for an approval.
      if (operation === 'importSheet' && answer.status === 201) {
        await ledgerOn(runner.redis, runner.prefix).admit('c2', [0]);
        const end = { verdict: 'ready', gate: { name: 'unapproved', at: 1 }, fields: [] } as const;
        await runner.ledger.steps.finish({
          campaign: 'c2',
          row: 0,
          revision: 0,
          step: 'post',
          jobId: 'job',
          end,
        });
      }
      if (operation === 'downloadDraft') {
        await sendFile(runtime, draft, { path: 'media/clip.mp4', modifiedAt: 1 }, mp4);
      }
      answers.push(answer);
    }
    const headers: Record<string, string> = {};
    for (const [operation, path, call] of accessCalls) {
      const { prefix = 'none' } = answers.at(-2)?.body ?? {};
      const method = operationOf.get(operation)?.method.toUpperCase();
      answers.push(await callApi(url, path.replace('TOKEN', String(prefix)), { ...call, method, headers }));
      // From the first user on everybody signs in.
      if (headers.authorization === undefined) {
        await quickUser(runner, 'anna', 'admin');
        headers.authorization = `Bearer ${(await makeToken(runner, 'anna')).token}`;
      }
    }
    return { url, runtime, answers, headers };
  });

  it('the audit names each change, and no secrets', async () => {
    const { url, headers, answers } = scene();
    const audit = await callApi(url, '/audit?limit=500', { headers });
    const told = (audit.body.changes as { what: string }[]).map(({ what }) => what);
    expect(told).toContain('Added the admin lin.yue.');
    expect(told).toContain('Made the user lin.yue an operator.');
    expect(told).toContain('Imported second as c2: 1 row.');
    expect(told).toContain('Paused c2.');
    expect(told.find((what) => what.startsWith('Started draft'))).toMatch(/ as campaign c\d+: 1 row\.$/);
    const { token } = answers.map(({ body }) => body as { token?: string }).find((body) => body.token) ?? {};
    expect(token).toBeTypeOf('string');
    expect(audit.text).not.toContain(token);
    expect(audit.text).not.toContain(goodPassword);
  });

  it('refuses a short password as wrong input', async () => {
    const body = { name: 'ada', password: 'short' };
    const answer = await callApi(scene().url, '/users', {
      method: 'POST',
      body,
      headers: scene().headers,
    });
    expect([answer.status, answer.body.code]).toEqual([422, 'password_invalid']);
  });

  it('has a sentence for the audit for each change', () => {
    const silent = operations.filter(
      ({ method, right, audit }) => method !== 'get' && right !== 'see' && !audit,
    );
    expect(silent.map(({ id }) => id)).toEqual([]);
  });

  it('is called here in each operation', () => {
    const called = new Set([...calls, ...accessCalls].map(([id]) => id));
    expect(operations.map(({ id }) => id).filter((id) => !called.has(id))).toEqual([]);
  });

  it.each([...calls, ...accessCalls].map(([id, path], index) => ({ id, path, index })))(
    '$id $path',
    ({ id, index }) => {
      const answer = scene().answers[index];
      const operation = operationOf.get(id);
      if (!answer || !operation) throw new Error('it was not called');
      expect(answer.status, answer.text).toBeLessThan(300);
      if (isFile(operation.answer)) {
        const disposition = answer.headers.get('content-disposition') ?? '';
        expect(disposition).toContain('attachment');
        // As the downloads of the pages are named.
        const [, name] = namesOfDownloads.find(([of]) => of === id) ?? ['', /./];
        expect(decodeURIComponent(disposition)).toMatch(name);
        return;
      }
      expect(faultsOf(operation, answer)).toEqual([]);
      // The document allows fields that are added later.
      expect(operation.answer.safeParse(answer.body).error?.issues ?? []).toEqual([]);
    },
  );

  it.each(operations.filter(({ path }) => path.includes('{')))(
    '$id answers 404 for what there is not',
    async (operation) => {
      const path = operation.path.replaceAll(/\{\w+\}/g, 'none');
      const method = operation.method.toUpperCase();
      const body = operation.takesSheet ? sheet : bodies[operation.id];
      const answer = await callApi(scene().url, path, { method, body, headers: scene().headers });
      expect(answer.status, answer.text).toBe(404);
      expect(faultsOf(operation, answer)).toEqual([]);
      expect(answer.body).toMatchObject({
        code: expect.stringMatching(/_not_found$|_unknown$/),
        status: 404,
      });
    },
  );
});
