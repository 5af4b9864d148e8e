-- ARGV: campaign, row, row, ...
-- Returns { field, value, ... } for each; nothing for a key of a wrong type, which the next step of its row finds.
local replies = {}
for index = 2, #ARGV do
  local reply = redis.pcall('HGETALL', KEYS[1] .. ':c:' .. ARGV[1] .. ':work:' .. ARGV[index])
  replies[index - 1] = reply.err and {} or reply
end
return replies
