/**
 * Pictures by their addresses, for pages.
 *
 *     /media/campaigns/ID/KEY/COLUMN/INDEX    a medium of a row: `media`, `cover`, `ai_references`, or `outputs`, which were generated
 *     /media/drafts/DRAFT/ROW/INDEX           a file of a row of a draft; `planned` in place of the index: its first one, for the calendar
 *     /media/videos/ID                        the cover of a video on the watch list
 *     /media/small/OWNER/KEY                  a small version of an image, by what is in it, as a page has named it
 *
 * With `?w=96`, and `?w=240`, a small version of an image.
 */
import { findRowMedium, shownOrRefused } from '../../app/campaigns/rows/pictures.ts';
import { draftDepicted } from '../../app/drafts/pictures.ts';
import type { Tools } from '../../app/operations/tools.ts';
import { findCover } from '../../app/videos/watch-list.ts';
import type { Depicted, SmallSize } from '../../service/media/pictures.ts';
import type { PageRequest, Route } from '../request.ts';

type Find = (tools: Tools, params: Readonly<Record<string, string | undefined>>) => Promise<Depicted>;

const shown: Readonly<Record<string, Find>> = {
  '/media/campaigns/:id/:key/:column/:index': ({ runtime }, { id = '', key = '', column = '', index = '' }) =>
    findRowMedium(runtime, id, key, { column, index: Number(index) }),
  '/media/drafts/:draft/:row/:index': ({ drafts }, { draft = '', row = '', index = '' }) =>
    draftDepicted(drafts, draft, Number(row), index === 'planned' ? undefined : Number(index)),
  '/media/videos/:id': ({ runtime }, { id = '' }) => findCover(runtime, id),
};

const ofRows = Object.entries(shown).map(
  ([path, find]): Route => ({
    method: 'get',
    path,
    right: 'see',
    handle: async (request) => {
      const { params, query, pictures } = request;
      const medium = await find(request, params);
      const size = query.has('w') ? sizeOf(request) : 'whole';
      const opened = await shownOrRefused(() => pictures.open(medium, size));
      return { kind: 'file', ...opened, isLasting: query.get('v') === opened.etag };
    },
  }),
);

export const mediaRoutes: readonly Route[] = [
  ...ofRows,
  {
    method: 'get',
    path: '/media/small/:owner/:key',
    right: 'see',
    handle: async (request) => {
      const { owner = '', key = '' } = request.params;
      const name = `${owner}/${key}`;
      const opened = await shownOrRefused(() => request.pictures.openSmall(name, sizeOf(request)));
      return { kind: 'file', ...opened };
    },
  },
];

function sizeOf({ query }: PageRequest): SmallSize {
  return query.get('w') === '240' ? 'small' : 'tiny';
}
