-- Pauses a running campaign or resumes a paused one; counters stay.
-- ARGV: campaign, 'pause' or 'resume', JSON of the reason, now (ms). Returns the state the campaign is in afterwards, or nil.
--- include rows.lua
local campaign, what, reason, now = campaign_key(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local facts = redis.call('HMGET', campaign, 'state', 'waiting', 'running')
local state = facts[1]
if not state then return false end
if what == 'pause' and state == 'running' then
  redis.call('HSET', campaign, 'state', 'paused', 'paused', reason)
  return 'paused'
elseif what == 'resume' and state == 'paused' then
  local ended = facts[2] == '0' and facts[3] == '0'
  redis.call('HSET', campaign, 'state', ended and 'ended' or 'running', 'paused', '', 'resumed', now)
  if ended then redis.call('HSET', campaign, 'ended', now) end
  return ended and 'ended' or 'running'
end
return state
