-- Rule (decision): a decision is valid only if the row is still as it was shown to the person.
-- Rule (age of an unknown outcome): while the call may still be under way, no decision is taken that would send it again.
-- Rule (rows of unknown outcome after a loss): a post may also be named for a waiting or running row, while its campaign is paused for the loss.
-- Rule (undo window): a row that goes on waits for a moment first (`undo.lua`).
-- Rule (spending): the outputs of a generation that does not exist are given back.
-- ARGV: campaign, row, revision, the effect of unknown outcome as shown to the person ('' for none), now,
--   decision: 'posted' | 'again' (the row is admitted again) | 'failed'
--   payload: packed result ('posted') or JSON of the error ('failed'), else '',
--   how long the row waits before it goes on (ms), how long the replaced data is kept (ms),
--   n, then n arguments: field, value, ... to write to the row's record ('posted': the JSON of its assets, or nothing)
-- Returns { 'decided' | 'changed' (the row, or the post is another row's) | 'early', the row's state letter, 'early': from when on the
--   decision is taken (ms) }, or nil for a row that does not exist.
--- include ../rows.lua
--- include ../posts.lua
--- include ../earlier-posts.lua
--- include ../lost-rows.lua
--- include ../undo.lua
--- include ../spending.lua
local campaign, row, revision, effect, now = campaign_key(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], time_of(ARGV[5])
local decision, payload, wait, kept_for, extras = ARGV[6], ARGV[7], tonumber(ARGV[8]), ARGV[9], tonumber(ARGV[10])
local state, current = read_state(campaign, row)
if not state then return false end
local work, mine = campaign .. ':work:' .. row, ARGV[1] .. ' ' .. row

-- The campaign is paused because Redis has lost records.
local function may_have_post()
  if (state ~= 'w' and state ~= 'r' and state ~= 'y') or decision ~= 'posted' or effect ~= 'post' then return false end
  local paused = redis.call('HGET', campaign, 'paused') or ''
  return paused ~= '' and cjson.decode(paused).code == 'journal_behind'
end

local is_lost = may_have_post()
if current ~= revision or (not is_lost and (state ~= 'v' or (unknown_effect(work) or '') ~= effect)) then return { 'changed', state } end

-- Whether another row has the post, or had it. The claim of a search alone does not count: the search may have been interrupted.
local function is_taken(post)
  local holder, answered = claim_post(post, mine)
  if not holder then return false end
  local other, other_row = row_of(holder)
  if answered or has_post(other, other_row, post) or had_post(other, other_row, post) then return true end
  redis.call('HSET', shard_of(post), post, mine)
  return false
end

local function has_effect()
  if decision == 'posted' then return true end
  for index = 11, 10 + extras, 2 do
    if ARGV[index] == effect then return true end
  end
  return false
end

local entry = effect ~= '' and redis.call('HGET', work, 'journal:' .. effect)
if entry and not has_effect() and over_of(entry) > tonumber(now) then
  return { 'early', state, string.format('%.0f', over_of(entry)) }
end
if decision == 'posted' and is_taken(post_of(payload)) then return { 'changed', state } end
if is_lost then
  local created = redis.call('HGET', campaign, 'created') or now
  mark_unknown(campaign, row, state, revision, now, created .. ' ' .. now .. ' ' .. now, '')
  state = 'v'
end

-- An earlier call was answered late: the row has that post, whatever became of the call of unknown outcome.
local late = late_posts(campaign, row)
local is_twice = decision == 'posted' and effect == 'post' and #late > 0 and not is_among(late, post_of(payload))
if decision ~= 'posted' and #late > 0 then
  local assets = redis.call('HGET', work, 'assets')
  decision, payload, extras, ARGV[11] = 'posted', late[1], assets and 1 or 0, assets
end

remember(campaign, row, now, 'effect', effect, 'post', decision == 'posted' and post_of(payload) or '')

-- A later answer finds no entry, and is compared with what is known.
if effect ~= '' then redis.call('HDEL', work, 'journal:' .. effect) end
local given = entry and not has_effect() and give_back_decided(campaign, row, effect, token_of(entry))
if given then redis.call('HSET', campaign .. ':undo:' .. row, 'given', given) end
if is_twice then
  late[#late + 1] = payload
  review_duplicates(campaign, row, state, revision, now, late)
elseif decision == 'posted' then
  leave_earlier(campaign, row, post_of(payload))
  record_post(campaign, row, state, revision, now, payload, extras == 1 and ARGV[11], '', 'decided: posted')
else
  if extras > 0 then
    redis.call('HSET', work, unpack(ARGV, 11, 10 + extras))
    for index = 11, 10 + extras, 2 do redis.call('HSET', campaign .. ':undo:' .. row, 'set:' .. ARGV[index], ARGV[index + 1]) end
  end
  if decision == 'failed' then
    end_with(campaign, row, state, 'f', revision, now, payload, 'decided: failed')
  else
    admit_again(campaign, row, state, revision, now, 'decided: goes on')
    hold_back(campaign, row, now + wait)
  end
end
keep_until(campaign, row, kept_for)
return { 'decided', (read_state(campaign, row)) }
