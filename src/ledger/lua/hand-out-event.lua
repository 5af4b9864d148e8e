-- Rule (one message): the body of an event is written once, with its receivers, and is the same in all attempts. Without any it is dropped.
-- ARGV: event id, now, body, receiver, ...
-- Returns 1, or 0 if another process was quicker, or the event is gone.
--- include outbox.lua
local id, now = ARGV[1], time_of(ARGV[2])
local key = outbox .. ':e:' .. id
local event = redis.call('HGET', key, 'event')
if not event or redis.call('ZREM', outbox .. ':due', id) == 0 then return 0 end
drop_event(id)
if #ARGV == 3 then return 1 end
redis.call('HSET', key, 'event', event, 'handed-out', now, 'body', ARGV[3])
for at = 4, #ARGV do redis.call('HSET', key, 'to:' .. ARGV[at], '') end
redis.call('ZADD', outbox .. ':open', now, id)
return 1
