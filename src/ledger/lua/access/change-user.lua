-- Rule (access): the last admin stays, also when two admins step down at the same time, unless a command of the machine says otherwise.
-- Rule (access): the first user is an admin, whatever the fields say, also when two are added at the same time.
-- ARGV: 'add', 'change' or 'remove'; name; JSON of the fields to write; '1' if no admin need be left; most users
-- Returns 'done', 'first' (done, as an admin), 'exists', 'missing', 'last', 'full'.
--- include stored.lua
local users, tokens = KEYS[1] .. ':users', KEYS[1] .. ':tokens'
local what, name, fields = ARGV[1], ARGV[2], cjson.decode(ARGV[3])
local text = redis.call('HGET', users, name)
if what == 'add' then
  if text then return 'exists' end
  if redis.call('HLEN', users) >= tonumber(ARGV[5]) then return 'full' end
  local is_first = redis.call('HLEN', users) == 0
  if is_first then fields.role = 'admin' end
  redis.call('HSET', users, name, cjson.encode(fields))
  return is_first and 'first' or 'done'
end
if not text then return 'missing' end

local user = read_stored(text)
local steps_down = user.role == 'admin' and (what == 'remove' or (fields.role or 'admin') ~= 'admin')
if steps_down and ARGV[4] ~= '1' then
  local admins = 0
  for _, each in ipairs(redis.call('HVALS', users)) do
    if read_stored(each).role == 'admin' then admins = admins + 1 end
  end
  if admins <= 1 then return 'last' end
end

if what == 'remove' then
  redis.call('HDEL', users, name)
  local flat = redis.call('HGETALL', tokens)
  for index = 1, #flat, 2 do
    if read_stored(flat[index + 1]).user == name then redis.call('HDEL', tokens, flat[index]) end
  end
  return 'done'
end
for field, value in pairs(fields) do user[field] = value end
redis.call('HSET', users, name, cjson.encode(user))
return 'done'
