-- Rule (at least once): an event is dropped when each of its receivers has it or was given up.
-- ARGV: event id, receiver, why the attempt failed ('': the receiver has the message, or was given up)
--- include outbox.lua
local key, to = outbox .. ':e:' .. ARGV[1], 'to:' .. ARGV[2]
if redis.call('HEXISTS', key, to) == 0 then return 'ok' end
if ARGV[3] ~= '' then
  redis.call('HSET', key, to, ARGV[3])
  return 'ok'
end
redis.call('HDEL', key, to)
for _, field in ipairs(redis.call('HKEYS', key)) do
  if string.match(field, '^to:') then return 'ok' end
end
drop_event(ARGV[1])
return 'ok'
