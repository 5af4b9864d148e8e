import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maxVideoUrlLength, readVideoUrl, videoIdOf } from '../../../src/manifest/cells/video-url.ts';

function idOf(given: string): string {
  const read = readVideoUrl(given);
  return 'url' in read ? videoIdOf(read.url) : read.fault;
}

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

  it('loses what an app adds to a shared link', () => {
    const url = 'https://video.example/@anna/video/42?lang=de';
    const shared = `${url}&_r=1&_T=ZP-1&share_app_id=1233&SI=a`;
    expect(readVideoUrl(shared)).toEqual({ url });
  });

  it.each([
    'http://www.video.example/@Anna/video/42',
    'https://m.video.example/@Anna/video/42',
    'http://M.VIDEO.example/@Anna/video/42//',
    'https://video.example/@Anna/video/42/',
    'https://www.video.example:443/@Anna/video/42?_r=1#x',
  ])('%s is the same video as in the usual form', (given) => {
    expect(idOf(given)).toBe(idOf('https://www.video.example/@Anna/video/42'));
  });

  it.each([
    'https://www.video.example/@anna/video/42',
    'https://www.video.example/@Anna/video/42?x=1',
    'http://www.video.example:8080/@Anna/video/42',
    'https://m.example/@Anna/video/42',
    'https://music.video.example/@Anna/video/42',
  ])('%s may be another video', (given) => {
    expect(idOf(given)).not.toBe(idOf('https://www.video.example/@Anna/video/42'));
  });

  it('keeps the id that its usual form has always had', () => {
    const usual = 'https://www.video.example/@anna/video/42';
    expect(videoIdOf(usual)).toBe('jtxIF1PCJBG1PFQZ');
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
    ['https://video.example/v/1, https://video.example/v/2', 'invalid_url'],
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
