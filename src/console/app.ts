/** The web application of `campaigns serve`: pages, assets, the REST API, Bull Board. */
import { type Express, type RequestHandler, Router } from 'express';
import helmet from 'helmet';
import { sampleProgress } from '../campaigns/progress/sample.ts';
import type { DescribeJobs } from '../campaigns/progress/shown-jobs.ts';
import { keepSweeping } from '../drafts/expiry.ts';
import { type CheckReadiness, createHealthApp } from '../runtime/observability/health.ts';
import type { Traces } from '../runtime/observability/traces.ts';
import type { MetricsSource } from '../runtime/observability/worker-metrics.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { type AssetName, Assets } from './assets/assets.ts';
import { createBoard } from './board/board.ts';
import { guardBoard } from './board/guard.ts';
import { createRedaction } from './board/redaction.ts';
import { hideRefusedButtons } from './board/refused-buttons.ts';
import { answerError, answerUnknown } from './http/failures.ts';
import { boundQuery } from './http/forms.ts';
import { createGate, type Reach } from './http/gate.ts';
import { answerOutages, refuseWhileAway } from './http/outages.ts';
import { refuseForeign } from './http/own-origin.ts';
import { createPages } from './http/pages.ts';
import { refuseWithoutUsers } from './http/turn-away.ts';
import { LiveHub } from './live/hub.ts';
import { metricsHandler } from './metrics/handler.ts';
import { pageRoutes } from './pages/routes.ts';
import type { LayoutFiles, Surroundings } from './parts/layout.ts';
import { createSignIn } from './sign-in/routes.ts';
import { openTools } from './tools.ts';
import { createUploads } from './uploads/routes.ts';

export interface ConsoleOptions {
  readonly runtime: Runtime;
  readonly describe?: DescribeJobs | undefined;
  readonly readiness: CheckReadiness;
  /** Secrets that no page may show. */
  readonly secrets: readonly (string | undefined)[];
  readonly version: string;
  /** Metrics of the workers of this process. */
  readonly metrics?: MetricsSource | undefined;
  /** Samples the pace of running campaigns until this aborts. Without it, a pace is known only while somebody looks. */
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

function createConsole(options: ConsoleOptions, reach: Reach): Router {
  const { runtime, describe, secrets, readiness, metrics: workers, patienceMs = usualPatienceMs } = options;
  const { log, queues } = runtime;
  const { base, origin } = reach;
  const assets = new Assets();
  const gate = createGate(runtime, reach);
  const frame = { base, origin, files: filesOf(assets, base) };
  const board = `${base}${boardPath}`;
  const redact = createRedaction(secrets);
  const pages = Router();
  pages.get('/metrics', metricsHandler({ runtime, gate, readiness, workers, origin }));
  if (runtime.traces) pages.use(traceRequests(runtime.traces));
  pages.use(refuseForeign(origin));
  pages.use(boundQuery());
  pages.use(pageHeaders());
  pages.use(boardPath, boardHeaders());
  pages.use(assets.handler());
  pages.use(refuseWhileAway(gate, patienceMs));
  pages.use(refuseWithoutUsers(gate, frame));
  pages.use(
    boardPath,
    guardBoard(runtime, gate, frame, board),
    hideRefusedButtons(board, gate),
    createBoard({ queues, describe, redact, log, path: board }),
  );
  pages.get('/', (_request, response) => response.redirect(`${base}/campaigns`));
  pages.use(createSignIn({ ...frame, runtime, gate }));
  const tools = openTools(runtime);
  const { drafts, progress } = tools;
  pages.use(createUploads({ ...frame, runtime, drafts, gate }));
  const answers = async () => (await readiness()).redis !== 'away';
  const asked = { tools, gate, answers, patienceMs };
  const api = { ...asked, path: `${base}${apiPath}`, version: options.version };
  // The schemas of the API would take a tenth of the time of a start.
  pages.use(
    apiPath,
    onFirstUse(async () => (await import('./api/router.ts')).createApi(api)),
  );
  if (options.until) {
    sampleProgress(runtime, progress, options.until);
    keepSweeping(runtime, options.until, drafts);
  }
  pages.use(
    createPages({
      ...frame,
      ...asked,
      routes: pageRoutes,
      hub: new LiveHub(log),
      surroundings: () => surroundingsOf(options, frame.files),
    }),
  );
  pages.use(answerUnknown(frame));
  pages.use(answerOutages(frame, log));
  pages.use(answerError(log, frame));
  return pages;
}

/**
 * A span of each request that changes something, and of those whose caller wants one. What pages and scrapes only read, all day long,
 * is not traced.
 */
function traceRequests({ request: trace }: Traces): RequestHandler {
  return (request, response, next) => {
    const parent = request.get('traceparent');
    if (parent === undefined && ['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return next();
    const traced = trace(request.method, parent);
    response.once('close', () => {
      const { path } = (request.route ?? {}) as { readonly path?: unknown };
      const route = typeof path === 'string' ? `${request.baseUrl}${path}` : undefined;
      traced.end(response.statusCode, route);
    });
    traced.run(next);
  };
}

function filesOf(assets: Assets, base: string): LayoutFiles {
  const address = (name: AssetName) => `${base}${assets.path(name)}`;
  return {
    style: address('console.css'),
    // Our script comes before htmx: the first event of a stream may arrive before the other scripts have loaded.
    scripts: (['console.js', 'htmx.js', 'uplot.js', 'plots.js'] as const).map(address),
    uploadScripts: [address('uploads.js')],
    comesBack: address('comes-back.js'),
    mark: address('mark.svg'),
  };
}

async function surroundingsOf(
  { runtime, version }: ConsoleOptions,
  files: LayoutFiles,
): Promise<Surroundings> {
  return {
    files,
    version,
    sections: pageRoutes.map(({ path }) => path),
    inReview: await runtime.ledger.campaigns.inReview(),
  };
}

/**
 * Loads a part of the console when it is first asked for.
 * @param load is called again by the next request if it fails: too many files may have been open for a moment.
 */
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

/** Headers of pages, which have no inline script and no inline style. */
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
    // Other sites get no referrer. With `no-referrer`, Chromium would send our own forms with `Origin: null`.
    referrerPolicy: { policy: 'same-origin' },
  });
}

/** Headers of Bull Board: its scripts set inline styles. Its web fonts come from another site and stay blocked. */
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
  // There is no TLS here: a browser that insists on it could not come back.
  strictTransportSecurity: false,
  // With `no-referrer`, browsers would send `Origin: null` with our own forms.
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
} as const;
