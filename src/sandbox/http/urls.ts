/** The public URLs in answers, which `getAsset` serves. */
import type { StoredFile } from '../store/files.ts';
import type { StoredPost } from '../store/posts.ts';

export function fileUrl(origin: string, file: Pick<StoredFile, 'fileId' | 'name'>): string {
  return `${origin}/files/${file.fileId}/${encodeURIComponent(file.name.toWellFormed())}`;
}

export function productImageUrl(origin: string, productId: string): string {
  return `${origin}/assets/product/${encodeURIComponent(productId)}.png`;
}

/** The public address of a published post. */
export function publicUrl(origin: string, username: string, post: StoredPost): string {
  return `${origin}/@${username}/video/${post.postId.slice('post_'.length)}`;
}
