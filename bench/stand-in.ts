/**
 * A stand-in for the service, as fast as node:http allows. It answers the calls of a pipeline, and checks nothing (the
 * sandbox does that). Runs as a child process with an IPC channel, on which it sends its address, and, if it is asked, when the calls since came.
 */
import { createServer, type IncomingMessage } from 'node:http';

const creators = Number(process.env.CREATORS ?? 50);
/** How long the service thinks before it answers, in milliseconds. */
const thinkMs = Number(process.env.THINK_MS ?? 0);
let nextId = 1;
/** When calls came, in Unix milliseconds, by path. */
const calls = new Map<string, number[]>();
let address = '';

function answer(path: string, body: string): string {
  switch (path) {
    case '/v1/creatorAccount/pageList':
      return envelope(creatorPage());
    case '/v1/creator/socialshop/product/addToShowcase':
      return envelope({});
    case '/v1/file/presign':
      return envelope(presigned(body));
    case '/v1/file/confirm':
      return envelope({});
    case '/v1/creator/post/create':
      return envelope({
        id: nextId,
        postId: `post_${nextId++}`,
        platform: 'SOCIAL_SHOP',
        title: '',
        videoUrl: '',
        status: 'SCHEDULED',
      });
    case '/v1/material/fetch':
      return envelope(videoData(nextId++));
    default:
      return '{"code":404,"message":"no such operation"}';
  }
}

/** Figures that grow from call to call. */
function videoData(views: number) {
  return {
    videoId: '7350000000000000001',
    uniqueId: 'creator_1',
    playCount: views * 100,
    diggCount: views * 9,
    commentCount: views,
    shareCount: views,
    collectCount: views * 2,
    coverUrl: `https://cdn.example/cover.jpeg?x-expires=${views}`,
    videoDesc: 'A caption of the video with #tags and a few more words',
    releaseAt: 1_760_000_000,
  };
}

function envelope(data: unknown): string {
  return JSON.stringify({ code: 0, message: 'ok', data, timestamp: Date.now() });
}

const known = new Map<string, number>();

function presigned(body: string) {
  const { hash } = JSON.parse(body) as { hash: string };
  const before = known.get(hash);
  const fileId = before ?? nextId++;
  known.set(hash, fileId);
  const url = `${address}/files/${fileId}`;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  return { fileId, uploadUrl: `${address}/put/${fileId}`, url, isNew: before === undefined, expiresAt };
}

function creatorPage() {
  const list = Array.from({ length: creators }, (_, index) => ({
    id: index + 1,
    creatorId: `creator-id-${index}`,
    username: `creator_${index}`,
    authSource: 'SOCIAL_SHOP_CREATOR',
    valid: true,
    permissions: ['VIDEO_SHOPPABLE_PERMISSION', 'PHOTO_SHOPPABLE_PERMISSION_PRODUCT'],
  }));
  return { list, total: creators, pageNumber: 1, pageSize: creators, totalPages: 1 };
}

async function read(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  void read(request).then((body) => {
    const operation = path.startsWith('/put/') ? '/put' : path;
    const times = calls.get(operation) ?? [];
    calls.set(operation, times);
    times.push(Date.now());
    const text = operation === '/put' ? '' : answer(path, body);
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (thinkMs === 0) response.end(text);
    else setTimeout(() => response.end(text), thinkMs);
  });
});

server.listen(0, '127.0.0.1', () => {
  const bound = server.address();
  address = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`;
  process.send?.({ address });
});
process.on('message', () => {
  process.send?.({ calls: Object.fromEntries(calls) });
  calls.clear();
});
process.on('disconnect', () => process.exit(0));
