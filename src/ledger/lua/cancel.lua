-- Calls a campaign off: from here on nothing of it is admitted or begun. Its rows are cancelled afterwards, some at a time.
-- ARGV: campaign, now (ms). Returns the state that it is in afterwards ('cancelling' or 'ended'), or nil.
--- include rows.lua
local campaign, now = campaign_key(ARGV[1]), ARGV[2]
local state = redis.call('HGET', campaign, 'state')
if not state then return false end
if state == 'running' or state == 'paused' then
  redis.call('HSET', campaign, 'state', 'cancelling', 'paused', '', 'cancelled-at', now)
  follow_counters(campaign, now)
  return redis.call('HGET', campaign, 'state')
end
return state
