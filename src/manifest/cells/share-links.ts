/**
 * Links that people share files by. They lead to a web page about the file, not to the file itself, so nothing can be uploaded from them.
 * Some drives have a direct form of the same link.
 */
import { hint } from '../problems/hint.ts';
import type { Fault } from '../problems/problem.ts';

/** @returns the direct form of a link; undefined if it has none; `null` if the link itself leads to the file. */
type Direct = (url: URL) => string | undefined | null;

interface FileHost {
  /** As people call it. */
  readonly name: string;
  readonly direct: Direct;
}

const none: Direct = () => undefined;
/** The rule of a service whose pages are recognized by their paths; anything else may be a file. */
const pages =
  (...beginnings: readonly string[]): Direct =>
  ({ pathname }) =>
    beginnings.some((beginning) => pathname.startsWith(beginning)) ? undefined : null;

const drive: Direct = ({ pathname, searchParams }) => {
  const parts = pathname.split('/');
  const isDownload = pathname === '/uc' && searchParams.get('export') === 'download';
  const isFile = parts.includes('file') || pathname === '/open' || pathname === '/uc';
  const id = parts.includes('d') ? parts[parts.indexOf('d') + 1] : searchParams.get('id');
  if (!isFile || !id || !/^[\w-]{5,200}$/.test(id)) return undefined;
  if (isDownload) return null;
  const key = searchParams.get('resourcekey');
  const suffix = key && /^[\w-]{1,100}$/.test(key) ? `&resourcekey=${key}` : '';
  return `https://drive.google.com/uc?export=download&id=${id}${suffix}`;
};

const docs: Direct = (url) => (url.pathname === '/uc' ? drive(url) : undefined);

const dropbox: Direct = (url) => {
  const { pathname, searchParams } = url;
  const isFolder = pathname.startsWith('/sh/') || pathname.startsWith('/scl/fo/');
  if (!isFolder && (searchParams.get('dl') === '1' || searchParams.get('raw') === '1')) return null;
  if (!pathname.startsWith('/s/') && !pathname.startsWith('/scl/fi/')) return undefined;
  return withParameter(url, 'dl', '1');
};

/** `:v:` is a video, `:i:` an image, `:u:` any other file; `:f:` is a folder. */
const sharePoint: Direct = (url) => {
  if (url.searchParams.get('download') === '1') return null;
  if (/^\/:[viu]:\//.test(url.pathname)) return withParameter(url, 'download', '1');
  return url.pathname.startsWith('/:') ? undefined : null;
};

function withParameter(url: URL, name: string, value: string): string {
  const direct = new URL(url);
  direct.searchParams.set(name, value);
  direct.hash = '';
  return direct.href;
}

const place = (name: string, direct: Direct, ...hosts: readonly string[]) =>
  hosts.map((host) => [host, { name, direct }] as const);

/** By host, without `www.`, `m.` and `web.`. */
const places: ReadonlyMap<string, FileHost> = new Map<string, FileHost>([
  ...place('Google Drive', drive, 'drive.google.com'),
  ...place('Google Docs', docs, 'docs.google.com'),
  ...place('Google Photos', none, 'photos.google.com', 'photos.app.goo.gl'),
  ...place('Dropbox', dropbox, 'dropbox.com'),
  ...place('OneDrive', none, '1drv.ms', 'onedrive.live.com', 'photos.onedrive.com'),
  ...place('WeTransfer', none, 'wetransfer.com', 'we.tl'),
  ...place('iCloud', none, 'icloud.com', 'share.icloud.com'),
  ...place('Box', pages('/s/', '/v/', '/file/', '/folder/'), 'box.com', 'app.box.com'),
  ...place('MEGA', none, 'mega.nz', 'mega.io'),
  ...place('MediaFire', none, 'mediafire.com'),
  ...place('pCloud', none, 'u.pcloud.link', 'e.pcloud.link'),
  ...place('Smash', none, 'fromsmash.com'),
  ...place('SwissTransfer', none, 'swisstransfer.com'),
  ...place('TransferNow', none, 'transfernow.net'),
  ...place('Frame.io', none, 'f.io', 'app.frame.io', 'next.frame.io'),
  ...place('Canva', none, 'canva.com', 'canva.link'),
  ...place('Baidu Wangpan', none, 'pan.baidu.com', 'yun.baidu.com'),
  ...place('Aliyun Drive', none, 'alipan.com', 'aliyundrive.com'),
  ...place('Quark', none, 'pan.quark.cn'),
  ...place('Naver MYBOX', none, 'mybox.naver.com'),
  ...place('TikTok', none, 'tiktok.com', 'vm.tiktok.com', 'vt.tiktok.com'),
  ...place('Douyin', none, 'douyin.com', 'v.douyin.com', 'iesdouyin.com'),
  ...place('YouTube', none, 'youtube.com', 'youtu.be'),
  ...place('Instagram', none, 'instagram.com'),
  ...place('Facebook', none, 'facebook.com', 'fb.watch'),
  ...place('X', none, 'x.com', 'twitter.com'),
  ...place('Vimeo', none, 'vimeo.com'),
  ...place('Xiaohongshu', none, 'xiaohongshu.com', 'xhslink.com'),
  ...place('Kuaishou', none, 'kuaishou.com', 'v.kuaishou.com'),
  ...place('Bilibili', none, 'bilibili.com', 'b23.tv'),
  ...place('Pinterest', none, 'pinterest.com', 'pin.it'),
  ...place('Notion', none, 'notion.so', 'notion.com'),
  ...place('Loom', none, 'loom.com'),
  ...place('Streamable', none, 'streamable.com'),
]);

/** Hosts of one's own below these. */
const families: readonly (readonly [ending: string, FileHost])[] = [
  ['.sharepoint.com', { name: 'SharePoint', direct: sharePoint }],
  ['.box.com', { name: 'Box', direct: pages('/s/', '/v/', '/file/', '/folder/') }],
  ['.wetransfer.com', { name: 'WeTransfer', direct: none }],
  ['.notion.site', { name: 'Notion', direct: none }],
  ['.feishu.cn', { name: 'Feishu', direct: none }],
  ['.larksuite.com', { name: 'Lark', direct: none }],
];

/** Longer ones are no links that a drive makes, and a fix that repeats them would help nobody. In UTF-16 units. */
const longestLink = 2000;

/** People copy links with and without the scheme. */
const hostOf = /^(?:https?:\/\/)?(?:www\.|m\.|web\.)?([a-z0-9.-]{4,100})(?::\d{1,5})?(?=[/?#]|$)/i;

/** Finds out that a link leads to a page of a drive or of a platform, not to a file. @param source a URL, or a path. */
export function findShareLink(source: string): Fault | null {
  const hasScheme = /^https?:/i.test(source);
  // A folder without a dot, as that of most files, is no host.
  if (!hasScheme && source.indexOf('.') > source.indexOf('/')) return null;
  // A host may end with the dot of the root.
  const host = hostOf.exec(source)?.[1]?.toLowerCase().replace(/\.$/, '');
  if (host === undefined) return null;
  const found = places.get(host) ?? families.find(([ending]) => host.endsWith(ending))?.[1];
  if (found === undefined) return null;
  const url = URL.parse(hasScheme ? source : `https://${source}`);
  // A folder of this name is a path like any other.
  if (url === null || (!hasScheme && url.pathname === '/')) return null;
  const direct = source.length > longestLink ? undefined : found.direct(url);
  return direct === null ? null : shareLink(found.name, direct);
}

/** Whether only a look tells if a link leads to a file or to a folder. */
export function mayBeFolder(link: string): boolean {
  return /^(?:https?:\/\/)?drive\.google\.com\.?\/open\?/i.test(link);
}

/** Short links of apps, and pages of products on platforms, may lead to a shop. */
const maybeShop = /^(?:https?:\/\/)?v[mt]\.tiktok\.com\/|\/(?:product|shop|pdp|item|goods)s?\b/i;

/** Whether a link is surely of no product: a profile, a video, or a page of a drive. */
export function isOfNoShop(text: string): boolean {
  return !maybeShop.test(text.slice(0, longestLink)) && findShareLink(text) !== null;
}

function shareLink(name: string, direct: string | undefined): Fault {
  const problem = `this leads to a page of ${name}, not to a file`;
  if (direct === undefined) {
    return { code: 'share_link', problem, fix: ['Download the file and add it.', hint('mediaRoot')] };
  }
  return {
    code: 'share_link',
    problem,
    fix: `Use ${direct} if everyone with the link may open the file. Else download the file and add it.`,
    meant: direct,
  };
}
