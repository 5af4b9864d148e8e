-- Takes the send journal as it is: no process misses entries of it any more.
-- The position goes ahead of any that was ever reached: it becomes the time in microseconds, and grows by one an entry. Where a clock
-- was wrong once it is ahead of the time: then it goes on from what was seen.
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
