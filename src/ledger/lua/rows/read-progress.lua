-- Reads the progress of many rows at once.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, row, row, ...
-- Returns { field, value, ... } for each.
local replies = {}
for index = 2, #ARGV do
  replies[index - 1] = redis.call('HGETALL', KEYS[1] .. ':c:' .. ARGV[1] .. ':work:' .. ARGV[index])
end
return replies
