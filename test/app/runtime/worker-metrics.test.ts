import { expect, it } from 'vitest';
import { WorkerMetrics } from '../../../src/app/runtime/worker-metrics.ts';

it('counts jobs by queue and outcome, with their times, and nothing of whose they are', async () => {
  const metrics = new WorkerMetrics();
  const job = {
    campaign: 'c77',
    row: 5,
    step: 'post',
    queue: 'post',
    job: 'c77-5-0-post',
    attempt: 1,
  } as const;
  metrics.finished({ ...job, outcome: 'done', waitMs: 2500, runMs: 40 });
  metrics.finished({ ...job, outcome: 'retry', code: 'http_500', runMs: 700 });
  const text = await metrics.metrics();
  expect(text).toContain('campaigns_jobs_total{queue="post",outcome="done"} 1');
  expect(text).toContain('campaigns_jobs_total{queue="post",outcome="retry"} 1');
  expect(text).toContain('campaigns_job_run_seconds_sum{queue="post"} 0.74');
  expect(text).toContain('campaigns_job_wait_seconds_count{queue="post"} 1');
  expect(text).not.toMatch(/c77|http_500/);
});

it('tells how far the clock of the machine is ahead of Redis now', async () => {
  const metrics = new WorkerMetrics();
  expect(await metrics.metrics()).toContain('campaigns_worker_clock_ahead_seconds 0\n');
  let aheadMs = 0;
  metrics.watchClock(() => aheadMs);
  aheadMs = -3_600_000;
  expect(await metrics.metrics()).toContain('campaigns_worker_clock_ahead_seconds -3600\n');
});

it('counts calls by operation and status; odd statuses by their class', async () => {
  const metrics = new WorkerMetrics();
  const operation = 'createCreatorPost';
  for (const status of [200, 429, 418, 419, 599]) metrics.called({ operation, kind: 'answered', status });
  metrics.called({ operation, kind: 'unanswered' });
  const lines = (await metrics.metrics())
    .split('\n')
    .filter((line) => line.startsWith('campaigns_service_calls'));
  expect(lines.map((line) => /status="(.*)"\} (\d)/.exec(line)?.slice(1))).toEqual([
    ['200', '1'],
    ['429', '1'],
    ['4xx', '2'],
    ['5xx', '1'],
    ['none', '1'],
  ]);
});

it('tells how much room the disk of DATA_DIR has, and nothing of a folder that is gone', async () => {
  const free = async (dataDir: string) => {
    const metrics = new WorkerMetrics();
    metrics.watchDataDir(dataDir);
    return /^campaigns_data_dir_free_bytes (\S+)/m.exec(await metrics.metrics())?.[1];
  };
  expect(Number(await free('/'))).toBeGreaterThan(0);
  expect(await free('/nowhere/at/all')).toBeUndefined();
});

it('has no gauge that is named like a counter', async () => {
  const gauges = (await new WorkerMetrics().metrics()).matchAll(/^# TYPE (\w+) gauge/gm);
  expect([...gauges].map(([, name]) => name).filter((name) => name?.endsWith('_total'))).toEqual([]);
});
