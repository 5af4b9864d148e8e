-- Rule (undo window): a decision is taken back only while its row is as the decision left it: no job has begun, and no answer has arrived.
-- The row is in review again with its journal entry, so that a late answer still counts. One whose retry is taken back has failed again.
-- Rule (spending): AI outputs that the decision gave back count again.
-- Rule (rows of unknown outcome after a loss): a decision from before a loss is not taken back: what was known of its row proves nothing.
-- ARGV: campaign, row, now, how long the data that a decision replaced is kept (ms)
-- Returns { 'undone' | 'none' (no decision, or too long ago) | 'changed' (the row has gone on), the row's state letter }, or nil for a
--   row that does not exist.
--- include ../rows.lua
--- include ../posts.lua
--- include ../spending.lua
local campaign, row, now, kept_for = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(time_of(ARGV[3])), tonumber(ARGV[4])
local state, revision = read_state(campaign, row)
if not state then return false end
local work, undo = campaign .. ':work:' .. row, campaign .. ':undo:' .. row

local facts, was, set = {}, {}, {}
local flat = redis.call('HGETALL', undo)
for index = 1, #flat, 2 do
  local kind, field = string.match(flat[index], '^(%a+):(.+)$')
  if kind == 'was' then
    push(was, field, flat[index + 1])
  elseif kind == 'set' then
    set[field] = flat[index + 1]
  else
    facts[flat[index]] = flat[index + 1]
  end
end
if not facts.at or now >= tonumber(facts.at) + kept_for then return { 'none', state } end
local lost_at = latest_loss()
if lost_at and tonumber(facts.at) <= lost_at then return { 'none', state } end
if state ~= facts.state or revision ~= tonumber(facts.revision) then return { 'changed', state } end
if state == 'p' then
  if post_of(result_of(campaign, row)) ~= facts.post then return { 'changed', state } end
else
  for field, value in pairs(set) do
    if redis.call('HGET', work, field) ~= value then return { 'changed', state } end
  end
  -- A late answer has shown that the generation exists.
  local known = facts.effect ~= '' and not set[facts.effect] and redis.call('HEXISTS', work, facts.effect) == 1
  if known then return { 'changed', state } end
end

redis.call('DEL', undo, work)
if #was > 0 then redis.call('HSET', work, unpack(was)) end
if facts.given then count_spent(campaign, facts.given, '') end
record_entry(campaign, row, now, '', facts.back == 'f' and 'retry taken back' or 'decision taken back')
if facts.error ~= '' then
  redis.call('HSET', campaign .. ':errors', row, facts.error)
else
  redis.call('HDEL', campaign .. ':errors', row)
end
if state == 'p' then
  drop_result(campaign, row)
  if facts.earlier and facts.earlier ~= '' then redis.call('HSET', campaign .. ':earlier', row, facts.earlier) end
end
if facts.post ~= '' then free_post(facts.post, ARGV[1] .. ' ' .. row) end
local back = facts.back or 'v'
-- A decision that leaves a row in review, because it was posted twice, has changed no count.
if state ~= back then judge_as_before(campaign, row, state) end
move(campaign, row, state, back, revision, now)
return { 'undone', back }
