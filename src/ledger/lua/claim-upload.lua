-- Claims of uploads: one upload per content at a time, whoever asks.
-- ARGV: count, then for each: key and field of the file's record, lease key, token, lease time (ms)
-- Returns for each: { 'known', record } | { 'yours' } | { 'taken' }.
local replies = {}
for item = 1, tonumber(ARGV[1]) do
  local at = 2 + (item - 1) * 5
  local known = redis.call('HGET', ARGV[at], ARGV[at + 1])
  if known then
    replies[item] = { 'known', known }
  elseif redis.call('SET', ARGV[at + 2], ARGV[at + 3], 'NX', 'PX', ARGV[at + 4]) then
    replies[item] = { 'yours' }
  elseif redis.call('GET', ARGV[at + 2]) == ARGV[at + 3] then
    replies[item] = { 'yours' }
  else
    replies[item] = { 'taken' }
  end
end
return replies
