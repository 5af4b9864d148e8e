/** Downloads the template. */
import { makeTemplate, makeWorkbook } from '../../../../campaigns/import/template.ts';
import { sheetContentTypes } from '../../../../sheets/write/format.ts';
import type { Download, PageRequest } from '../../../request.ts';

const makers = {
  xlsx: makeWorkbook,
  csv: (now: number) => makeTemplate('csv', now).manifest,
  json: (now: number) => makeTemplate('json', now).manifest,
};

export function template({ runtime, params }: PageRequest): Download {
  const format = params.format === 'csv' || params.format === 'json' ? params.format : 'xlsx';
  return {
    kind: 'download',
    fileName: `posts.${format}`,
    contentType: sheetContentTypes[format],
    write: async (to) => {
      to.write(await makers[format](runtime.now()));
    },
  };
}
