/**
 * Connects sockets for undici, which takes `100 Continue` for a broken answer unless it asked for it. A proxy may send one all the same
 * (RFC 9110, section 15.2.1), so it is taken out of what undici reads.
 */
import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Proxies } from '../../platform/net/proxy.ts';

const interim = /^HTTP\/1\.[01] 100[ \r]/;
const longestStart = 'HTTP/1.1 100 '.length;
const endOfHead = '\r\n\r\n';
/** A longer head is handed on as it is. */
const longestHead = 16 * 1024;

/** @param timeoutMs for the connection and its TLS handshake. @param proxies on the way; none by default. */
export function connector(timeoutMs: number, proxies?: Proxies): buildConnector.connector {
  const direct = buildConnector({ timeout: timeoutMs, allowH2: false });
  return readingPlainly(proxies?.connector(direct, timeoutMs) ?? direct);
}

/** Takes the interim answers out of what comes over the sockets of a connector. */
export function readingPlainly(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(options, (...result) => {
      const [, socket] = result;
      if (socket) withoutContinue(socket);
      callback(...result);
    });
}

function withoutContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  /** A request is out, and nothing but interim answers came. */
  let isAwaiting = false;
  let held: Buffer | undefined;

  socket.write = (...given: readonly unknown[]) => {
    isAwaiting = true;
    return write(...given);
  };

  socket.read = (size?: number): Buffer | null => {
    for (;;) {
      const chunk: Buffer | null = read(size);
      if (chunk === null || !isAwaiting) return chunk;
      let rest = held ? Buffer.concat([held, chunk]) : chunk;
      held = undefined;
      let end = endOfInterim(rest);
      while (end !== undefined && end > 0) {
        rest = rest.subarray(end);
        end = endOfInterim(rest);
      }
      if (end === undefined) {
        held = rest;
        continue;
      }
      if (rest.length === 0) continue;
      isAwaiting = false;
      return rest;
    }
  };
}

/** @returns where the interim answer at the start ends; 0 if none begins; undefined while that is not known. */
function endOfInterim(bytes: Buffer): number | undefined {
  const start = bytes.toString('latin1', 0, longestStart);
  if (!interim.test(start)) {
    const isBeginning = start.length > 0 && start.length < longestStart && 'HTTP/1.1 100 '.startsWith(start);
    return isBeginning ? undefined : 0;
  }
  const end = bytes.indexOf(endOfHead);
  if (end >= 0) return end + endOfHead.length;
  return bytes.length > longestHead ? 0 : undefined;
}
