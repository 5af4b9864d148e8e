-- Rule (client links): so many of a campaign hold at the same time, however many are made at once.
-- ARGV: campaign, SHA-256 of the token, JSON of the link, when it expires (Unix epoch, ms), now, most links of a campaign
-- Returns 1, or 0: there is no room.
local links, digest, expires_at = KEYS[1] .. ':c:' .. ARGV[1] .. ':shares', ARGV[2], ARGV[4]
redis.call('ZREMRANGEBYSCORE', links, '-inf', ARGV[5])
-- The connection may send the script twice.
if redis.call('ZSCORE', links, digest) then return 1 end
if redis.call('ZCARD', links) >= tonumber(ARGV[6]) then return 0 end
redis.call('ZADD', links, expires_at, digest)
redis.call('SET', KEYS[1] .. ':share:' .. digest, ARGV[3], 'PXAT', expires_at)
return 1
