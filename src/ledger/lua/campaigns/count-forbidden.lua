-- Rule (refused for everyone): creators whose calls of a step lack a permission are in a row until the step succeeds, or the campaign is
-- resumed. Both are counted by fields that the campaign has anyway.
-- ARGV: campaign, step, creator id
-- Returns how many creators were refused in a row; 0 if there is no such campaign.
-- Calls under way when the campaign pauses may bring more.
local most = 10
local campaign, step, creator = KEYS[1] .. ':c:' .. ARGV[1], ARGV[2], string.gsub(ARGV[3], '\n', ' ')
local facts = redis.call('HMGET', campaign, 'state', 'done:' .. step, 'resumed', 'forbidden:' .. step)
if not facts[1] then return 0 end
local since = (facts[2] or '0') .. ' ' .. (facts[3] or '0')
local known, lines = false, {}
-- The first line is `since`, each other one a creator.
for line in string.gmatch(facts[4] or '', '[^\n]+') do
  if #lines == 0 and line ~= since then break end
  lines[#lines + 1] = line
  known = known or (#lines > 1 and line == creator)
end
if #lines == 0 then lines[1] = since end
if not known and #lines <= most then
  lines[#lines + 1] = creator
  redis.call('HSET', campaign, 'forbidden:' .. step, table.concat(lines, '\n'))
end
return #lines - 1
