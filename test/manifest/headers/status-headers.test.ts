import { expect, test } from 'vitest';
import { isStatusHeader } from '../../../src/manifest/headers/foreign-headers.ts';

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
])('%s is a column of states', (header) => expect(isStatusHeader(header)).toBe(true));

test.each(['post_status_url', 'Approve', 'Statement', 'Caption', ''])('%j is none', (header) =>
  expect(isStatusHeader(header)).toBe(false),
);
