/** Bull Board: the queues as they are, for operators. Its own protection is none; see `app.ts`. */
import { createBullBoard } from '@bull-board/api';
import type { BoardHooks } from '@bull-board/api/typings/app';
import { ExpressAdapter } from '@bull-board/express';
import type { Express } from 'express';
import type { Logger } from 'pino';
import { type QueueName, type Queues, queueNames } from '../../queues/queues.ts';
import { isChange, refusalOf } from './changes.ts';
import { BoardQueue, BoardRefusalError } from './queue.ts';
import type { Redact } from './redaction.ts';

export interface BoardOptions {
  readonly queues: Queues;
  readonly redact: Redact;
  /** Is told of every change, made or refused. */
  readonly log: Logger;
  /** Where the board is mounted, without a slash at the end. */
  readonly path: string;
}

const descriptions: Readonly<Record<QueueName, string>> = {
  campaign: 'Lets rows in as others end, and repairs what was lost',
  showcase: 'Adds products to the showcases of creators',
  generate: 'Creates AI generations',
  poll: 'Waits for AI generations',
  upload: 'Uploads media',
  post: 'Creates the posts, once all media of a row are there',
};

/** The board as an application of its own, to be mounted at `path`. */
export function createBoard({ queues, redact, log, path }: BoardOptions): Express {
  const adapter = new ExpressAdapter().setBasePath(path);
  createBullBoard({
    queues: queueNames.map((name) => new BoardQueue(queues.queue(name), descriptions[name])),
    serverAdapter: adapter,
    options: {
      uiConfig: { boardTitle: 'Campaigns', hideDocsLink: true },
      handlerHooks: boardHooks(redact, log),
    },
  });
  // The board's own handler of errors would pass on whatever was thrown.
  adapter.setErrorHandler((error) => errorAnswer(error, redact, log));
  const board = adapter.getRouter() as Express;
  return board.disable('x-powered-by');
}

/** Not the board's formatters: those leave out error texts, traces and logs, where secrets would be. */
function boardHooks(redact: Redact, log: Logger): BoardHooks {
  return {
    before({ method, route, request: { params } }) {
      if (!isChange(method)) return;
      const message = refusalOf({ method, route, params });
      log.info({ change: `${method} ${route}`, params, refused: message }, 'bull board');
      if (message !== undefined) return { allow: false, status: 403, message };
    },
    after: (_context, answer) => ({ ...answer, body: redact(answer.body) as typeof answer.body }),
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
