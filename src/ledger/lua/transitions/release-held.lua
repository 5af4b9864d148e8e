-- Rule (undo window): decided rows that have waited long enough are admitted again.
-- ARGV: campaign, now
-- Returns how many were released: at most 1,000 at once.
--- include ../rows.lua
local campaign = campaign_key(ARGV[1])
local due = redis.call('ZRANGEBYSCORE', campaign .. ':held', '-inf', time_of(ARGV[2]), 'LIMIT', 0, 1000)
for _, row in ipairs(due) do
  let_go(campaign, row)
  redis.call('ZADD', campaign .. ':redo', row, row)
end
return #due
