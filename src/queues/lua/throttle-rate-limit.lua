-- Rule (pauses): the last pauses of an operation are kept as JSON, begin and end in ms, in the hash `holds`. Pauses less than
-- a minute apart are one.
-- Rule (throttling): after a 429 the operation pauses in all processes, and its rate limit shrinks.
-- Answers to calls that were under way when the pause began belong to that pause. Only their Retry-After lengthens it.
-- ARGV: operation, ms asked for by Retry-After (0: none), base ms, cap ms, random number in [0, 1)
-- Returns { ms that the operation pauses from now, ms for which every answer was 429 }.
local key = KEYS[1] .. ':rate-limit:' .. ARGV[1]
local asked, base, cap, random = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local held = redis.call('HMGET', key, 'until', 'share', 'streak', 'since')
local paused_until, share, streak = tonumber(held[1] or '0'), tonumber(held[2] or '1'), tonumber(held[3] or '0')

if now < paused_until then
  paused_until = math.max(paused_until, now + asked)
else
  -- A minute without a 429 ends the streak, and the share has recovered by then.
  if now - paused_until > 60000 then
    streak, share = 0, 1
  else
    share = math.min(1, share + (now - paused_until) / 60000)
  end
  local pause = asked > 0 and asked or math.min(cap, base * 2 ^ streak) * (0.5 + random / 2)
  paused_until, streak, share = now + pause, streak + 1, math.max(share / 2, 1 / 16)
end
redis.call('HSET', key, 'until', tostring(paused_until), 'share', tostring(share), 'streak', streak, 'tokens', '0', 'at', tostring(paused_until))

local pauses_key = KEYS[1] .. ':holds'
local pauses = cjson.decode(redis.call('HGET', pauses_key, ARGV[1]) or '[]')
local last = pauses[#pauses]
if last and now - last[2] < 60000 then
  last[2] = math.max(last[2], math.ceil(paused_until))
else
  pauses[#pauses + 1] = { math.floor(now), math.ceil(paused_until) }
  if #pauses > 50 then table.remove(pauses, 1) end
end
redis.call('HSET', pauses_key, ARGV[1], cjson.encode(pauses))

local since = tonumber(held[4] or now)
redis.call('HSET', key, 'since', tostring(since))
redis.call('PEXPIRE', key, math.ceil(paused_until - now) + 120000)
return { math.ceil(paused_until - now), math.floor(now - since) }
