-- Rule (claim of an upload): the end of an upload records the file, by content and by source, and ends the lease.
-- ARGV: count, then for each: key and field by content, key and field by source ('' for none), lease key, token, record ('' when the upload did not
--   succeed)
--- include ../attempt.lua
local function record(at)
  local file = ARGV[at + 6]
  if file ~= '' then
    redis.call('HSET', ARGV[at], ARGV[at + 1], file)
    if ARGV[at + 2] ~= '' then redis.call('HSET', ARGV[at + 2], ARGV[at + 3], file) end
  end
  if redis.call('GET', ARGV[at + 4]) == ARGV[at + 5] then redis.call('DEL', ARGV[at + 4]) end
  return 1
end

return each_item(7, record)
