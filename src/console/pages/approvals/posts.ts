/** The posts of the page as its forms name them. */

export interface NamedPost {
  readonly campaign: string;
  readonly position: number;
  readonly revision: number;
  /** Empty for a post that cannot be approved as it is. */
  readonly seen: string;
}

export const mostNamed = 200;

export function nameOf({
  campaign,
  position,
  revision,
  seen,
}: Omit<NamedPost, 'seen'> & { readonly seen: string | null }): string {
  return `${campaign}.${position}.${revision}.${seen ?? ''}`;
}

export function placeOf({ campaign, position }: Pick<NamedPost, 'campaign' | 'position'>): string {
  return `post-${campaign}-${position}`;
}

/** The post whose own button was pressed, else the selected ones. */
export function namedIn(form: URLSearchParams): readonly NamedPost[] {
  const names = form.has('one') ? form.getAll('one').slice(0, 1) : form.getAll('post');
  return postsOf(names);
}

function postsOf(names: readonly string[]): readonly NamedPost[] {
  return names.slice(0, mostNamed).flatMap((name) => {
    const [, campaign, position, revision, seen = ''] =
      /^([^.]{1,64})\.(\d{1,9})\.(\d{1,3})\.([\w.-]{0,200})$/.exec(name) ?? [];
    if (campaign === undefined) return [];
    return [{ campaign, position: Number(position), revision: Number(revision), seen }];
  });
}

/** Longest list of posts, and longest address, in a field of a button that takes approvals back: it is kept in a cookie. */
export const longestList = 2500;
export const longestHome = 200;

/** Many posts in one field, without what was shown of them. */
export function listOf(posts: readonly NamedPost[]): string {
  return posts.map((post) => nameOf({ ...post, seen: null })).join('~');
}

export function listedIn(list: string): readonly NamedPost[] {
  return postsOf(list.slice(0, longestList).split('~'));
}

/** The list, or the page of a row, that the form came from. */
export function homeOf(home: string | null): string {
  return /^\/(?:approvals|campaigns\/[\w-]{1,64}\/rows\/[\w%.~!*'()-]{1,800})(?:\?[\w%&=.+-]{0,800})?$/.test(
    home ?? '',
  )
    ? (home ?? '')
    : '/approvals';
}
