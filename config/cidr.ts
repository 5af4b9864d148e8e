/** An IP address or a CIDR range, as settings name private addresses. */
import { isIP } from 'node:net';
import { z } from 'zod';

export const cidr = z.string().refine(
  (text) => {
    const [address = '', bits, ...rest] = text.split('/');
    const family = isIP(address);
    if (family === 0 || rest.length > 0) return false;
    return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  },
  { error: 'must be an IP address or a CIDR range such as 10.0.0.0/8' },
);
