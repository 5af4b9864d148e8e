/** Makes the file name that an upload declares. It needs an extension (contract, section 4.6). */
import { extensionOf, typeOfName } from './content-type.ts';

const longestName = 200;
const fallback = 'media';

/** The last part of a path, as a plain file name; `media` if it is empty. */
export function baseName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes control characters.
  const plain = last.replaceAll(/[\u0000-\u001f\u007f"]/g, '').trim();
  return plain.slice(-longestName) || fallback;
}

/** The name of a fetched file. */
export function nameFromUrl(url: URL): string {
  try {
    return baseName(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
  } catch {
    return baseName(url.pathname);
  }
}

/** Keeps the extension if it fits the type; else uses the usual one. */
export function withExtension(name: string, contentType: string): string {
  const named = typeOfName(name);
  if (named === contentType) return name;
  const stem = named === undefined ? name : name.slice(0, name.lastIndexOf('.'));
  return `${stem || fallback}.${extensionOf(contentType) ?? 'bin'}`;
}
