import type { ApiCall } from '../../support/api.ts';
import { goodPassword } from '../../support/console/access.ts';
import { aiVideoRow } from '../../support/sheets/rows.ts';
import { sheetText } from '../../support/sheets/sheet.ts';
import { videoUrl } from '../../support/videos.ts';

const run = '/scrapes/1';
const video = `/videos/${encodeURIComponent(videoUrl('one'))}`;
export const sheet = sheetText([aiVideoRow('new')]);
const otherSheet = sheetText([aiVideoRow('other')]);
const draftSheet = sheetText([aiVideoRow('draft'), aiVideoRow('faulty', { product_id: '1.72938E+18' })]);
const wrongSheet = sheetText([aiVideoRow('wrong', { caption: '' })]);

/** Calls of each operation that go well, in an order in which they do. */
export const calls: readonly (readonly [id: string, path: string, call?: ApiCall])[] = [
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
  ['listApprovals', '/approvals?limit=1&campaign=c2&creator=demo_anna'],
  [
    'decideApprovals',
    '/campaigns/c2/approvals',
    { body: { decision: 'approve', posts: [{ position: 0, revision: 0, seen: 'something else' }] } },
  ],
  ['showSpending', '/campaigns/c2/spending'],
  ['allowSpending', '/campaigns/c2/spending', { body: { outputs: 0 } }],
  ['addComment', '/campaigns/c2/rows/other/comments', { body: { text: 'Fine' } }],
  ['listComments', '/campaigns/c2/rows/other/comments'],
  ['renewPost', '/campaigns/c2/rows/other/renew', { body: { revision: 0 } }],
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
  ['setAlias', '/aliases', { body: { kind: 'product', name: 'Glow Serum', means: '1729384071926530212' } }],
  ['listAliases', '/aliases'],
  ['removeAlias', '/aliases?kind=product&name=Glow%20Serum'],
  ['pauseCampaign', '/campaigns/c2/pause'],
  ['resumeCampaign', '/campaigns/c2/resume'],
  ['cancelRow', '/campaigns/c2/rows/other/cancel', { body: {} }],
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
  ['showRateLimits', '/rate-limits'],
  ['changeRateLimit', '/rate-limits/createCreatorPost', { body: { perSecond: 3 } }],
  ['resetRateLimit', '/rate-limits/createCreatorPost'],
  ['listQueues', '/queues'],
  ['pauseQueue', '/queues/upload/pause', { body: { why: 'a test' } }],
  ['resumeQueue', '/queues/upload/resume'],
  ['listWorkers', '/workers'],
  ['listCreators', '/creators?valid=true&username=demo_anna&username=demo_ben'],
  ['listProducts', '/creators/demo_anna/products?title=a'],
  ['searchMusic', '/music?text=summer'],
  ['showJournal', '/journal'],
  ['acceptJournal', '/journal/accept?dryRun=true'],
  ['acceptJournal', '/journal/accept'],
  ['listAudit', '/audit?limit=1'],
  ['exportAudit', '/audit/export?format=jsonl'],
  ['listUsers', '/users'],
];

const user = '/users/lin.yue';

/** Calls after which everybody has to sign in, as an operator. */
export const accessCalls: typeof calls = [
  ['addUser', '/users', { body: { name: 'Lin.Yue', role: 'viewer', password: goodPassword } }],
  ['setRole', `${user}/role`, { body: { role: 'operator' } }],
  ['setPassword', `${user}/password`, { body: { password: `other ${goodPassword}` } }],
  ['makeToken', `${user}/tokens`, { body: { has: 0 } }],
  ['listUsers', '/users'],
  ['removeToken', `${user}/tokens/TOKEN`],
  ['removeUser', user],
];

/** Of operations that need one, for a thing that does not exist. */
export const bodies: Readonly<Record<string, object>> = {
  retryRows: {},
  decideRow: { decision: 'not-posted' },
  decideMany: { decision: 'not-posted' },
  changeRateLimit: { perSecond: 1 },
  pauseQueue: {},
  editRow: { revision: 0, cells: { caption: 'x' } },
  setRole: { role: 'viewer' },
  decideApprovals: { decision: 'reject', posts: [{ position: 0, revision: 0 }] },
  renewPost: { revision: 0 },
  cancelRow: {},
  allowSpending: { outputs: 0 },
  addComment: { text: 'Fine' },
  setPassword: { password: goodPassword },
  makeToken: {},
  mendDraft: { version: 1 },
  undoMend: { version: 1 },
  changeReading: { version: 1, reading: {} },
  changeDraftOptions: { version: 1, options: {} },
  startDraft: { version: 1, posts: 1 },
};
