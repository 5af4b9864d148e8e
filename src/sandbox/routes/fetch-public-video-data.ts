/** Public metrics of a video (contract, section 4.8). */
import { Refusal, success } from '../http/answer.ts';
import { exists, figuresOf, wordsOf } from '../video-figures.ts';
import { route, type Surroundings } from './route.ts';

export const fetchPublicVideoData = route('fetchPublicVideoData', ({ videoUrl }, call, surroundings) => {
  const { url, speed } = surroundings;
  const parsed = new URL(videoUrl);
  const { origin, pathname } = parsed;
  const words = wordsOf(parsed, url);
  const age = call.at - firstLookAt(surroundings, videoUrl, call.at);
  const post = origin === url ? postOf(surroundings, pathname) : undefined;
  const figures = exists(words, age)
    ? figuresOf(videoUrl, words, { now: call.at, age, speed, post })
    : undefined;
  if (!figures) throw new Refusal(404, 'the public work does not exist or was deleted');
  const { releasedAt, name, ...counts } = figures;
  return success({
    ...counts,
    uniqueId: /@([\w.]+)/.exec(pathname)?.[1] ?? `author_${name}`,
    coverUrl: `${url}/assets/product/${name}.png`,
    videoDesc: post?.title ?? `Sample video ${name}`,
    releaseAt: Math.floor(releasedAt / 1000),
  });
});

/** The most that a sandbox remembers. */
const mostLooks = 100_000;

function firstLookAt({ firstLooks }: Surroundings, videoUrl: string, now: number): number {
  const first = firstLooks.get(videoUrl);
  if (first === undefined && firstLooks.size < mostLooks) firstLooks.set(videoUrl, now);
  return first ?? now;
}

/** The post whose public URL this is. */
function postOf({ store }: Surroundings, pathname: string) {
  const [id] = /^[0-9a-f]{1,64}$/.exec(pathname.split('/video/').at(-1) ?? '') ?? [];
  return id === undefined ? undefined : store.posts.page({ postId: `post_${id}` }, 0, 1).list[0];
}
