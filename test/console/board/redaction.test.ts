import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedaction } from '../../../src/console/board/redaction.ts';

const redact = createRedaction(['key-1234', undefined, '', 'k']);

describe('redaction', () => {
  it.each([
    [
      'media_url_invalid: https://anna:pa:ss@host.example/a.mp4',
      'media_url_invalid: https://[login]@host.example/a.mp4',
    ],
    ['at redis://:se@cret@10.0.0.1:6379/0 and so on', 'at redis://[login]@10.0.0.1:6379/0 and so on'],
    [
      'PUT https://s.example/b/1?X-Amz-Signature=abc&x=1 was refused',
      'PUT https://s.example/b/1?[query] was refused',
    ],
    ['(https://s.example/b?sig=abc)', '(https://s.example/b?[query])'],
    [
      'two: http://a.example/?t=1 http://b.example/?t=2',
      'two: http://a.example/?[query] http://b.example/?[query]',
    ],
    ['x-api-key: key-1234, key-12345', 'x-api-key: [secret], [secret]5'],
    ['ask anna@host.example: why?', 'ask anna@host.example: why?'],
    ['https://host.example/a.mp4#t=1', 'https://host.example/a.mp4#t=1'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it('reaches every text of a document, and changes nothing else', () => {
    const document = {
      jobs: [{ stacktrace: ['key-1234', null], attempts: 3, isFailed: true }],
      at: undefined,
    };
    expect(redact(document)).toEqual({
      jobs: [{ stacktrace: ['[secret]', null], attempts: 3, isFailed: true }],
      at: undefined,
    });
    expect(document.jobs[0]?.stacktrace[0]).toBe('key-1234');
  });

  it('leaves no secret anywhere in any JSON', () => {
    const secret = fc.constantFrom(
      'key-1234',
      'https://u:pw-9876@h.example/',
      'https://h.example/a?sig-5555',
    );
    const text = fc.tuple(fc.string(), secret, fc.string()).map((parts) => parts.join(' '));
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        text,
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.stringify(redact(value))).not.toMatch(/key-1234|pw-9876|sig-5555/);
      }),
    );
  });
});
