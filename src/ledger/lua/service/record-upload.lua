-- Rule (claim of an upload): the end of an upload records the file, by content and by source, and ends the lease.
-- KEYS[1]: prefix of all keys.
-- ARGV: count, then for each: key and field by content, key and field by source ('' for none), lease key, token,
--   record ('' when the upload did not succeed)
-- Returns 1 for each.
local replies = {}
for item = 1, tonumber(ARGV[1]) do
  local at = 2 + (item - 1) * 7
  local record = ARGV[at + 6]
  if record ~= '' then
    redis.call('HSET', ARGV[at], ARGV[at + 1], record)
    if ARGV[at + 2] ~= '' then redis.call('HSET', ARGV[at + 2], ARGV[at + 3], record) end
  end
  if redis.call('GET', ARGV[at + 4]) == ARGV[at + 5] then redis.call('DEL', ARGV[at + 4]) end
  replies[item] = 1
end
return replies
