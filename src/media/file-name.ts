/** The name that a file is declared with: it needs an extension (contract, section 4.6). */
import { extensionOf, typeOfName } from './content-type.ts';

const longestName = 200;
const fallback = 'media';

/** The last part of a path or of a URL's path, as a plain file name; `media` where there is none. */
export function baseName(path: string): string {
  const last = path.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const plain = last.replaceAll(/[\u0000-\u001f\u007f"]/g, '').trim();
  return plain.slice(-longestName) || fallback;
}

/** The name of a file that was fetched from a URL. */
export function nameFromUrl(url: URL): string {
  try {
    return baseName(decodeURIComponent(url.pathname.split('/').at(-1) ?? ''));
  } catch {
    return baseName(url.pathname);
  }
}

/** The name with an extension that fits the type: its own where it tells the same type, else the usual one. */
export function withExtension(name: string, contentType: string): string {
  const named = typeOfName(name);
  if (named === contentType) return name;
  const stem = named === undefined ? name : name.slice(0, name.lastIndexOf('.'));
  return `${stem || fallback}.${extensionOf(contentType) ?? 'bin'}`;
}
