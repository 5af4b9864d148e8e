import { describe, expect, it } from 'vitest';
import { hashPassword, isPassword, requireGoodPassword } from '../../../src/app/access/passwords.ts';

const quick = { N: 2, r: 1, p: 1 };

describe('a password', () => {
  it.each([
    ['abcdefghijkl', 'lin.yue'],
    // 200 characters of two UTF-16 units each.
    [`${'😀😃😄😁'.repeat(50)}`, 'lin.yue'],
    // A name so short is in many words.
    ['four linked words', 'lin'],
    ['aaaabbbbccccdddd', 'lin.yue'],
  ])('may be %j', (password, name) => {
    expect(() => requireGoodPassword(password, name)).not.toThrow();
  });

  it.each([
    ['abcdefghijk', 'lin.yue', 'the password has 11 characters'],
    ['abcd'.repeat(51), 'lin.yue', 'the password has more than 200 characters'],
    ['LIN.YUE and more', 'lin.yue', 'the password contains the name'],
    ['aaaabbbbcccc', 'lin.yue', 'the password has fewer than 4 different characters'],
  ])('is not %j for %s', (password, name, message) => {
    expect(() => requireGoodPassword(password, name)).toThrow(
      expect.objectContaining({ code: 'password_invalid', message }),
    );
  });

  it('is the same however its characters are composed', async () => {
    const hash = await hashPassword('café and four words', quick);
    expect(await isPassword('cafe\u0301 and four words', hash)).toBe(true);
    expect(await isPassword('cafe and four words', hash)).toBe(false);
  });

  it('is looked at in turn, and not at all while too many wait', async () => {
    const hash = await hashPassword('four words of a test', quick);
    // Two at work, and 50 that wait.
    const answers = await Promise.allSettled(
      Array.from({ length: 53 }, () => isPassword('four words of a test', hash)),
    );
    expect(answers.filter((answer) => answer.status === 'fulfilled' && answer.value)).toHaveLength(52);
    expect(answers.at(-1)).toMatchObject({ reason: { code: 'sign_in_busy' } });
    expect(await isPassword('four words of a test', hash)).toBe(true);
  });
});
