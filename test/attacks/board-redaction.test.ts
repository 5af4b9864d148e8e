/** Texts of jobs that blocked `serve`, or brought a secret past the redaction of Bull Board. */
import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../src/console/board/redaction.ts';

const redact = createRedaction(['key-1234']);

/** Some of these took minutes. */
describe('a long text blocks no page', () => {
  const length = 200_000;
  it.each([
    ['letters', 'a'],
    ['schemes', 'a://'],
    ['addresses', 'http://'],
    ['addresses with logins', 'http://a@'],
    ['addresses with queries', 'http://?'],
    ['queries', '?'],
    ['logins', '@'],
    ['closing brackets', ')'],
    ['an address and closing brackets', 'http://a/?)'],
  ])('%s', (_what, piece) => {
    const text = piece.repeat(length / piece.length);
    expect(String(redact(`${text} key-1234`))).toMatch(/ \[secret\]$/);
  });
});

describe('secrets in odd places', () => {
  it.each([
    ['behind a bracket', 'https://s.example/b?name=a(1).mp4&sig=s3cret'],
    ['behind a quote', "https://s.example/b?name=it's&sig=s3cret"],
    ['in a fragment after a query', 'https://s.example/b?a=1#sig=s3cret'],
    ['in a query within a query', 'go?to=https://s.example/b?sig=s3cret'],
    ['in a password with a quote', "redis://:s3'cret-s3cret@10.0.0.1:6379"],
    ['in an address behind an address', 'https://a.example/https://me:s3cret@b.example/'],
  ])('%s', (_where, text) => {
    expect(redact(text)).not.toContain('s3cret');
  });

  it('marks around an address stay', () => {
    expect(redact(`("https://s.example/b?sig=1"), then ('https://s.example/c?sig=2').`)).toBe(
      `("https://s.example/b?[query]"), then ('https://s.example/c?[query]').`,
    );
  });

  it('a name with @ in a path is no login', () => {
    expect(redact('https://video.example/@anna/1')).toBe('https://video.example/@anna/1');
  });
});
