-- Reads rows that failed or are in review, with their errors, from a position on.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, 'failed' or 'review', position, most rows, '1' to go down from there
-- Returns { row, ... } and { error, ... }, which is nil for a row without one.
local campaign = KEYS[1] .. ':c:' .. ARGV[1]
local command, last = 'ZRANGEBYSCORE', '+inf'
if ARGV[5] == '1' then command, last = 'ZREVRANGEBYSCORE', '-inf' end
local rows = redis.call(command, campaign .. ':' .. ARGV[2], ARGV[3], last, 'LIMIT', 0, ARGV[4])
if #rows == 0 then return { rows, {} } end
return { rows, redis.call('HMGET', campaign .. ':errors', unpack(rows)) }
