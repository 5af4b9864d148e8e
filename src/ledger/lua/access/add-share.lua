-- Rule (client links): so many of a campaign or draft hold at the same time, however many are made at once.
-- ARGV: `c:` and the campaign or `d:` and the draft, SHA-256 of the token, JSON of the link, when it expires (Unix epoch, ms), now, most links of it
-- Returns 1, or 0: there is no room.
local links, digest, expires_at = KEYS[1] .. ':' .. ARGV[1] .. ':shares', ARGV[2], ARGV[4]
redis.call('ZREMRANGEBYSCORE', links, '-inf', ARGV[5])
-- The connection may send the script twice.
if redis.call('ZSCORE', links, digest) then return 1 end
if redis.call('ZCARD', links) >= tonumber(ARGV[6]) then return 0 end
redis.call('ZADD', links, expires_at, digest)
-- Nothing deletes the links of a draft: the set goes with the last of them.
redis.call('PEXPIREAT', links, redis.call('ZRANGE', links, -1, -1, 'WITHSCORES')[2])
redis.call('SET', KEYS[1] .. ':share:' .. digest, ARGV[3], 'PXAT', expires_at)
return 1
