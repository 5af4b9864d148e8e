import { expect, test } from 'vitest';
import {
  isChannelHeader,
  isRemarkHeader,
  isStatusHeader,
} from '../../../src/manifest/headers/own-headers.ts';

test.each([
  'Status',
  'STATE',
  '_status',
  'Post status',
  '发布状态',
  'Zustand',
  'État',
  'Estado',
  'Situação',
  'Status Tayang',
  'Approved?',
  '✅ Ready?',
  'Status klien',
  'Approval status',
  'Status (client)',
  'Statut client',
  'Sample\nstatus',
  'Freigabe-Status',
  'Freigabestatus',
  '审核状态',
  '承認ステータス',
  '승인상태',
])('%s is a column of states', (header) => expect(isStatusHeader(header)).toBe(true));

test.each(['post_status_url', 'Link to status page', 'Approve', 'Statement', 'Caption', ''])(
  '%j is none',
  (header) => expect(isStatusHeader(header)).toBe(false),
);

test.each([
  'Notes',
  'Client notes',
  'Client\nnotes',
  'Notes(client)',
  'Client-Notes',
  'Catatan',
  'Bemerkung',
  'Kundennotizen',
  'Comment / internal',
  '备注',
  '客户备注',
  '社内メモ',
])('%j is a column of remarks', (header) => expect(isRemarkHeader(header)).toBe(true));

test.each(['Noted by', 'Caption', 'Notebook', 'Keynotes', ''])('%j is no column of remarks', (header) =>
  expect(isRemarkHeader(header)).toBe(false),
);

test.each(['Channel', '_PLATFORM', 'Plataforma', '平台'])('%s is a column of channels', (header) =>
  expect(isChannelHeader(header)).toBe(true),
);
