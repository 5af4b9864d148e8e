/** The template, as a file to begin with. */
import { makeTemplate, makeWorkbook } from '../../../../campaigns/hand-in/template.ts';
import type { Download, PageRequest } from '../../../request.ts';

const formats = {
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    make: makeWorkbook,
  },
  csv: { contentType: 'text/csv; charset=utf-8', make: (now: number) => makeTemplate('csv', now).manifest },
  json: { contentType: 'application/json', make: (now: number) => makeTemplate('json', now).manifest },
};

export function template({ runtime, params }: PageRequest): Download {
  const format = params.format === 'csv' || params.format === 'json' ? params.format : 'xlsx';
  const { contentType, make } = formats[format];
  return {
    kind: 'download',
    fileName: `posts.${format}`,
    contentType,
    write: async (to) => {
      to.write(await make(runtime.now()));
    },
  };
}
