-- Rule (lost journal): a person accepts a journal that has lost entries. The new position is ahead of every one ever reached: the time in
-- microseconds, while an entry adds only one. If a wrong clock once put the position ahead of the time, it goes on from what was seen.
-- `unknown`: when the loss was noticed (see `review_failed`); `unknown:over`: when calls from before are over.
-- Rule (restart while a loss is accepted): not by another server, which may lack the rows that were marked as unknown.
-- Rule (loss that grows while it is accepted): nothing is accepted if a process has reported more since the rows were found.
-- ARGV: position last seen by the caller, when the loss was noticed (ms), when calls from before are over (ms), id of the server on which the rows
--   were marked as unknown, what the processes had reported by then (see `reported_loss`)
-- Returns the position, as text, or nil. If somebody else has just accepted the same loss, that is accepted.
--- include ../journal.lua
if string.match(redis.call('INFO', 'server'), 'run_id:(%w+)') ~= ARGV[4] then return false end
local reported = reported_loss()
if reported ~= ARGV[5] then
  local is_done = reported == '' and redis.call('HGET', journal, 'unknown') == ARGV[2]
  return is_done and redis.call('HGET', journal, 'accepted')
end
local time = redis.call('TIME')
local now = time[1] .. string.format('%06d', time[2])
local last = redis.call('HMGET', journal, 'position', 'lost:position')
local ahead = math.max(tonumber(last[1] or '0'), tonumber(last[2] or '0'), tonumber(ARGV[1])) + 1024
local accepted = tonumber(now) > ahead and now or string.format('%.0f', ahead)
redis.call('HSET', journal, 'position', accepted, 'accepted', accepted, 'unknown', ARGV[2], 'unknown:over', ARGV[3])
redis.call('HDEL', journal, 'lost:noticed', 'lost:position', 'lost:at', 'lost:ledger', 'lost:trusted', 'lost:admitted')
return accepted
