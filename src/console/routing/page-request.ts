/** Reads the request of a page. */
import type { Request, Response } from 'express';
import type { Runtime } from '../../runtime/runtime.ts';
import type { Admitted } from '../gate.ts';
import { isZone } from '../parts/numbers.ts';
import type { PageRequest } from '../request.ts';
import { ownPath } from '../sign-in/paths.ts';
import { cookie, leftSignal, takeFlash } from '../web.ts';
import type { FormBody } from './form-body.ts';
import type { RouterOptions } from './router-options.ts';

export function readPageRequest(
  options: RouterOptions,
  request: Request,
  response: Response,
  { person, csrf, body }: Pick<Admitted, 'person' | 'csrf'> & { readonly body: FormBody | undefined },
): PageRequest {
  const { tools, base } = options;
  const { runtime } = tools;
  const url = new URL(request.originalUrl, 'http://console');
  const zone = url.searchParams.get('zone');
  const usualZone = usualZoneOf(runtime, cookie(request, 'zone'));
  return {
    ...tools,
    left: leftSignal(response),
    person,
    params: request.params as Record<string, string>,
    query: url.searchParams,
    form: body?.fields ?? new URLSearchParams(),
    sheet: body?.sheet,
    csrf,
    link: (path) => `${base}${path}`,
    path: ownPath(request.originalUrl.slice(base.length)),
    zone: zone !== null && isZone(zone) ? zone : usualZone,
    usualZone,
    now: runtime.now(),
    notice: request.method === 'GET' ? takeFlash(request, response, options) : undefined,
    isPart: request.get('hx-request') === 'true',
  };
}

/** The zone of the settings, else the browser's. */
function usualZoneOf({ settings }: Runtime, browser: string | undefined): string {
  if (settings.timezone !== null) return settings.timezone;
  return browser !== undefined && isZone(browser) ? browser : 'UTC';
}
