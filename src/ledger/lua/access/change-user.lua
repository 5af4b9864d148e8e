-- Rule (access): users are never without an operator, not even when two operators step down at the same time.
-- ARGV: 'add', 'change' or 'remove'; name; JSON of the fields to write; '1' to allow removing an operator who is the only user; most users
-- Returns 'done', 'exists', 'missing', 'last', 'full'.
--- include stored.lua
local users, tokens = KEYS[1] .. ':users', KEYS[1] .. ':tokens'
local what, name, fields = ARGV[1], ARGV[2], cjson.decode(ARGV[3])
local text = redis.call('HGET', users, name)
if what == 'add' then
  if text then return 'exists' end
  if redis.call('HLEN', users) >= tonumber(ARGV[5]) then return 'full' end
  redis.call('HSET', users, name, ARGV[3])
  return 'done'
end
if not text then return 'missing' end

local user = read_stored(text)
local steps_down = user.role == 'operator' and (what == 'remove' or (fields.role or 'operator') ~= 'operator')
if steps_down then
  -- Unreadable records do not count as users.
  local known, operators = 0, 0
  for _, each in ipairs(redis.call('HVALS', users)) do
    local role = read_stored(each).role
    if role then known = known + 1 end
    if role == 'operator' then operators = operators + 1 end
  end
  if operators <= 1 and not (known == 1 and ARGV[4] == '1') then return 'last' end
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
