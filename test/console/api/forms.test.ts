/** What pages can do, the API can do. */
import { expect, it } from 'vitest';
import { allOperations as operations } from '../../../src/app/operations.ts';
import { pageRoutes } from '../../../src/console/pages/routes.ts';

const draft = '/campaigns/new/:draft';

/** The operation that does what a form does. */
const operationOf: Readonly<Record<string, string>> = {
  '/campaigns/new': 'createDraft',
  '/campaigns/:id/spend': 'allowSpending',
  '/campaigns/:id/rows/:key/cancel': 'cancelRow',
  '/campaigns/aliases/:kind/:name/change': 'setAlias',
  '/campaigns/aliases/:kind/:name/remove': 'removeAlias',
  [`${draft}/files/done`]: 'showDraft',
  [`${draft}/files/remove`]: 'removeDraftFile',
  [`${draft}/discard`]: 'discardDraft',
  [`${draft}/take`]: 'editDraft',
  [`${draft}/fill`]: 'editDraft',
  [`${draft}/move`]: 'editDraft',
  [`${draft}/add-columns`]: 'editDraft',
  [`${draft}/cells`]: 'editDraft',
  [`${draft}/picked`]: 'editDraft',
  [`${draft}/leave-out`]: 'editDraft',
  [`${draft}/take-in`]: 'editDraft',
  [`${draft}/again`]: 'editDraft',
  [`${draft}/absent`]: 'cancelRow',
  [`${draft}/undo`]: 'undoEdit',
  [`${draft}/columns`]: 'changeReading',
  [`${draft}/zone`]: 'changeReading',
  [`${draft}/own-status`]: 'changeReading',
  [`${draft}/hidden`]: 'changeReading',
  [`${draft}/no-posts`]: 'changeReading',
  [`${draft}/trust-ids`]: 'changeReading',
  [`${draft}/reading`]: 'changeReading',
  [`${draft}/options`]: 'changeDraftOptions',
  [`${draft}/canary`]: 'changeDraftOptions',
  // It saves what was typed, and leads to the question.
  [`${draft}/ask`]: 'changeDraftOptions',
  [`${draft}/start`]: 'startDraft',
  // It changes nothing: it shows what was typed.
  [`${draft}/typed`]: 'showDraft',
  [`${draft}/check`]: 'checkDraft',
  '/campaigns/:id/into': 'importInto',
  '/campaigns/:id/read-again': 'importInto',
  '/campaigns/new/from-address': 'createDraft',
  '/campaigns/:id/pause': 'pauseCampaign',
  '/campaigns/:id/resume': 'resumeCampaign',
  '/campaigns/:id/cancel': 'cancelCampaign',
  '/campaigns/:id/retry': 'retryRows',
  '/campaigns/:id/creators/:creator/resume': 'resumeCreator',
  '/campaigns/:id/rows/:key/retry': 'retryRows',
  '/campaigns/:id/rows/:key/edit': 'editRow',
  '/campaigns/:id/rows/:key/save': 'editRow',
  '/campaigns/:id/rows/:key/files': 'editRow',
  '/campaigns/:id/rows/:key/comments': 'addComment',
  '/campaigns/:id/links': 'shareCampaign',
  '/campaigns/:id/links/:link/revoke': 'revokeShare',
  [`${draft}/links`]: 'shareDraft',
  [`${draft}/links/:link/revoke`]: 'revokeShare',
  '/approvals/approve': 'decideApprovals',
  '/approvals/reject': 'decideApprovals',
  '/approvals/withdraw': 'decideApprovals',
  '/approvals/renew': 'renewPost',
  '/review': 'decideChosen',
  '/review/decide': 'decideChosen',
  '/review/look': 'lookIntoRecords',
  '/review/undo': 'undoDecision',
  '/queues/rate-limits/:operation': 'changeRateLimit',
  '/queues/:name/pause': 'pauseQueue',
  '/queues/:name/resume': 'resumeQueue',
  '/users': 'addUser',
  '/users/:name/remove': 'removeUser',
  '/users/:name/role': 'setRole',
  '/users/:name/password': 'setPassword',
  '/users/:name/token': 'makeToken',
  '/users/:name/tokens/:prefix/remove': 'removeToken',
  '/videos/read': 'startScrape',
  '/videos/import': 'importVideos',
  '/videos/schedule': 'setSchedule',
  '/videos/:id/remove': 'removeVideo',
};

it('every form has its operation', () => {
  const forms = pageRoutes.filter(({ method }) => method === 'post').map(({ path }) => path);
  expect(Object.keys(operationOf).sort()).toEqual(forms.sort());
  const known = new Set(operations.map(({ id }) => id));
  expect(Object.values(operationOf).filter((id) => !known.has(id))).toEqual([]);
});

/** Forms that need another right than the operation: they make a draft, or ask before a start. */
const others: Readonly<Record<string, string>> = {
  '/campaigns/:id/into': 'edit',
  '/campaigns/:id/read-again': 'edit',
  [`${draft}/ask`]: 'run',
  [`${draft}/files/done`]: 'edit',
  [`${draft}/typed`]: 'edit',
};

it('every form needs the right of its operation', () => {
  const rightOf = (path: string) => operations.find(({ id }) => id === operationOf[path])?.right;
  const forms = pageRoutes.filter(({ method }) => method === 'post');
  const differing = forms.filter(({ path, right }) => right !== (others[path] ?? rightOf(path)));
  expect(differing.map(({ path }) => path)).toEqual([]);
});
