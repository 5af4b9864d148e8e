-- Rule (pause): a paused campaign keeps its rows and counters, and no step begins. After a resume, stop-after counts from zero.
-- ARGV: campaign, 'pause' or 'resume', JSON of the reason, now, who does it (empty: no person)
-- Returns the state afterwards, or nil for a campaign that does not exist.
--- include ../rows.lua
local campaign, what, reason, now, by = campaign_key(ARGV[1]), ARGV[2], ARGV[3], time_of(ARGV[4]), ARGV[5]

-- Keeps who paused or resumed it last (`paused_by`), and who let it go on after its canary (`released`).
local function record_person(did)
  if by == '' then return redis.call('HDEL', campaign, 'paused_by') end
  local note = cjson.encode({ did = did, by = by, at = tonumber(now) })
  redis.call('HSET', campaign, did == 'released' and 'released' or 'paused_by', note)
end

local state = redis.call('HGET', campaign, 'state')
if not state then return false end
if what == 'pause' and state == 'running' then
  stop_clock(campaign, now)
  record_pause(campaign, now, cjson.decode(reason).code)
  redis.call('HSET', campaign, 'state', 'paused', 'paused', reason)
  record_person('paused')
  announce(campaign, 'campaign.paused', now, reason)
  return 'paused'
elseif what == 'resume' and state == 'paused' then
  local held = redis.call('HGET', campaign, 'paused')
  local is_canary = held and held ~= '' and cjson.decode(held).code == 'canary'
  redis.call('HSET', campaign, 'state', 'running', 'paused', '', 'resumed', now)
  record_person(is_canary and 'released' or 'resumed')
  redis.call('HDEL', campaign, 'judged', 'missed')
  start_clock(campaign, now)
  record_pause(campaign, now, '')
  -- Meanwhile it may have ended or reached its canary.
  follow_counters(campaign, now)
  return redis.call('HGET', campaign, 'state')
end
return state
