/** Bull Board shows the queues to operators. It has no authentication of its own: see `app.ts`. */
import { createBullBoard } from '@bull-board/api';
import type { BoardHooks, UIConfig } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { DescribeJobs } from '../../campaigns/progress/shown-jobs.ts';
import { ofSteps, stepFacts } from '../../manifest/steps.ts';
import type { QueueName, Queues } from '../../queues/queues.ts';
import { queueTitles } from '../pages/queues/rate-limits.ts';
import { isChange, refusalOf } from './changes.ts';
import { BoardQueue, BoardRefusalError } from './queue.ts';
import type { Redact } from './redaction.ts';
import { createPresentation, type PresentJobs } from './shown-jobs.ts';

export interface BoardOptions {
  readonly queues: Queues;
  /** Looks up the row of a job. Without it, titles have row numbers. */
  readonly describe?: DescribeJobs | undefined;
  readonly redact: Redact;
  /** Logs every change, made or refused. */
  readonly log: Logger;
  /** Path of the board, without a slash at the end. */
  readonly path: string;
  readonly look: UIConfig;
}

const descriptions: Readonly<Record<QueueName, string>> = {
  ...ofSteps((step) => stepFacts[step].about),
  campaign: 'Starts waiting rows as others end, and repairs lost jobs',
  notify: 'Sends signed messages to webhook endpoints',
  scrape: 'Updates the public figures of videos',
};

/** Creates the board as an application to mount at `path`. */
export function createBoard({
  queues,
  describe = async () => new Map(),
  redact,
  log,
  path,
  look,
}: BoardOptions): Express {
  const adapter = new ExpressAdapter().setBasePath(path);
  createBullBoard({
    queues: Object.entries(queueTitles).map(
      ([name, title]) =>
        new BoardQueue(queues.queue(name as QueueName), title, descriptions[name as QueueName]),
    ),
    serverAdapter: adapter,
    options: {
      uiConfig: look,
      handlerHooks: boardHooks(redact, log, createPresentation(queues, describe)),
    },
  });
  // The board's own error handler would show any error unredacted.
  adapter.setErrorHandler((error) => errorAnswer(error, redact, log));
  const board = adapter.getRouter() as Express;
  return board.disable('x-powered-by');
}

/** Redacts answers here, because the board's own formatters skip error texts, stack traces and logs. */
function boardHooks(redact: Redact, log: Logger, present: PresentJobs): BoardHooks {
  return {
    before({ method, route, request: { params } }) {
      if (!isChange(method)) return;
      const message = refusalOf({ method, route, params });
      log.info({ change: `${method} ${route}`, params, refused: message }, 'bull board');
      if (message !== undefined) return { allow: false, status: 403, message };
    },
    async after({ method, request: { params } }, answer) {
      const body = isChange(method) ? answer.body : await present(answer.body, params?.queueName);
      return { ...answer, body: redact(body) as typeof answer.body };
    },
  };
}

function errorAnswer(error: Error & { readonly statusCode?: number }, redact: Redact, log: Logger) {
  if (error instanceof BoardRefusalError) {
    const key = 'ERRORS.FORBIDDEN' as const;
    return { status: error.statusCode as 403 | 409, body: { error: { key }, message: error.message } };
  }
  const message = String(redact(error.message));
  log.warn({ error: message }, 'bull board');
  const status = (error.statusCode ?? 500) < 500 ? 400 : 500;
  return { status, body: { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' as const }, message } } as const;
}
