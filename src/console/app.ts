/** The web application of `campaigns serve`: pages, their files, Bull Board. */
import type { ErrorRequestHandler, Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { ProgressReader } from '../campaigns/progress/reader.ts';
import type { DescribeJobs } from '../campaigns/progress/shown-jobs.ts';
import { type CheckReadiness, createHealthApp } from '../runtime/health.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { OverviewReader } from '../videos/overview/reader.ts';
import { Assets } from './assets/assets.ts';
import { createBoard } from './board/board.ts';
import { createRedaction } from './board/redaction.ts';
import { hideRefusedButtons } from './board/refused-buttons.ts';
import { openGate } from './gate.ts';
import { LiveHub } from './live/hub.ts';
import { refuseForeign } from './own-origin.ts';
import { pageRoutes } from './pages/routes.ts';
import type { Surroundings } from './parts/layout.ts';
import { createRouter } from './router.ts';

export interface ConsoleOptions {
  readonly runtime: Runtime;
  readonly describe?: DescribeJobs | undefined;
  readonly readiness: CheckReadiness;
  /** Texts that no page may show. */
  readonly secrets: readonly (string | undefined)[];
  readonly version: string;
}

export const boardPath = '/board';

/** Makes the application. It has no sign-in, so it must listen on loopback only. */
export function createConsoleApp(options: ConsoleOptions): Express {
  const { runtime, describe, readiness, secrets } = options;
  const { log, queues } = runtime;
  const redact = createRedaction(secrets);
  const assets = new Assets();
  const app = createHealthApp(readiness);
  app.use(refuseForeign());
  app.use(boardPath, boardHeaders());
  app.use(
    boardPath,
    hideRefusedButtons(boardPath),
    createBoard({ queues, describe, redact, log, path: boardPath }),
  );
  app.use(pageHeaders());
  app.use(assets.handler());
  app.get('/', (_request, response) => response.redirect('/campaigns'));
  const hub = new LiveHub(log);
  let reader: ProgressReader | undefined;
  const progress = () => {
    reader ??= new ProgressReader(runtime);
    return reader;
  };
  app.use(
    createRouter({
      runtime,
      progress,
      videos: new OverviewReader(runtime),
      gate: openGate(),
      routes: pageRoutes,
      base: '',
      hub,
      surroundings: () => surroundingsOf(options, assets),
    }),
  );
  app.use((_request, response) => void response.status(404).json({ error: 'There is no such page.' }));
  app.use(answerError(log));
  return app;
}

async function surroundingsOf({ runtime, version }: ConsoleOptions, assets: Assets): Promise<Surroundings> {
  const campaigns = await runtime.ledger.campaigns.list();
  return {
    files: {
      style: assets.path('console.css'),
      scripts: (['htmx.js', 'sse.js', 'uplot.js', 'console.js', 'plots.js'] as const).map((name) =>
        assets.path(name),
      ),
      mark: assets.path('mark.svg'),
    },
    version,
    sections: pageRoutes.map(({ path }) => path),
    inReview: campaigns.reduce((sum, { counts }) => sum + counts.review, 0),
  };
}

/** Pages have no inline script and no inline style. */
function pageHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        mediaSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    ...otherHeaders,
  });
}

/** Bull Board sets styles from its scripts. Its web fonts from another site stay blocked. */
function boardHeaders() {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        connectSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    ...otherHeaders,
  });
}

const otherHeaders = {
  // There is no TLS: a browser told to insist on it could not come back.
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'no-referrer' },
  xFrameOptions: { action: 'deny' },
} as const;

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
