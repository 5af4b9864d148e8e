-- Rule: only a person accepts a journal that has lost entries. After that no process misses entries of it.
-- The new position is ahead of every position ever reached: it is the time in microseconds, while an entry adds only one. If a wrong
-- clock once put the position ahead of the time, it goes on from what was seen.
-- KEYS[1]: prefix of all keys.
-- ARGV: position last seen by the caller
-- Returns the position, as text.
--- include ../journal.lua
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
local position = redis.call('HGET', journal, 'position') or '0'
local ahead = math.max(tonumber(position), tonumber(ARGV[1])) + 1024
local accepted = tonumber(now) > ahead and now or string.format('%.0f', ahead)
redis.call('HSET', journal, 'position', accepted)
return accepted
