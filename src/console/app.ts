/** The web application of `campaigns serve`. */
import type { ErrorRequestHandler, Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { DescribeJobs } from '../campaigns/progress/shown-jobs.ts';
import type { Queues } from '../queues/queues.ts';
import { type CheckReadiness, createHealthApp } from '../runtime/health.ts';
import { createBoard } from './board/board.ts';
import { createRedaction } from './board/redaction.ts';
import { hideRefusedButtons } from './board/refused-buttons.ts';
import { refuseForeign } from './own-origin.ts';

export interface ConsoleOptions {
  readonly queues: Queues;
  readonly describe?: DescribeJobs | undefined;
  readonly readiness: CheckReadiness;
  readonly log: Logger;
  /** Texts that no page may show. */
  readonly secrets: readonly (string | undefined)[];
}

export const boardPath = '/board';

/** Makes the application. It has no sign-in, so it must listen on loopback only. */
export function createConsoleApp({ queues, describe, readiness, log, secrets }: ConsoleOptions): Express {
  const redact = createRedaction(secrets);
  const app = createHealthApp(readiness);
  app.use(securityHeaders());
  app.use(refuseForeign());
  app.get('/', (_request, response) => response.redirect(boardPath));
  app.use(
    boardPath,
    hideRefusedButtons(boardPath),
    createBoard({ queues, describe, redact, log, path: boardPath }),
  );
  app.use((_request, response) => void response.status(404).json({ error: 'There is no such page.' }));
  app.use(answerError(log));
  return app;
}

function securityHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        // Bull Board sets styles from its scripts. Its web fonts from another site stay blocked.
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // There is no TLS: a browser told to insist on it could not come back.
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  });
}

/** Replaces the handler of Express, which would show a stack trace. */
function answerError(log: Logger): ErrorRequestHandler {
  return (error: Error & { readonly status?: number }, _request, response, _next) => {
    const status = error.status !== undefined && error.status < 500 ? error.status : 500;
    if (status === 500) log.error({ error: error.message }, 'console');
    response
      .status(status)
      .json({ error: status === 500 ? 'Something went wrong. See the log.' : 'Bad request.' });
  };
}
