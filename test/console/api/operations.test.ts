/** Each operation answers what its document says: its documents, and its problems. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { makeToken } from '../../../src/access/tokens.ts';
import { receiveWhole } from '../../../src/campaigns/drafts/files/upload.ts';
import { describeApi } from '../../../src/console/api/openapi.ts';
import type { Operation } from '../../../src/console/api/operation.ts';
import { operations } from '../../../src/console/api/operations.ts';
import { goodPassword, quickUser } from '../../support/access.ts';
import { type ApiAnswer, type ApiCall, callApi } from '../../support/api.ts';
import { openPages } from '../../support/console-pages.ts';
import { openRunner } from '../../support/in-process.ts';
import { mp4 } from '../../support/media-bytes.ts';
import { aiVideoRow, videoRow } from '../../support/rows.ts';
import { listPostsSetting, playOnce } from '../../support/scene.ts';
import { sheetText } from '../../support/sheet.ts';
import { addVideos, videoUrl } from '../../support/videos.ts';

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

const run = '/scrapes/1';
const video = `/videos/${encodeURIComponent(videoUrl('one'))}`;
const sheet = sheetText([aiVideoRow('new')]);
const otherSheet = sheetText([aiVideoRow('other')]);
const draftSheet = sheetText([aiVideoRow('draft'), aiVideoRow('faulty', { product_id: '1.72938E+18' })]);
const wrongSheet = sheetText([aiVideoRow('wrong', { caption: '' })]);

/** Calls of each operation that go well, in an order in which they do. */
const calls: readonly (readonly [id: string, path: string, call?: ApiCall])[] = [
  ['listCampaigns', '/campaigns?limit=1'],
  ['listCampaigns', '/campaigns?text=demo_anna'],
  ['showCampaign', '/campaigns/c1'],
  ['listCauses', '/campaigns/c1/causes'],
  ['showProgress', '/campaigns/c1/progress'],
  ['showThroughput', '/campaigns/c1/throughput'],
  ['showWaiting', '/waiting'],
  ['findRows', '/rows?key=lost'],
  ['showCalendar', '/calendar?from=2027-03-08&days=7&zone=Asia/Shanghai&near=10'],
  ['listRows', '/campaigns/c1/rows?state=failed&step=post&order=descending'],
  ['listRows', '/campaigns/c1/rows?order=changed&limit=1'],
  ['showRow', '/campaigns/c1/rows/refused'],
  ['downloadResults', '/campaigns/c1/results?format=jsonl&only=failed&only=review'],
  ['checkSheet', '/checks?file=posts.csv&timezone=Europe/Berlin&map=ai_prompt=ai_prompt', { body: sheet }],
  ['downloadTemplate', '/template?format=xlsx'],
  ['checkSheet', '/checks', { body: wrongSheet }],
  ['retryRows', '/campaigns/c1/retry', { body: { dryRun: true } }],
  ['retryRows', '/campaigns/c1/retry', { body: { error: 'none_such' } }],
  ['decideMany', '/campaigns/c1/decisions', { body: { decision: 'not-posted', dryRun: true } }],
  [
    'decideSheet',
    '/campaigns/c1/decisions/sheet?dryRun=true',
    { body: 'campaign,key,decision\nc1,lost,not-posted\n' },
  ],
  ['listReview', '/review?limit=1&doubt=no-record&creator=demo_anna'],
  [
    'decideChosen',
    '/review/decisions',
    {
      body: {
        rows: [
          { campaign: 'c1', position: 2, revision: 0, decision: 'not-posted' },
          { campaign: 'c1', position: 0, revision: 0, decision: 'posted', postId: 'x' },
        ],
        dryRun: true,
      },
    },
  ],
  ['showRowCells', '/campaigns/c1/rows/good/cells'],
  ['downloadMedium', '/campaigns/c1/rows/good/media/media/0'],
  [
    'editRow',
    '/campaigns/c1/rows/refused/cells',
    { body: { revision: 0, cells: { caption: 'Better' }, dryRun: true } },
  ],
  ['decideRow', '/campaigns/c1/rows/lost/decision', { body: { decision: 'not-posted' } }],
  ['undoDecision', '/campaigns/c1/rows/lost/decision'],
  ['lookIntoRecords', '/review/look', { body: { rows: [{ campaign: 'c1', position: 2 }] } }],
  ['refreshCampaign', '/campaigns/c1/refresh'],
  ['resumeCreator', '/campaigns/c1/creators/demo_anna/resume'],
  ['importInto', '/campaigns/c1/sheet?dryRun=true', { body: sheet }],
  ['importInto', '/campaigns/c1/sheet', { body: sheet }],
  ['importSheet', '/campaigns?name=second&canary=1', { body: otherSheet }],
  ['importSheet', '/campaigns', { body: otherSheet }],
  ['createDraft', '/drafts?file=spring.csv', { body: draftSheet }],
  ['listDrafts', '/drafts'],
  ['showDraft', '/drafts/DRAFT'],
  ['listDraftRows', '/drafts/DRAFT/rows?of=problems&limit=2'],
  ['listSuggestions', '/drafts/DRAFT/suggestions'],
  ['mendDraft', '/drafts/DRAFT/mends', { body: { version: 2, leaveOut: [1] } }],
  ['undoMend', '/drafts/DRAFT/undo', { body: { version: 3 } }],
  [
    'changeReading',
    '/drafts/DRAFT/reading',
    { body: { version: 4, reading: { timezone: 'Asia/Shanghai' } } },
  ],
  [
    'changeDraftOptions',
    '/drafts/DRAFT/options',
    { body: { version: 5, options: { name: 'spring', leaveOutProblems: true } } },
  ],
  ['downloadDraft', '/drafts/DRAFT/sheet?which=problems'],
  ['listDraftFiles', '/drafts/DRAFT/files'],
  ['removeDraftFile', '/drafts/DRAFT/files/media%2Fclip.mp4'],
  ['checkDraft', '/drafts/DRAFT/check'],
  ['startDraft', '/drafts/DRAFT/start', { body: { version: 8, posts: 1 } }],
  ['startDraft', '/drafts/DRAFT/start', { body: { version: 8, posts: 1 } }],
  ['createDraft', '/drafts?file=summer.csv', { body: wrongSheet }],
  ['discardDraft', '/drafts/DRAFT'],
  ['pauseCampaign', '/campaigns/c2/pause'],
  ['resumeCampaign', '/campaigns/c2/resume'],
  ['cancelCampaign', '/campaigns/c2/cancel'],
  ['deleteCampaign', '/campaigns/c2?force=true'],
  ['listVideos', '/videos?limit=1&creator=anna'],
  ['importVideos', '/videos?file=list.csv', { body: `video_url\n${videoUrl('two')}\n` }],
  ['exportVideos', `/video-export?format=jsonl&since=7d&video=${encodeURIComponent(videoUrl('one'))}`],
  ['showVideoOverview', '/video-overview?span=7&zone=Asia/Shanghai&limit=1&by=campaign&sort=plays'],
  ['showVideo', video],
  ['reportVideos', '/video-report?by=creator&since=7d&top=3'],
  ['setSchedule', '/scrape-schedule', { body: { cron: '0 3 * * *', tz: 'Asia/Shanghai' } }],
  ['showSchedule', '/scrape-schedule'],
  ['removeSchedule', '/scrape-schedule'],
  ['startScrape', '/scrapes', { body: {} }],
  ['startScrape', '/scrapes', { body: {} }],
  ['showScrape', run],
  ['removeVideo', video],
  ['showBudgets', '/budgets'],
  ['changeBudget', '/budgets/createCreatorPost', { body: { perSecond: 3 } }],
  ['resetBudget', '/budgets/createCreatorPost'],
  ['listQueues', '/queues'],
  ['pauseQueue', '/queues/upload/pause', { body: { why: 'a test' } }],
  ['resumeQueue', '/queues/upload/resume'],
  ['listWorkers', '/workers'],
  ['listCreators', '/creators?valid=true&username=demo_anna&username=demo_ben'],
  ['listProducts', '/creators/demo_anna/products?title=a'],
  ['searchMusic', '/music?text=summer'],
  ['showJournal', '/journal'],
  ['acceptJournal', '/journal/accept'],
  ['listAudit', '/audit?limit=1'],
  ['exportAudit', '/audit/export?format=jsonl'],
  ['listUsers', '/users'],
];

const user = '/users/lin.yue';

/** Calls after which everybody has to sign in, as an operator. */
const accessCalls: typeof calls = [
  ['addUser', '/users', { body: { name: 'Lin.Yue', role: 'viewer', password: goodPassword } }],
  ['setRole', `${user}/role`, { body: { role: 'operator' } }],
  ['setPassword', `${user}/password`, { body: { password: `other ${goodPassword}` } }],
  ['makeToken', `${user}/tokens`, { body: { has: 0 } }],
  ['listUsers', '/users'],
  ['removeToken', `${user}/tokens/TOKEN`],
  ['removeUser', user],
];

const operationOf = new Map(operations.map((operation) => [operation.id, operation]));

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
    const id = await runner.handIn(rows);
    await runner.start();
    await runner.ended(id);
    // No row runs from here on, so that each answer is the same each time.
    await runner.queues.queue('campaign').pause();
    await addVideos(runner, [videoUrl('one')], { creator: 'anna' });
    const { url, runtime } = await openPages(runner, owner);
    mkdirSync(join(runner.folder, 'media'), { recursive: true });
    const answers: ApiAnswer[] = [];
    let draft = '';
    for (const [operation, path, call] of calls) {
      const method = operationOf.get(operation)?.method.toUpperCase();
      const answer = await callApi(url, path.replace('DRAFT', draft), { ...call, method });
      if (operation === 'createDraft') draft = String(answer.body.id);
      if (operation === 'downloadDraft') {
        const medium = { draft, path: 'media/clip.mp4', by: 'test' };
        await receiveWhole(runtime, medium, Readable.from([mp4]));
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
        await quickUser(runner, 'anna', 'operator');
        headers.authorization = `Bearer ${(await makeToken(runner, 'anna')).token}`;
      }
    }
    return { url, runtime, answers, headers };
  });

  it('names in the audit what was changed, and no secrets', async () => {
    const { url, headers, answers } = scene();
    const audit = await callApi(url, '/audit?limit=500', { headers });
    const told = (audit.body.changes as { what: string }[]).map(({ what }) => what);
    expect(told).toContain('Add a user. User lin.yue, role viewer.');
    expect(told).toContain(
      'Make a user a viewer or an operator, also with tokens. User lin.yue, role operator.',
    );
    expect(told.find((what) => what.startsWith('Make a sheet'))).toMatch(/\. Campaign c\d+, name /);
    expect(told.find((what) => what.startsWith('Pause a campaign'))).toMatch(/\. Campaign c\d+/);
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
      if (operation.answer === undefined) {
        expect(answer.headers.get('content-disposition')).toContain('attachment');
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

/** Of operations that need one, for a thing that does not exist. */
const bodies: Readonly<Record<string, object>> = {
  retryRows: {},
  decideRow: { decision: 'not-posted' },
  decideMany: { decision: 'not-posted' },
  changeBudget: { perSecond: 1 },
  pauseQueue: {},
  editRow: { revision: 0, cells: { caption: 'x' } },
  setRole: { role: 'viewer' },
  setPassword: { password: goodPassword },
  makeToken: {},
  mendDraft: { version: 1 },
  undoMend: { version: 1 },
  changeReading: { version: 1, reading: {} },
  changeDraftOptions: { version: 1, options: {} },
  startDraft: { version: 1, posts: 1 },
};
