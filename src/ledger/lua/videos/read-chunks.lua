-- Reads chunks of histories in one command.
-- KEYS[1]: prefix of all keys.
-- ARGV: for each video: id, fields (separated by commas)
-- Returns for each: its chunks, in order (nil for one that is missing).
local replies = {}
for at = 1, #ARGV, 2 do
  local fields = {}
  for field in string.gmatch(ARGV[at + 1], '[^,]+') do fields[#fields + 1] = field end
  replies[#replies + 1] = redis.call('HMGET', KEYS[1] .. ':v:' .. ARGV[at], unpack(fields))
end
return replies
