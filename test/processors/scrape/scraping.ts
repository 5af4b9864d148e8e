import { openRunner, type RunnerOptions, type TestRunner } from '../../support/in-process.ts';

export const operation = 'fetchPublicVideoData';

/** Workers that take scrapes only. */
export async function opened(options: RunnerOptions = {}): Promise<TestRunner> {
  const runner = await openRunner({ queues: ['scrape'], ...options });
  await runner.start();
  return runner;
}

/** Calls of the service, for all videos or one. */
export function calls({ sandbox }: TestRunner, url?: string): number {
  return sandbox
    .calls(operation)
    .filter(({ body }) => url === undefined || (body as { videoUrl: string }).videoUrl === url).length;
}
