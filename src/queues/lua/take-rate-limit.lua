-- Rule (rate limit): calls of one operation take tokens from a bucket that all processes share. A changed rate limit (hash `rateLimits`: operation
-- to 'rate burst') overrides the caller's.
-- Besides the calls wanted now, some may be leased ahead and spent a little later. The capacity is reduced by what flows in during that
-- time, so that in any window no more calls leave than rate * window + burst.
-- ARGV: operation, calls wanted now, rate (calls/s), burst, calls made since from those leased ahead (less those not made), most calls to lease ahead,
--   tokens given back, of calls that were not made
-- Returns { calls granted, wait in ms until the next one, ms a lease lasts, effective rate (calls/s),
--   '1' if all recent answers were 429 (the next other answer should be reported), else '0' }.
local base = KEYS[1]
local key = base .. ':rate-limit:' .. ARGV[1]
local wanted, rate, burst = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local max_lease = 1000

local override = redis.call('HGET', base .. ':rate-limits', ARGV[1])
if override then
  local given_rate, given_burst = string.match(override, '^(%S+) (%S+)$')
  rate, burst = tonumber(given_rate), tonumber(given_burst)
end
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local held = redis.call('HMGET', key, 'tokens', 'at', 'until', 'share', 'since', 'used')
local paused_until = tonumber(held[3] or '0')
local throttled = held[5] and '1' or '0'

-- After a 429 only a share of the rate limit is left. It recovers within a minute after the pause.
local share = tonumber(held[4] or '1')
if share < 1 and now > paused_until then share = math.min(1, share + (now - paused_until) / 60000) end
rate = rate * share

-- At most a quarter of the burst is set aside for leases, and what flows in within 100 ms: the rest is for other processes.
local lease = math.min(max_lease, burst / 4 / rate * 1000)
local ahead = math.min(tonumber(ARGV[6]), math.floor(math.min(burst / 4, math.max(20, rate / 10))))
local capacity = ahead > 0 and burst - rate * lease / 1000 or burst
if share < 1 then capacity = math.max(1, capacity * share) end
local returned = tonumber(ARGV[7] or '0')
local flown_in = math.max(0, now - tonumber(held[2] or now)) * rate / 1000
local tokens = math.min(capacity, tonumber(held[1] or capacity) + flown_in + returned)

-- Calls of this minute and of the last one, for people to see: 'minute calls calls-of-the-minute-before'.
local function used_with(calls)
  local minute = math.floor(now / 60000)
  local of, count, before = string.match(held[6] or '', '^(%d+) (%d+) (%d+)$')
  local age = minute - tonumber(of or '0')
  if age == 1 then count, before = 0, count elseif age ~= 0 then count, before = 0, 0 end
  return string.format('%d %d %d', minute, math.max(0, count + calls), before)
end

local spent = tonumber(ARGV[5] or '0')
if now < paused_until then
  if spent ~= 0 then redis.call('HSET', key, 'used', used_with(spent)) end
  return { 0, math.ceil(paused_until - now), 0, tostring(rate), throttled }
end
-- When tokens are scarce, only calls wanted now are granted, because leased ones may expire unused.
local most = tokens > burst / 2 and math.max(wanted, ahead) or wanted
local granted = math.min(most, math.floor(tokens))
redis.call('HSET', key, 'tokens', tostring(tokens - granted), 'at', tostring(now), 'used', used_with(spent + math.min(granted, wanted)))
-- Shows to people that calls wait for their permit.
if granted < wanted then redis.call('HSET', key, 'short', tostring(now)) end
redis.call('PEXPIRE', key, math.ceil(burst / rate * 1000) + 120000)
if granted > 0 then
  return { granted, 0, math.floor(lease), tostring(rate), throttled }
end
return { 0, math.max(1, math.ceil((1 - tokens) / rate * 1000)), 0, tostring(rate), throttled }
