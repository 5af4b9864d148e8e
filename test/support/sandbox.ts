/** A sandbox for one test, fast by default, and the calls that many tests start with. */
import { createHash } from 'node:crypto';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';

/** Strict unless the options say otherwise. Use it with `await using`: it closes however the test ends. */
export function testSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({ speed: 200, strict: true, ...options });
}

/** The contract's hash: SHA-256 over the text of the lowercase hex of the bytes. */
export function contractHash(bytes: Uint8Array): string {
  return createHash('sha256').update(Buffer.from(bytes).toString('hex')).digest('hex');
}

export interface Reply {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data: Record<string, unknown>;
  readonly timestamp?: number;
}

/** Calls an operation with the full key: a GET without a body, a POST with one. */
export async function callSandbox(sandbox: Sandbox, path: string, body?: unknown): Promise<Reply> {
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' };
  const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(sandbox.url + path, init);
  return { ...((await response.json()) as Omit<Reply, 'status'>), status: response.status };
}

/** Uploads and confirms bytes. @returns their file id. */
export async function uploadTo(
  sandbox: Sandbox,
  bytes: Uint8Array,
  contentType = 'video/mp4',
  fileName = 'clip.mp4',
): Promise<number> {
  const hash = contractHash(bytes);
  const file = { fileName, contentType, size: bytes.length, hash };
  const { data } = await callSandbox(sandbox, '/v1/file/presign', file);
  if (data.isNew === true) {
    const headers = { 'content-type': contentType };
    const put = await fetch(String(data.uploadUrl), { method: 'PUT', headers, body: Buffer.from(bytes) });
    if (!put.ok) throw new Error(`PUT answered ${put.status}: ${await put.text()}`);
    await callSandbox(sandbox, '/v1/file/confirm', { fileId: data.fileId });
  }
  return Number(data.fileId);
}

/** Body of a video post that the sandbox accepts. */
export function videoPost(fileId: number, creatorId: string, title = 'A caption') {
  return {
    businessId: String(fileId),
    businessType: 'FILE',
    creatorId,
    title,
    platform: 'SOCIAL_SHOP',
    mediaType: 'VIDEO',
    socialShop: { productInfo: { productId: '1729', title: 'A product', source: 'SHOP' } },
  };
}
