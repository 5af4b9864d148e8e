-- Rule (cancel): after this permanent mark no row of the campaign is admitted and no step begins. An ended campaign is marked if it has rows
-- in review: no decision sends them again.
-- ARGV: campaign, now
-- Returns the state afterwards ('cancelling' or 'ended'), or nil for a campaign that does not exist.
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
local state = redis.call('HGET', campaign, 'state')
if not state then return false end
if state == 'running' or state == 'paused' then
  redis.call('HSET', campaign, 'state', 'cancelling', 'paused', '', 'cancelled-at', now)
  follow_counters(campaign, now)
  return redis.call('HGET', campaign, 'state')
end
if state == 'ended' and tonumber(redis.call('HGET', campaign, 'review')) > 0 and not is_cancelled(campaign) then
  redis.call('HSET', campaign, 'cancelled-at', now)
end
return state
