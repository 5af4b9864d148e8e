-- Rule: a journal that has lost entries is taken as it is only when a person says so. From then on no process misses entries of it.
-- The new position is ahead of any that was ever reached: it is the time in microseconds, and grows by one an entry. Where a clock was
-- wrong once and the position is ahead of the time, it goes on from what was seen.
-- KEYS[1]: prefix of all keys.
-- ARGV: position that the caller has seen
-- Returns the position, as text.
--- include journal.lua
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
local position = redis.call('HGET', journal, 'position') or '0'
local ahead = math.max(tonumber(position), tonumber(ARGV[1])) + 1024
local accepted = tonumber(now) > ahead and now or string.format('%.0f', ahead)
redis.call('HSET', journal, 'position', accepted)
return accepted
