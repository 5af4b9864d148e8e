import { expect, test } from 'vitest';
import { checkCreator } from '../../../src/importers/check/creator-check.ts';
import { account } from './account.ts';

test('a suggestion is in the problem', () => {
  expect(checkCreator({ creator: 'mai', mediaType: 'VIDEO' }, [], 'mia')?.problem).toBe(
    'the service has no account with this name or id; did you mean mia?',
  );
});

test.each([
  ['VIDEO', [], 'creator_unknown'],
  ['VIDEO', [account(), account({ id: 2 })], 'creator_ambiguous'],
  ['VIDEO', [account({ valid: false })], 'creator_authorization_invalid'],
  ['VIDEO', [account({ authSource: 'SOCIAL_LOGIN_KIT' })], 'creator_auth_source'],
  ['PHOTO', [account({ permissions: ['VIDEO_SHOPPABLE_PERMISSION'] })], 'creator_photo_permission'],
  ['PHOTO', [account({ permissions: undefined })], 'creator_photo_permission'],
] as const)('a %s post: case %#, %s', (mediaType, accounts, code) => {
  expect(checkCreator({ creator: 'mia', mediaType }, accounts)).toMatchObject({
    column: 'creator',
    value: 'mia',
    code,
  });
});

test.each([
  'demo_anna, demo_ben',
  'demo_anna & demo_ben',
  '@demo_anna/@demo_ben',
  'demo_anna\ndemo_ben',
  'demo_anna und demo_ben',
  'demo_anna @demo_ben',
  '@demo_anna, @demo_ben',
  'demo_anna x demo_ben',
  'demo_anna、＠demo_ben',
  'Tara Boone & Uma Patel',
  'Tara Boone\nUma Patel',
  'Jonas + Kira',
  '@demo_anna\r\nUma O’Neil-Patel',
])('%j names two creators, but a row has one', (creator) => {
  const problem = checkCreator({ creator, mediaType: 'VIDEO' }, []);
  expect(problem?.problem).toContain('2 creators');
  expect(problem?.fix).toContain('a row for each');
});

test.each(['Anna', 'Anna and the band', 'a, b', 'anna,', '@demo_anna'])('%j names one creator', (creator) => {
  const problem = checkCreator({ creator, mediaType: 'VIDEO' }, []);
  expect(problem?.problem).toBe('the service has no account with this name or id');
});

test.each([
  ['VIDEO', account({ permissions: [] })],
  ['VIDEO', account({ valid: undefined, authSource: undefined })],
  ['PHOTO', account()],
] as const)('a %s post of an account that can publish it: case %#', (mediaType, found) => {
  expect(checkCreator({ creator: 'mia', mediaType }, [found])).toBeNull();
});
