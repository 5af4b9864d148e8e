import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { callSandbox, contractHash, testSandbox, uploadTo, videoPost } from '../support/sandbox.ts';

const bytes = Buffer.from('some bytes of a video');

async function presign(sandbox: Sandbox, content: Buffer = bytes, contentType = 'video/mp4') {
  const file = { fileName: 'clip.mp4', contentType, size: content.length, hash: contractHash(content) };
  const { data } = await callSandbox(sandbox, '/v1/file/presign', file);
  return data as { fileId: number; uploadUrl: string; url: string; isNew: boolean; expiresAt: string };
}

function put(
  url: string,
  body: Buffer = bytes,
  headers: Record<string, string> = { 'content-type': 'video/mp4' },
) {
  return fetch(url, { method: 'PUT', body: new Uint8Array(body), headers });
}

function confirm(sandbox: Sandbox, fileId: number) {
  return callSandbox(sandbox, '/v1/file/confirm', { fileId });
}

describe('createFileUpload', () => {
  it('answers an integer id, a signed URL and its expiry', async () => {
    await using sandbox = await testSandbox({
      clock: { now: () => 1_800_000_000_000 },
      presignLifetime: 60_000,
    });
    const record = await presign(sandbox);
    expect(Number.isSafeInteger(record.fileId)).toBe(true);
    expect(record.isNew).toBe(true);
    expect(record.expiresAt).toBe(new Date(1_800_000_060_000).toISOString());
    expect(record.uploadUrl).toContain('signature=');
  });

  it('knows a content only once it was put and confirmed', async () => {
    await using sandbox = await testSandbox();
    const first = await presign(sandbox);
    expect((await presign(sandbox)).isNew).toBe(true);
    await put(first.uploadUrl);
    expect((await presign(sandbox)).isNew).toBe(true);
    await confirm(sandbox, first.fileId);
    expect(await presign(sandbox)).toMatchObject({ isNew: false, fileId: first.fileId });
  });

  it.each([
    ['fileName', { fileName: 'no-extension' }],
    ['contentType', { contentType: 'video' }],
    ['size', { size: 0 }],
    ['hash', { hash: 'XYZ' }],
  ])('names the field %s when it is wrong', async (field, change) => {
    await using sandbox = await testSandbox();
    const file = { fileName: 'a.mp4', contentType: 'video/mp4', size: 1, hash: '0'.repeat(64), ...change };
    expect(await callSandbox(sandbox, '/v1/file/presign', file)).toMatchObject({
      status: 400,
      data: { field },
    });
  });
});

describe('the presigned PUT', () => {
  it('takes a type with parameters, as declared', async () => {
    await using sandbox = await testSandbox();
    const type = 'Video/MP4; codecs="avc1"';
    const { uploadUrl, fileId } = await presign(sandbox, bytes, type);
    expect((await put(uploadUrl, bytes, { 'content-type': 'video/mp4' })).status).toBe(403);
    expect((await put(uploadUrl, bytes, { 'content-type': type })).status).toBe(200);
    await confirm(sandbox, fileId);
    const creatorId = sandbox.creators().find(({ username }) => username === 'demo_anna')?.creatorId ?? '';
    expect(await callSandbox(sandbox, '/v1/creator/post/create', videoPost(fileId, creatorId))).toMatchObject(
      { code: 0 },
    );
  });

  it('keeps the bytes, and their public URL serves them', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl, url, fileId } = await presign(sandbox);
    expect((await put(uploadUrl)).status).toBe(200);
    await confirm(sandbox, fileId);
    const download = await fetch(url);
    expect(download.headers.get('content-type')).toBe('video/mp4');
    expect(Buffer.from(await download.arrayBuffer())).toEqual(bytes);
  });

  it('keeps a file that is too large for the memory on disk', async () => {
    await using sandbox = await testSandbox();
    const large = Buffer.alloc(3_000_000, 'large ');
    const fileId = await uploadTo(sandbox, large);
    const download = await fetch(`${sandbox.url}/files/${fileId}/clip.mp4`);
    expect(Buffer.from(await download.arrayBuffer()).equals(large)).toBe(true);
  });

  it('refuses a call that brings the API key along', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl } = await presign(sandbox);
    const answer = await put(uploadUrl, bytes, { 'content-type': 'video/mp4', 'x-api-key': sandbox.apiKey });
    expect(answer.status).toBe(400);
    expect(sandbox.calls('putFile')).toMatchObject([{ withKey: true, status: 400 }]);
    expect(sandbox.effects().files).toMatchObject([{ state: 'registered' }]);
  });

  it('refuses another signature, another expiry and another file', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl, fileId } = await presign(sandbox);
    const statuses = [];
    for (const [from, to] of [
      [/signature=./, 'signature=z'],
      [/expires=\d/, 'expires=9'],
      [`/storage/${fileId}`, `/storage/${fileId + 1}`],
    ] as const) {
      statuses.push((await put(uploadUrl.replace(from, to))).status);
    }
    expect(statuses).toEqual([403, 403, 403]);
  });

  it('refuses a URL that has expired', async () => {
    await using sandbox = await testSandbox({ presignLifetime: 60_000 });
    const { uploadUrl } = await presign(sandbox);
    sandbox.clock.advance(60_000);
    expect((await put(uploadUrl)).status).toBe(403);
  });

  it('refuses another type, another size and other bytes than declared', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl } = await presign(sandbox);
    expect((await put(uploadUrl, bytes, { 'content-type': 'image/png' })).status).toBe(403);
    expect((await put(uploadUrl, bytes.subarray(1))).status).toBe(400);
    expect((await put(uploadUrl, Buffer.alloc(bytes.length))).status).toBe(400);
    expect(sandbox.effects().files).toMatchObject([{ state: 'registered' }]);
  });

  it('refuses a body in chunks', async () => {
    await using sandbox = await testSandbox();
    const { uploadUrl } = await presign(sandbox);
    const body = new Blob([bytes]).stream();
    const headers = { 'content-type': 'video/mp4' };
    const answer = await fetch(uploadUrl, { method: 'PUT', headers, body, duplex: 'half' } as RequestInit);
    expect(answer.status).toBe(411);
  });
});

describe('confirmUpload', () => {
  it('refuses a file whose bytes have not arrived', async () => {
    await using sandbox = await testSandbox();
    const { fileId } = await presign(sandbox);
    expect(await confirm(sandbox, fileId)).toMatchObject({ status: 400, data: { field: 'fileId' } });
    expect(await confirm(sandbox, fileId + 1)).toMatchObject({ status: 400, data: { field: 'fileId' } });
  });

  it('may be repeated', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, bytes);
    expect(await confirm(sandbox, fileId)).toMatchObject({ code: 0, data: { fileId } });
  });
});

describe('uploadCover', () => {
  const path = '/v1/creator/socialshop/uploadPhoto';

  it('answers a URI for a confirmed image', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, Buffer.from('image'), 'image/png', 'a.png');
    const reply = await callSandbox(sandbox, path, { fileId });
    expect(sandbox.effects().covers).toMatchObject([{ uri: reply.data.uri, fileId }]);
  });

  it('answers 40101 for a creator whose authorization has expired', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, Buffer.from('a'), 'image/png', 'a.png');
    const reply = await callSandbox(sandbox, '/v1/creator/socialshop/uploadPhoto', { id: 1059, fileId });
    expect(reply).toEqual({ status: 200, code: 40101, data: {}, message: '授权已过期，请重新授权' });
    expect(sandbox.effects().covers).toEqual([]);
  });

  it('takes the image as form data too, and makes a file of it', async () => {
    await using sandbox = await testSandbox();
    const form = new FormData();
    form.set('file', new File(['image'], 'a.png', { type: 'image/png' }));
    const headers = { 'x-api-key': sandbox.apiKey };
    const answer = await fetch(sandbox.url + path, { method: 'POST', headers, body: form });
    const { data } = (await answer.json()) as { data: { uri: string; fileId: number } };
    expect(sandbox.effects().files).toMatchObject([
      { fileId: data.fileId, state: 'confirmed', name: 'a.png' },
    ]);
  });

  it('refuses a video', async () => {
    await using sandbox = await testSandbox();
    const fileId = await uploadTo(sandbox, bytes);
    expect(await callSandbox(sandbox, path, { fileId })).toMatchObject({
      status: 400,
      data: { field: 'fileId' },
    });
  });
});
