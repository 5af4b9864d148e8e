import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxVideoUrlLength, readVideoUrl, videoIdOf } from '../../../src/manifest/cells/video-url.ts';

describe('a video URL', () => {
  it.each([
    ['HTTPS://Video.EXAMPLE/@Anna/video/42', 'https://video.example/@Anna/video/42'],
    ['https://video.example:443/v/1', 'https://video.example/v/1'],
    ['http://video.example:80/v/1', 'http://video.example/v/1'],
    ['https://video.example:8443/v/1', 'https://video.example:8443/v/1'],
    ['https://video.example/v/1#comments', 'https://video.example/v/1'],
    ['https://video.example/v/1?utm_source=x&UTM_Medium=y&fbclid=z', 'https://video.example/v/1'],
    ['https://video.example/watch?v=a%2Fb&utm_id=1&list=c', 'https://video.example/watch?v=a%2Fb&list=c'],
    ['  https://video.example/v/1?  ', 'https://video.example/v/1'],
    ['https://video.example', 'https://video.example/'],
  ])('%s is %s', (given, url) => {
    expect(readVideoUrl(given)).toEqual({ url });
  });

  it.each([
    'https://video.example/watch?v=1',
    'https://video.example/watch?V=1',
    'https://video.example/watch?utm=1&reference=2',
    'https://video.example/v/1/',
    'https://video.example/v/%E4%BD%A0',
    'https://video.example/watch?id=1&id=2',
  ])('%s stays: all of it may identify the video', (url) => {
    expect(readVideoUrl(url)).toEqual({ url });
  });

  it.each([
    ['video.example/v/1', 'invalid_url'],
    ['ftp://video.example/v/1', 'invalid_url'],
    ['https:///v/1', 'invalid_url'],
    ['data:text/html,x', 'invalid_url'],
    ['https://anna:secret@video.example/v/1', 'url_credentials'],
    [`https://video.example/${'x'.repeat(maxVideoUrlLength)}`, 'too_long'],
    ['https://video.example/v/\u00011', 'invisible_characters'],
  ])('%s is refused: %s', (given, fault) => {
    expect(readVideoUrl(given)).toEqual({ fault });
  });

  it('is the same when it is read again', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (given) => {
        const first = readVideoUrl(given);
        if (!('url' in first)) throw new Error(`refused: ${given}`);
        expect(readVideoUrl(first.url)).toEqual(first);
      }),
    );
  });

  it('has an id of 16 characters that a URL can hold', () => {
    expect(videoIdOf('https://video.example/v/1')).toMatch(/^[\w-]{16}$/);
    expect(videoIdOf('https://video.example/v/1')).not.toBe(videoIdOf('https://video.example/v/2'));
  });
});
