/**
 * Pictures by their addresses, for pages, and the small versions that browsers offer for them.
 *
 *     /media/campaigns/ID/KEY/COLUMN/INDEX    a medium of a row: `media`, `cover`, `ai_references`, or `outputs`, which were generated
 *     /media/drafts/DRAFT/ROW/INDEX           a file of a row of a draft; `planned` in place of the index: its first one, for the calendar
 *     /media/videos/ID                        the cover of a video on the watch list
 *     /media/uploads/DRAFT/UPLOAD             only to offer: a file that the same browser has uploaded
 *
 * With `?w=96`, the small version. POST offers one, drawn by the browser of an operator.
 */
import { Router } from 'express';
import { findRowMedium } from '../../campaigns/rows/pictures.ts';
import { draftDepicted, uploadDepicted } from '../../drafts/pictures.ts';
import type { Depicted } from '../../media/pictures.ts';
import { shownOrRefused } from '../../runtime/use-case-error.ts';
import { findCover } from '../../videos/watch-list.ts';
import { identify, requireProofHeader, requireRole } from '../http/authorize.ts';
import { readBytes } from '../http/body.ts';
import type { HttpContext } from '../http/context.ts';
import type { Route } from '../request.ts';
import type { ConsoleTools } from '../tools.ts';

type Find = (tools: ConsoleTools, params: Readonly<Record<string, string | undefined>>) => Promise<Depicted>;

const shown: Readonly<Record<string, Find>> = {
  '/media/campaigns/:id/:key/:column/:index': ({ runtime }, { id = '', key = '', column = '', index = '' }) =>
    findRowMedium(runtime, id, key, { column, index: Number(index) }),
  '/media/drafts/:draft/:row/:index': ({ drafts }, { draft = '', row = '', index = '' }) =>
    draftDepicted(drafts, draft, Number(row), index === 'planned' ? undefined : Number(index)),
  '/media/videos/:id': ({ runtime }, { id = '' }) => findCover(runtime, id),
};

const offered: typeof shown = {
  ...shown,
  '/media/uploads/:draft/:upload': ({ runtime }, { draft = '', upload = '' }) =>
    uploadDepicted(runtime, draft, upload),
};

export const mediaRoutes: readonly Route[] = Object.entries(shown).map(([path, find]) => ({
  method: 'get',
  path,
  role: 'viewer',
  handle: async (request) => {
    const { params, query, pictures } = request;
    const medium = await find(request, params);
    const opened = await shownOrRefused(() => pictures.open(medium, query.has('w') ? 'small' : 'whole'));
    return { kind: 'file', ...opened, isLasting: query.get('v') === opened.etag };
  },
}));

/** Longest offer that is read. One that is longer than the bound of small versions is told so. Bytes. */
const longestOffer = 256 * 1024;

/** Takes offers. Only operators make them: what they offer, all others see. */
export function createOffers({ tools, gate }: HttpContext): Router {
  const router = Router();
  for (const [path, find] of Object.entries(offered)) {
    router.post(path, async (request, response) => {
      const admitted = await identify(gate, request);
      requireRole(admitted, 'operator');
      requireProofHeader(admitted, request);
      const bytes = await readBytes(request, longestOffer);
      const medium = await find(tools, request.params as Record<string, string>);
      await shownOrRefused(() => tools.pictures.keepSmall(medium, bytes));
      response.status(204).set('cache-control', 'no-store').end();
    });
  }
  return router;
}
