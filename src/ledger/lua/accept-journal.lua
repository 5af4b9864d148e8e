-- Takes the send journal as it is: no process misses entries of it any more.
-- The position goes ahead of any that was ever reached: it becomes the time in microseconds, and grows by one an entry.
-- Returns the position, as text.
--- include journal.lua
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
local position = redis.call('HGET', journal, 'position') or '0'
if tonumber(position) < tonumber(now) then
  redis.call('HSET', journal, 'position', now)
  return now
end
return position
