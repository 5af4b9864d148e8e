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
import { keepRowSmall, openRowPicture } from '../../campaigns/rows/pictures.ts';
import { draftDepicted, keepDraftSmall, keepUploadSmall, openDraftPicture } from '../../drafts/pictures.ts';
import type { OpenPicture } from '../../media/pictures.ts';
import { keepCoverSmall, openCover } from '../../videos/covers.ts';
import { identify, requireProofHeader, requireRole } from '../http/authorize.ts';
import { readBytes } from '../http/body.ts';
import type { HttpContext } from '../http/context.ts';
import type { Route } from '../request.ts';
import type { ConsoleTools } from '../tools.ts';

type Params = Readonly<Record<string, string>>;

interface Target {
  readonly path: string;
  readonly open: (tools: ConsoleTools, params: Params, size: 'small' | 'whole') => Promise<OpenPicture>;
  readonly keep: (tools: ConsoleTools, params: Params, bytes: Buffer) => Promise<void>;
}

const targets: readonly Target[] = [
  {
    path: '/media/campaigns/:id/:key/:column/:index',
    open: ({ runtime, pictures }, params, size) =>
      openRowPicture(runtime, pictures, { ...rowOf(params), size }),
    keep: ({ runtime, pictures }, params, bytes) => keepRowSmall(runtime, pictures, rowOf(params), bytes),
  },
  {
    path: '/media/drafts/:draft/:row/:index',
    open: async ({ drafts, pictures }, params, size) =>
      openDraftPicture(pictures, await draftDepicted(drafts, numbersOf(params)), size),
    keep: async ({ drafts, pictures }, params, bytes) =>
      keepDraftSmall(pictures, await draftDepicted(drafts, numbersOf(params)), bytes),
  },
  {
    path: '/media/videos/:id',
    open: ({ runtime, pictures }, { id = '' }, size) => openCover(runtime, pictures, id, size),
    keep: ({ runtime, pictures }, { id = '' }, bytes) => keepCoverSmall(runtime, pictures, id, bytes),
  },
];

function rowOf({ id = '', key = '', column = '', index = '' }: Params) {
  return { id, key, column, index: Number(index) };
}

function numbersOf({ draft = '', row = '', index = '' }: Params) {
  return { draft, row: Number(row), ...(index !== 'planned' && { index: Number(index) }) };
}

export const mediaRoutes: readonly Route[] = targets.map(({ path, open }) => ({
  method: 'get',
  path,
  role: 'viewer',
  handle: async (request) => {
    const { params, query } = request;
    const opened = await open(request, params, query.has('w') ? 'small' : 'whole');
    return { kind: 'file', ...opened, isLasting: query.get('v') === opened.etag };
  },
}));

/** Longest offer that is read. One that is longer than the bound of small versions is told so. Bytes. */
const longestOffer = 256 * 1024;

/** Takes offers. Only operators make them: what they offer, all others see. */
export function createOffers({ tools, gate }: HttpContext): Router {
  const router = Router();
  const keepers = [
    ...targets,
    {
      path: '/media/uploads/:draft/:upload',
      keep: ({ runtime, pictures }: ConsoleTools, { draft = '', upload = '' }: Params, bytes: Buffer) =>
        keepUploadSmall(runtime, pictures, { draft, upload }, bytes),
    },
  ];
  for (const { path, keep } of keepers) {
    router.post(path, async (request, response) => {
      const admitted = await identify(gate, request);
      requireRole(admitted, 'operator');
      requireProofHeader(admitted, request);
      await keep(tools, request.params as Params, await readBytes(request, longestOffer));
      response.status(204).set('cache-control', 'no-store').end();
    });
  }
  return router;
}
