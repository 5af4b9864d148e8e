/** When each alert fires, and when it does not. */
const console = 'namespace="n", job="console"';
const worker = 'namespace="n", job="worker"';

/** Series, in promtool's notation: a sample a minute. */
type Series = Readonly<Record<string, string>>;

/** An alert over time: which of its labels fire at a time, and with which series. */
export interface Case {
  readonly alert: string;
  readonly when: string;
  readonly series: Series;
  readonly at: string;
  /** Labels of the alerts that fire, beside `namespace` and `job` of the console. */
  readonly fires: readonly Readonly<Record<string, string>>[];
}

const all = { namespace: 'n', job: 'console' };

function fires(alert: string, when: string, series: Series, at: string, labels: object = all): Case {
  return { alert, when, series, at, fires: [{ ...labels }] };
}

function quiet(alert: string, when: string, series: Series, at: string): Case {
  return { alert, when, series, at, fires: [] };
}

/** A gauge of the console that should be above 0, or below 1. */
function state(
  alert: string,
  metric: string,
  { bad, good, at, labels = '' }: { bad: string; good: string; at: string; labels?: string },
): readonly Case[] {
  const name = `${metric}{${console}, instance="a"${labels}}`;
  const other = `${metric}{${console}, instance="b"${labels}}`;
  return [
    fires(alert, 'it is so, by both consoles', { [name]: `${bad}x120`, [other]: `${bad}x120` }, at),
    quiet(alert, 'all is well', { [name]: `${good}x120` }, at),
    quiet(alert, 'it was so for a moment', { [name]: `${bad} ${good}x120` }, at),
  ];
}

const workers = (alive: number, silent: number): Series => ({
  [`campaigns_workers{${console}, state="alive"}`]: `${alive}x20`,
  [`campaigns_workers{${console}, state="silent"}`]: `${silent}x20`,
});
const rowsDue = (rows: number): Series => ({ [`campaigns_rows_due{${console}}`]: `${rows}x20` });
const review = `campaigns_review_waiting{${console}, instance="a"}`;
const replaced = `campaigns_review_waiting{${console}, instance="b"}`;
const queuePaused = `campaigns_queue_paused{${console}, instance="a", queue="post"}`;
const due = `campaigns_scrape_due_timestamp_seconds{${console}}`;
const calls = (status: string, each: number): Series => ({
  [`campaigns_service_calls_total{${worker}, operation="createCreatorPost", status="${status}"}`]: `0+${each}x60`,
});
const lag = (job: string, seconds: number): Series => ({
  [`nodejs_eventloop_lag_p99_seconds{namespace="n", job="${job}", instance="a"}`]: `${seconds}x30`,
});
const isWorker: Series = { [`campaigns_worker_clock_ahead_seconds{${worker}, instance="a"}`]: '0x30' };

const rulesOfPauses = ['key_refused', 'refused_for_everyone', 'throttled', 'stop_after', 'journal_behind'];

export const cases: readonly Case[] = [
  fires('CampaignsConsoleAbsent', 'it was never scraped', {}, '6m', {}),
  fires('CampaignsConsoleAbsent', 'it went', { [`campaigns_redis_up{${console}}`]: '1x5 stale' }, '20m', {}),
  quiet('CampaignsConsoleAbsent', 'it is there', { [`campaigns_redis_up{${console}}`]: '0x20' }, '20m'),
  fires('CampaignsWorkersAbsent', 'none was ever scraped', {}, '6m', {}),
  quiet(
    'CampaignsWorkersAbsent',
    'Redis is away, which is another alert',
    { [`campaigns_redis_up{${console}}`]: '0x20' },
    '20m',
  ),
  quiet('CampaignsWorkersAbsent', 'one is there', isWorker, '20m'),
  ...state('CampaignsRedisAway', 'campaigns_redis_up', { bad: '0', good: '1', at: '3m' }),
  ...state('CampaignsRedisWritesRefused', 'campaigns_redis_writable', { bad: '0', good: '1', at: '3m' }),
  ...state('CampaignsRedisDisk', 'campaigns_redis_disk_well', { bad: '0', good: '1', at: '3m' }),
  ...state('CampaignsWorkerClock', 'campaigns_workers', {
    bad: '1',
    good: '0',
    at: '3m',
    labels: ', state="wrong_clock"',
  }),
  ...state('CampaignsPeriodicJobMissing', 'campaigns_periodic_missing', { bad: '1', good: '0', at: '4m' }),
  ...state('CampaignsRowsWithoutJobs', 'campaigns_rows_without_jobs', { bad: '3', good: '0', at: '4m' }),
  ...[
    { used: 90, max: 100, at: '11m', is: true, when: 'it is nearly full' },
    { used: 80, max: 100, at: '11m', is: false, when: 'there is room' },
    { used: 90, max: 0, at: '11m', is: false, when: 'it has no bound' },
  ].map(({ used, max, at, is, when }) =>
    (is ? fires : quiet)(
      'CampaignsRedisMemory',
      when,
      {
        [`campaigns_redis_memory_bytes{${console}}`]: `${used}x20`,
        [`campaigns_redis_memory_max_bytes{${console}}`]: `${max}x20`,
      },
      at,
    ),
  ),
  fires(
    'CampaignsDataDirFull',
    'less than a gigabyte is free on one of two',
    {
      [`campaigns_data_dir_free_bytes{${worker}, instance="a"}`]: '5e8x20',
      [`campaigns_data_dir_free_bytes{${worker}, instance="b"}`]: '5e9x20',
    },
    '6m',
    { namespace: 'n', job: 'worker', instance: 'a' },
  ),
  quiet(
    'CampaignsDataDirFull',
    'there is room',
    { [`campaigns_data_dir_free_bytes{${worker}}`]: '5e9x20' },
    '6m',
  ),
  fires('CampaignsNoWorker', 'rows need one', { ...workers(0, 1), ...rowsDue(7) }, '6m'),
  quiet('CampaignsNoWorker', 'one lives', { ...workers(1, 0), ...rowsDue(7) }, '6m'),
  quiet('CampaignsNoWorker', 'no row is due within a day', { ...workers(0, 0), ...rowsDue(0) }, '6m'),
  fires('CampaignsWorkerSilent', 'others live', workers(2, 1), '3m'),
  quiet('CampaignsWorkerSilent', 'all live', workers(2, 0), '3m'),
  quiet('CampaignsWorkerSilent', 'none lives, which is another alert', workers(0, 1), '3m'),
  {
    alert: 'CampaignsPausedByRule',
    when: 'for each reason, and as long as nobody resumes them',
    series: Object.fromEntries(
      rulesOfPauses.map((reason) => [`campaigns_campaigns_paused{${console}, reason="${reason}"}`, '0 1x60']),
    ),
    at: '50m',
    fires: rulesOfPauses.map((reason) => ({ ...all, reason })),
  },
  quiet(
    'CampaignsPausedByRule',
    'a person or a canary paused them',
    {
      [`campaigns_campaigns_paused{${console}, reason="paused"}`]: '1x20',
      [`campaigns_campaigns_paused{${console}, reason="canary"}`]: '1x20',
      [`campaigns_campaigns_paused{${console}, reason="key_refused"}`]: '0x20',
    },
    '10m',
  ),
  quiet(
    'CampaignsPausedByRule',
    'they were resumed',
    { [`campaigns_campaigns_paused{${console}, reason="key_refused"}`]: '3x20 0x20' },
    '30m',
  ),
  fires('CampaignsReviewWaiting', 'rows wait for half an hour', { [review]: '2x40' }, '31m'),
  fires(
    'CampaignsReviewWaiting',
    'the console was away meanwhile, and came back in another pod',
    { [review]: '2x20 stale', [replaced]: '_x28 2x20' },
    '31m',
  ),
  quiet('CampaignsReviewWaiting', 'they wait for a few minutes', { [review]: '0x20 2x40' }, '40m'),
  quiet(
    'CampaignsReviewWaiting',
    'they were decided while the console was away',
    { [review]: '2x20 stale', [replaced]: '_x28 0x20' },
    '40m',
  ),
  fires('CampaignsQueuePaused', 'it is paused for an hour', { [queuePaused]: '1x70' }, '61m', {
    ...all,
    queue: 'post',
  }),
  fires(
    'CampaignsQueuePaused',
    'the console was away meanwhile',
    { [queuePaused]: '1x20 _x20 1x40' },
    '61m',
    { ...all, queue: 'post' },
  ),
  quiet('CampaignsQueuePaused', 'it was resumed in between', { [queuePaused]: '1x20 0 1x50' }, '61m'),
  fires(
    'CampaignsServiceFails',
    'half of the calls fail',
    { ...calls('200', 5), ...calls('500', 5) },
    '25m',
    {
      namespace: 'n',
      operation: 'createCreatorPost',
    },
  ),
  fires('CampaignsServiceFails', 'no call is answered', calls('none', 5), '25m', {
    namespace: 'n',
    operation: 'createCreatorPost',
  }),
  quiet('CampaignsServiceFails', 'one in ten fails', { ...calls('200', 9), ...calls('503', 1) }, '25m'),
  quiet('CampaignsServiceFails', 'calls are refused', { ...calls('200', 5), ...calls('400', 5) }, '25m'),
  // The time of these tests begins at 0.
  fires(
    'CampaignsScrapeMissing',
    'it is due for 13 hours, and none has ever ended',
    { [due]: '-46800x5' },
    '1m',
  ),
  quiet('CampaignsScrapeMissing', 'it may still come', { [due]: '-36000x5' }, '1m'),
  quiet('CampaignsScrapeMissing', 'the next one is due in the future', { [due]: '7200x5' }, '1m'),
  quiet('CampaignsScrapeMissing', 'none is scheduled', {}, '1m'),
  fires('CampaignsEventLoopSlow', 'a worker is slow', { ...lag('worker', 2), ...isWorker }, '11m', {
    namespace: 'n',
    job: 'worker',
    instance: 'a',
  }),
  quiet(
    'CampaignsEventLoopSlow',
    'another program of Node is slow',
    { ...lag('shop', 2), ...isWorker },
    '11m',
  ),
  quiet('CampaignsEventLoopSlow', 'a worker is quick', { ...lag('worker', 0.1), ...isWorker }, '11m'),
];
