/** The web application of `campaigns serve`: pages, assets, the REST API, Bull Board. */
import compression from 'compression';
import { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { sampleProgress } from '../app/campaigns/progress/sample.ts';
import { keepSweeping } from '../app/drafts/expiry.ts';
import { openTools } from '../app/operations/tools.ts';
import { type CheckReadiness, createHealthApp } from '../app/runtime/health.ts';
import { hideFromTraces } from '../app/runtime/log.ts';
import type { Runtime } from '../app/runtime/runtime.ts';
import type { MetricsSource } from '../app/runtime/worker-metrics.ts';
import { Assets, type FileAddress } from './assets/assets.ts';
import { guardBoard } from './board/guard.ts';
import { createRedaction } from './board/redaction.ts';
import { boardLook, hideRefusedButtons } from './board/theme.ts';
import { createShared } from './client-link/routes.ts';
import type { HttpContext } from './http/context.ts';
import { answerError, answerUnknown } from './http/failures.ts';
import { boundQuery } from './http/forms.ts';
import { createGate, type Reach } from './http/gate.ts';
import { answerOutages, refuseWhileAway } from './http/outages.ts';
import { refuseForeign } from './http/own-origin.ts';
import { createPages } from './http/pages.ts';
import { refuseWithoutUsers } from './http/turn-away.ts';
import { LiveHub } from './live.ts';
import { metricsHandler } from './metrics/handler.ts';
import { pageRoutes } from './pages/routes.ts';
import type { Surroundings } from './parts/layout.ts';
import { createSignIn } from './sign-in/routes.ts';
import { createUploads } from './uploads/routes.ts';

export interface ConsoleOptions {
  readonly runtime: Runtime;
  readonly readiness: CheckReadiness;
  /** Secrets that no page may show. */
  readonly secrets: readonly (string | undefined)[];
  readonly version: string;
  readonly metrics?: MetricsSource | undefined;
  /** Samples the pace of running campaigns until this aborts, and then ends the checks of drafts. Without it, a pace is known only while somebody looks. */
  readonly until?: AbortSignal | undefined;
  /** Default: loopback, without a proxy. */
  readonly reach?: Reach | undefined;
  /** Milliseconds to wait for Redis before pages say that it does not answer. */
  readonly patienceMs?: number | undefined;
}

const usualPatienceMs = 2000;
const onLoopback: Reach = { isLoopback: true, base: '', trustedProxies: [] };

export const boardPath = '/board';
export const apiPath = '/api/v1';

/** Creates the application: probes at the root, everything else below the base path. */
export function createConsoleApp(options: ConsoleOptions): Express {
  const { runtime, readiness, reach = onLoopback } = options;
  const { base } = reach;
  const app = createHealthApp(readiness);
  app.set('trust proxy', [...reach.trustedProxies]);
  app.use(base === '' ? '/' : base, createConsole(options, reach));
  app.use(answerUnknown());
  app.use(answerError(runtime.log));
  return app;
}

/** Read and compressed once for the process. */
let assets: Assets | undefined;

function createConsole(options: ConsoleOptions, reach: Reach): Router {
  const { runtime, secrets, readiness, metrics: workers, until, version } = options;
  const { ledger, log, queues } = runtime;
  const { base, origin } = reach;
  assets ??= new Assets();
  const gate = createGate(runtime, reach);
  const tools = openTools(runtime);
  const context: HttpContext = {
    base,
    origin,
    files: addressesOf(assets, base),
    tools,
    gate,
    hub: new LiveHub(log),
    answers: async () => (await readiness()).redis !== 'away',
    patienceMs: options.patienceMs ?? usualPatienceMs,
  };
  const board = `${base}${boardPath}`;
  const router = Router();
  router.get('/metrics', metricsHandler({ runtime, gate, readiness, workers, origin }));
  router.use('/shared', untraced);
  router.use(refuseForeign(reach), boundQuery(), assets.handler(), headers(), compressed());
  router.use(refuseWhileAway(gate, context.patienceMs), createShared(context));
  router.use(refuseWithoutUsers(gate, context));
  router.use(
    boardPath,
    headers(boardDirectives),
    guardBoard(context, board),
    hideRefusedButtons(board, base, context),
    onFirstUse(async () => {
      const { createBoard } = await import('./board/board.ts');
      const redact = createRedaction(secrets);
      return createBoard({ queues, ledger, redact, log, path: board, look: boardLook(context.files) });
    }),
  );
  router.get('/', (_request, response) => response.redirect(`${base}/campaigns`));
  router.use(createSignIn(context), createUploads(context));
  const api = { ...context, path: `${base}${apiPath}`, version };
  // The schemas of the API would take a tenth of the time of a start.
  router.use(
    apiPath,
    onFirstUse(async () => (await import('./api/router.ts')).createApi(api)),
  );
  if (until) {
    sampleProgress(runtime, tools.progress, until);
    keepSweeping(runtime, until, tools);
    until.addEventListener('abort', () => void tools.drafts.close(), { once: true });
  }
  const surroundings = () => surroundingsOf(options, context.files);
  router.use(createPages({ ...context, routes: pageRoutes, surroundings }));
  router.use(answerUnknown(context), answerOutages(context, log), answerError(log, context));
  return router;
}

/** The address of a client link is its key. */
const untraced: RequestHandler = async (_request, _response, next) => {
  await hideFromTraces();
  next();
};

function addressesOf(assets: Assets, base: string): FileAddress {
  return (name) => `${base}${assets.path(name)}`;
}

async function surroundingsOf(
  { runtime, version }: ConsoleOptions,
  files: FileAddress,
): Promise<Surroundings> {
  return {
    files,
    version,
    forPeople: await runtime.ledger.campaigns.forPeople(),
  };
}

/** @param load is called again by the next request if it fails: too many files may have been open for a moment. */
export function onFirstUse(load: () => Promise<RequestHandler>): RequestHandler {
  let part: Promise<RequestHandler> | undefined;
  return async (request, response, next) => {
    part ??= load().catch((error: unknown) => {
      part = undefined;
      throw error;
    });
    (await part)(request, response, next);
  };
}

/** Not for events, which must not wait, or downloads and media. Secrets differ in each answer (`masked`). */
function compressed(): RequestHandler {
  const types = /^(?:text\/(?:html|css|javascript)|application\/(?:problem\+)?json)\b/;
  return compression({
    filter: (_request, response) => types.test(String(response.getHeader('content-type'))),
  });
}

/** What pages may load: they have no inline script and no inline style. */
const pageDirectives = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  imgSrc: ["'self'"],
  mediaSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

/** The scripts of Bull Board set inline styles. Its web fonts come from another site and stay blocked. */
const boardDirectives = {
  ...pageDirectives,
  imgSrc: ["'self'", 'data:'],
  styleSrc: ["'self'", "'unsafe-inline'"],
  mediaSrc: ["'none'"],
  baseUri: ["'self'"],
};

function headers(directives = pageDirectives): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    // There is no TLS here: a browser that insists on it could not come back.
    strictTransportSecurity: false,
    // Other sites get no referrer. With `no-referrer`, browsers would send `Origin: null` with our own forms.
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
}
