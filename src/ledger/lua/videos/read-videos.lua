-- Reads facts and figures of videos in one command, because a command for each video would take longer than the reading.
-- KEYS[1]: prefix of all keys.
-- ARGV: how many fields, the fields, ids
-- Returns for each id: its fields, in order (nil for one that is missing); none for a key of another type.
local prefix, count = KEYS[1], tonumber(ARGV[1])
local fields = {}
for at = 1, count do fields[at] = ARGV[1 + at] end
local replies = {}
for at = 2 + count, #ARGV do
  local reply = redis.pcall('HMGET', prefix .. ':v:' .. ARGV[at], unpack(fields))
  if reply.err and not string.find(reply.err, 'WRONGTYPE', 1, true) then return reply end
  replies[#replies + 1] = reply.err and {} or reply
end
return replies
