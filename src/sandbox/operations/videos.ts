/** Public figures of videos (contract, section 4.8), and background music, of which the contract does not show the form: it is ours. */
import { createHash } from 'node:crypto';
import { Refusal, success } from '../http.ts';
import type { StoredPost } from '../store.ts';
import { type Handlers, pageOf } from './operation.ts';
import { publishingState } from './posts.ts';

/** Words in the path of such a URL, and the fate of the video. Days count from the first look at it. */
const videoWords = {
  gone: 'never exists',
  vanishes: 'is gone after a day',
  returns: 'is gone from the first to the third day',
  late: 'exists from the first day on',
  falls: 'loses a tenth of its views on the second day',
  huge: 'has figures beyond 2^53',
} as const;
type VideoWord = keyof typeof videoWords;

const hour = 3_600_000;
const day = 24 * hour;
/** More than a number of JavaScript holds exactly. */
const beyondSafe = 2n ** 53n + 1n;

/** The most that a sandbox remembers. */
const mostLooks = 100_000;

export const videoHandlers: Pick<Handlers, 'fetchPublicVideoData' | 'searchMusic'> = {
  fetchPublicVideoData({ videoUrl }, { at: now }, { store, url, speed, firstLooks }) {
    const parsed = new URL(videoUrl);
    const { origin, pathname } = parsed;
    const words = wordsOf(parsed, url);
    const firstLook = firstLooks.get(videoUrl) ?? now;
    if (firstLooks.size < mostLooks) firstLooks.set(videoUrl, firstLook);
    const age = now - firstLook;

    const digest = createHash('sha256').update(videoUrl).digest();
    const post = origin === url ? store.posts.get(`post_${pathname.split('/video/').at(-1)}`) : undefined;
    const releasedAt = releaseOf(digest, post, now, speed);
    if (releasedAt === undefined || !exists(words, age)) {
      throw new Refusal(404, 'the public work does not exist or was deleted');
    }
    const seen = BigInt(views(digest, Math.max(0, now - releasedAt) / hour));
    const kept = words.has('falls') && age >= 2 * day ? (seen * 9n) / 10n : seen;
    const playCount = words.has('huge') ? kept + beyondSafe : kept;
    const part = (index: number, perThousand: bigint) =>
      (playCount * BigInt(digest.readUInt8(index) + 1) * perThousand) / 256_000n;
    // Names the video in texts and images.
    const name = digest.toString('hex', 0, 4);
    return success({
      videoId: digest.readBigUInt64BE(8).toString(),
      playCount,
      diggCount: part(4, 120n),
      commentCount: part(5, 10n),
      shareCount: part(6, 20n),
      collectCount: part(7, 30n),
      uniqueId: /@([\w.]+)/.exec(pathname)?.[1] ?? `author_${name}`,
      coverUrl: `${url}/assets/product/${name}.png`,
      videoDesc: post?.title ?? `Sample video ${name}`,
      releaseAt: Math.floor(releasedAt / 1000),
    });
  },

  searchMusic(request, _call, parts) {
    const keyword = request.keyword.toLowerCase();
    const found = music.filter(({ title, author }) => `${title} ${author}`.toLowerCase().includes(keyword));
    return success(pageOf(found, request, parts));
  },
};

/** Names that no site has (RFC 2606). */
const exampleHost = /(?:^|\.)example(?:\.(?:com|net|org))?$/;

/** `own` is the sandbox's origin; none in a URL that may be a real video's. `gone` may be part of a longer word. */
function wordsOf({ origin, hostname, pathname }: URL, own: string): ReadonlySet<VideoWord> {
  if (origin !== own && !exampleHost.test(hostname)) return new Set();
  const parts = pathname.toLowerCase().split(/[^a-z]+/);
  const words = (Object.keys(videoWords) as VideoWord[]).filter((word) => parts.includes(word));
  return new Set(pathname.includes('gone') ? [...words, 'gone'] : words);
}

/** Whether the video exists, so many milliseconds after the first look at it. */
function exists(words: ReadonlySet<VideoWord>, age: number): boolean {
  if (words.has('gone') || (words.has('vanishes') && age >= day)) return false;
  if (words.has('late') && age < day) return false;
  return !(words.has('returns') && age >= day && age < 3 * day);
}

/** Milliseconds. A post of the sandbox is released when it is published, if ever; any other video in 2025. */
function releaseOf(digest: Buffer, post: StoredPost | undefined, now: number, speed: number) {
  if (post) return publishingState(post, now, speed).publishedAt;
  return Date.UTC(2025, 0, 1) + (digest.readUInt16BE(0) % 8760) * hour;
}

/** A burst after the release, then a long tail. Most of the burst comes within a few days; the tail goes on, ever more slowly. */
function views(digest: Buffer, hours: number): number {
  const size = digest.readUInt16BE(2) + 100;
  const burstHours = 15 + digest.readUInt8(20) / 3;
  return Math.floor(size * (8 * (1 - Math.exp(-hours / burstHours)) + Math.log2(hours / 12 + 1)));
}

/** For background music. */
const moods = ['Bright', 'Calm', 'Golden', 'Happy', 'Midnight', 'Neon', 'Ocean', 'Paper', 'Slow', 'Summer'];
const things = ['Morning', 'Road', 'Steps', 'Sunday', 'Waves', 'Windows'];
const authors = ['Lantern Trio', 'North Quay', 'Paper Kites Ensemble', 'The Sample Band'];

const music = moods.flatMap((mood, row) =>
  things.map((thing, column) => {
    const number = row * things.length + column;
    return {
      id: `music_${7001 + number}`,
      title: `${mood} ${thing}`,
      author: authors[number % authors.length] ?? '',
      // Seconds, as text like in the contract.
      duration: String(15 + ((number * 7) % 46)),
    };
  }),
);
