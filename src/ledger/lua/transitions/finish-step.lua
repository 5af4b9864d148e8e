-- Rule (never twice): the answer of a journalled call, the row's state and the end of its journal entry are written together. Only the
-- attempt that wrote the entry ends it: its answer is the truth, however late it comes.
-- Rule (gates): a row that has all it needs is ready until its gate opens: it has no job, and takes no place in the window.
-- Rule (late answer): a post is never dropped. Beside another call of its row it is kept as evidence; a row with two posts goes to review.
-- ARGV: count, then for each step:
--   campaign, row, revision, step, job id, effect ('' or 'post' or 'gen<n>'), attempt token, now,
--   verdict: 'ok' new facts, the row goes on | 'cleared' the call had no effect and may be sent again
--            | 'ready' all is there, but a gate of the row is closed
--            | 'posted' | 'failed' | 'review' | 'cut-off' as 'review', and the call may still be under way
--   payload: packed result ('posted'), JSON of the error ('failed', 'review', 'cut-off'), a text for the history ('ok') or the gate: see
--     `wait_at_gate` ('ready'), else ''
--   n, then n arguments: field, value, ... to write to the row's record ('posted': the JSON of its assets, or nothing),
--   the sheet that the row was read from: see `is_another` ('' for any)
-- Returns for each: 'stale' (the row no longer belongs to this job; nothing was changed), 'late' (the post is kept as evidence), 'ok' or
-- 'wake' (the admission should be woken).
--- include ../rows.lua
--- include ../posts.lua
--- include ../sheet.lua
--- include ../earlier-posts.lua
--- include ../spending.lua
local at = 2

-- `answered`: the row's journal entry is of this attempt.
local function end_posted(id, row, state, revision, now, step, entry, answered, packed, assets)
  local campaign, post = campaign_key(id), post_of(packed)
  local known = late_posts(campaign, row)
  local recorded = state == 'p' and result_of(campaign, row)
  if not answered and (post_of(recorded) == post or is_among(known, post) or had_post(campaign, row, post)) then
    confirm_post(campaign, id, row, post)
    return 'stale'
  end
  local holder = take_answered(campaign, id, row, packed, answered, now)
  if holder then
    if state == 'p' then return 'stale' end
    -- The entry of another call stays as it is.
    if answered or not entry then
      redis.call('HSET', campaign .. ':work:' .. row, 'journal:post', entry and as_state(entry, 'ended') or 'ended - ' .. now)
    end
    end_with(campaign, row, state, 'v', revision, now, shared_post(post, holder, now))
    return 'ok'
  end
  -- Another call of the row is under way or of unknown outcome.
  if entry and not answered and not recorded then
    known[#known + 1] = packed
    keep_late(campaign, row, known)
    record_entry(campaign, row, now, step, 'answered late', post)
    if state == 'v' then redis.call('HSET', campaign .. ':errors', row, unknown_beside(packed, now)) end
    return 'late'
  end
  if recorded and not answered then table.insert(known, 1, (split_result(recorded))) end
  if #known == 0 then
    record_post(campaign, row, state, revision, now, packed, assets, step, 'posted')
    return ok_or_wake(campaign)
  end
  known[#known + 1] = packed
  record_entry(campaign, row, now, step, 'answered late', post)
  review_duplicates(campaign, row, state, revision, now, known)
  return 'late'
end

-- `gate`: 'ready', 'unapproved' or 'unpaid', and the row's place there (ms).
local function wait_at_gate(campaign, row, gate, now)
  local name, place = string.match(gate, '^(%l+) (%d+)$')
  redis.call('ZADD', campaign .. ':' .. name, place, row)
  if name == 'ready' then return end
  count_gates(campaign)
  if name == 'unapproved' then redis.call('HSET', campaign, 'asked', '1') end
  gather(campaign, row, 'approval.waiting', now, name == 'unpaid' and 'not_paid' or 'not_approved')
end

local function finish()
  local id, row, revision, step = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]), ARGV[at + 3]
  local job, effect, token, now = ARGV[at + 4], ARGV[at + 5], ARGV[at + 6], time_of(ARGV[at + 7])
  local verdict, payload, extras = ARGV[at + 8], ARGV[at + 9], tonumber(ARGV[at + 10])
  local first = at + 11
  local sheet = ARGV[first + extras]
  at = first + extras + 1

  local campaign = campaign_key(id)
  local state, current = read_state(campaign, row)
  if not state or is_another(campaign, sheet) then return 'stale' end
  local work = campaign .. ':work:' .. row
  local entry = effect ~= '' and redis.call('HGET', work, 'journal:' .. effect)
  -- In place of an entry that was lost: the answer decides.
  if entry and token_of(entry) == 'lost' then entry = false end
  local answered = entry and token_of(entry) == token
  if verdict == 'ok' and effect ~= '' then count_late(campaign, row, effect, token) end
  if verdict == 'posted' then
    return end_posted(id, row, state, current, now, step, entry, answered, payload, extras == 1 and ARGV[first])
  end

  local mine = state == 'r' and current == revision
  if verdict == 'ready' then
    -- The rows of a cancelled campaign are cancelled as they are.
    if not mine or is_cancelled(campaign) then return 'stale' end
    if extras > 0 and redis.call('HSET', work, unpack(ARGV, first, first + extras - 1)) > 0 then
      redis.call('HINCRBY', campaign, 'done:upload', 1)
      record_entry(campaign, row, now, 'upload', 'ok', 'media is file ' .. ARGV[first + 1])
    end
    -- A gate does not hide a call that may have been sent before it closed.
    local unsettled = unknown_effect(work)
    if unsettled then
      end_with(campaign, row, state, 'v', current, now, unknown_outcome(unsettled, now))
      return ok_or_wake(campaign)
    end
    record_entry(campaign, row, now, '', 'prepared')
    wait_at_gate(campaign, row, payload, now)
    move(campaign, row, state, 'y', current, now)
    return ok_or_wake(campaign)
  end
  local is_cut_off = verdict == 'cut-off'
  if is_cut_off then verdict = 'review' end
  -- A missing entry was lost with the end of the append-only file. The answer, or the lack of one, is still true.
  local lost = effect ~= '' and not entry and (verdict == 'ok' or (verdict == 'review' and mine))
  if lost and effect ~= 'post' and redis.call('HEXISTS', work, effect) == 1 then return 'stale' end
  if effect ~= '' and not answered and not lost then return 'stale' end
  -- A row reconciled from the publishing records keeps its entry: the answer of that attempt has the last word.
  if state == 'p' and answered and verdict ~= 'review' then
    -- The call was refused, so the record taken as its post belongs to another row.
    drop_record(campaign, id, row, now)
    state = read_state(campaign, row)
  end
  if state == 'p' then return 'stale' end
  if effect == '' and not mine and not (verdict == 'ok' and state ~= 'c' and current == revision) then return 'stale' end

  -- If the connection sends a script twice, the second one writes nothing new and is not counted.
  local new = 0
  if extras > 0 then new = redis.call('HSET', work, unpack(ARGV, first, first + extras - 1)) end
  if effect ~= '' then
    if verdict == 'review' then
      local unsettled = entry or 'sending ' .. token .. ' ' .. now
      redis.call('HSET', work, 'journal:' .. effect, as_state(unsettled, is_cut_off and 'unknown' or 'ended'))
    else
      redis.call('HDEL', work, 'journal:' .. effect)
      if verdict ~= 'ok' then give_back(campaign, row, effect) end
    end
  end
  if verdict == 'ok' and new > 0 then
    redis.call('HINCRBY', campaign, 'done:' .. step, 1)
    record_entry(campaign, row, now, step, 'ok', payload)
  end

  if effect == 'post' and verdict ~= 'review' and end_by_late(campaign, row, state, current, now) then
    return ok_or_wake(campaign)
  end
  if verdict == 'failed' or verdict == 'review' then
    local late = effect == 'post' and late_posts(campaign, row)[1]
    if late then payload = unknown_beside(late, now) end
    -- A row never ends as certain while one of its calls is of unknown outcome: a person must know that first.
    local unsettled = unknown_effect(work)
    if unsettled and unsettled ~= effect then verdict, payload = 'review', unknown_outcome(unsettled, now) end
    redis.call('HSET', campaign .. ':errors', row, payload)
    record_error(campaign, row, now, verdict, payload)
    if verdict == 'failed' and mine then redis.call('HSET', work, 'failed-by', job) end
    if state ~= 'c' then move(campaign, row, state, verdict == 'failed' and 'f' or 'v', current, now) end
  elseif state == 'v' and answered then
    -- A late answer decides a call that was given up as unknown, so the row goes on by itself.
    admit_again(campaign, row, state, current, now, 'answered late')
  end
  return ok_or_wake(campaign)
end

return each_item(0, finish)
