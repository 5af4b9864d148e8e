import { expect, test } from 'vitest';
import { isEndedState, isStatusHeader } from '../../../src/manifest/headers/own-status.ts';

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
])('%s is a column of states', (header) => expect(isStatusHeader(header)).toBe(true));

test.each(['post_status_url', 'Statement', 'Caption', ''])('%j is none', (header) =>
  expect(isStatusHeader(header)).toBe(false),
);

test.each([
  ...[
    'Posted',
    ' LIVE ',
    'posted \u2714',
    '\u2705 Published',
    'on-hold',
    'ON_HOLD',
    'Draft (v2)',
    'cancelled: no budget',
  ],
  ...[
    'Posted 3 Mar',
    'Rejected - wrong size',
    '已发布',
    '草稿',
    'Veröffentlicht',
    'ENTWURF',
    'annulée',
    'en ligne',
  ],
  ...['Rechazado', 'en espera', 'sudah tayang', 'Ditolak', 'publicada', 'Rascunho'],
])('%s is asked about', (text) => expect(isEndedState(text)).toBe(true));

test.each([
  ...[
    '',
    'ready',
    'Approved',
    'to be posted',
    'not posted',
    'going live',
    'scheduled',
    'ok',
    '待发布',
    'geplant',
    'final draft sent',
  ],
  `posted ${'x'.repeat(80)}`,
])('%j is not', (text) => expect(isEndedState(text)).toBe(false));
