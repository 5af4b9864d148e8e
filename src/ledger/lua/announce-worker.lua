-- Rule: a worker is alive while it sends heartbeats.
-- Rule (periodic jobs): of all that ask, one is told in each period that a job is due.
-- Rule (lost journal): each heartbeat compares the journal with what the worker has seen.
-- ARGV: id of the worker, JSON of its facts, ms to remember it after its last heartbeat, ms that any worker is remembered at most,
--   then what the worker has seen of the journal: see `compare_journal`, then for each periodic job: name, period (ms)
-- Returns { the time of Redis (ms), the reply of `compare_journal`, the names of the periodic jobs that are due }.
--- include journal.lua
local workers, id, remembered, longest = KEYS[1] .. ':workers', ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local now = tonumber(time_of(''))
redis.call('SET', KEYS[1] .. ':worker:' .. id, ARGV[2], 'PX', remembered)
redis.call('ZADD', workers, now, id)
redis.call('ZREMRANGEBYSCORE', workers, '-inf', now - longest)
local reply = { now, compare_journal(5) }
for at = 10, #ARGV, 2 do
  local last = tonumber(redis.call('HGET', KEYS[1] .. ':periodic:taken', ARGV[at]) or '0')
  -- A time to come is of a clock of Redis that was put back.
  if now < last or now - last >= tonumber(ARGV[at + 1]) then
    redis.call('HSET', KEYS[1] .. ':periodic:taken', ARGV[at], now)
    reply[#reply + 1] = ARGV[at]
  end
end
return reply
