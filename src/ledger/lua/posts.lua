-- Included after rows.lua. Rule (one post, one row): the hashes `posts:<shard>` map a post id to its row, `campaign row`. A search of the
-- records and a person claim only a free id. An answer, marked ` a`, proves whose a post is: it takes the id from a row that they gave it to,
-- and that row goes back to review. A reconciled row therefore keeps its progress, with its journal entry, for a while.
--- include restore-progress.lua

-- 4,096 shards stay compact hashes up to two million posts.
local function shard_of(post) return prefix .. ':posts:' .. string.sub(redis.sha1hex(post), 1, 3) end

-- As `campaign row`, and whether an answer gave it; nil for none.
local function holder_of(post)
  local held = redis.call('HGET', shard_of(post), post)
  if not held then return nil end
  local answered = string.sub(held, -2) == ' a'
  return answered and string.sub(held, 1, -3) or held, answered
end

-- Returns nil, or the other row that has the post, and whether by an answer.
local function claim_post(post, mine)
  if redis.call('HSETNX', shard_of(post), post, mine) == 1 then return nil end
  local holder, answered = holder_of(post)
  if holder == mine then return nil end
  return holder, answered
end

local function free_post(post, mine)
  local holder, answered = holder_of(post)
  if holder == mine and not answered then redis.call('HDEL', shard_of(post), post) end
end

local function row_of(holder)
  local id, row = string.match(holder, '^(%S+) (%d+)$')
  return campaign_key(id), tonumber(row)
end

local function has_post(campaign, row, post)
  return read_state(campaign, row) == 'p' and post_of(result_of(campaign, row)) == post
end

-- A journal entry for a row that no longer has its own: as it was before a decision, while that is known. No call is under way.
local function entry_before(campaign, row, post, now)
  local kept = redis.call('HMGET', campaign .. ':undo:' .. row, 'post', 'was:journal:post')
  return kept[1] == post and kept[2] or 'ended - ' .. now
end

-- State and error are the caller's.
local function take_post_off(campaign, row)
  -- A reconciled row still has its progress, for a while. For any other row, only the data kept with its post is left.
  if redis.call('PERSIST', campaign .. ':work:' .. row) == 0 then
    restore_progress(campaign, row, split_result(result_of(campaign, row)) or '')
  end
  drop_result(campaign, row)
end

-- Its record turned out to be another row's post.
local function give_up_record(campaign, row, post, now)
  if not has_post(campaign, row, post) then return end
  local _, revision = read_state(campaign, row)
  local work = campaign .. ':work:' .. row
  local entry = redis.call('HGET', work, 'journal:post') or entry_before(campaign, row, post, now)
  take_post_off(campaign, row)
  redis.call('HSET', work, 'journal:post', entry)
  end_with(campaign, row, 'p', 'v', revision, now, unknown_outcome('post', now))
end

-- An answer says what a person said before: the post is the row's for sure, and the decision can no longer be taken back.
local function confirm_post(campaign, id, row, post)
  local mine = id .. ' ' .. row
  if holder_of(post) == mine then redis.call('HSET', shard_of(post), post, mine .. ' a') end
  local undo = campaign .. ':undo:' .. row
  if redis.call('HGET', undo, 'post') == post then redis.call('DEL', undo) end
end

-- The row's own call had no effect: a record that it had taken as its post is another's.
local function drop_record(campaign, id, row, now)
  local post = post_of(result_of(campaign, row))
  local holder, answered = holder_of(post or '')
  if holder ~= id .. ' ' .. row or answered then return end
  free_post(post, holder)
  give_up_record(campaign, row, post, now)
end

-- `answered`: the call is the one of unknown outcome. Then a record that a search took for its post is not the row's.
-- Returns nil, or the other row whose own call was answered with the same post.
local function take_answered(campaign, id, row, packed, answered, now)
  local post, mine = post_of(packed), id .. ' ' .. row
  local holder, is_sure = holder_of(post)
  local is_anothers = holder and holder ~= mine
  if is_anothers and is_sure then return holder end
  local recorded = answered and post_of(result_of(campaign, row))
  if recorded and recorded ~= post then free_post(recorded, mine) end
  redis.call('HSET', shard_of(post), post, mine .. ' a')
  if is_anothers then
    local other, other_row = row_of(holder)
    give_up_record(other, other_row, post, now)
  end
  return nil
end

local function shared_post(post, holder, now)
  local _, row = row_of(holder)
  return cjson.encode({
    step = 'post', code = 'post_of_another_row', at = tonumber(now), subject = post,
    message = 'The service answered with post ' .. post .. ', which already belongs to row ' .. (row + 1) .. ' of campaign '
      .. string.match(holder, '^%S+') .. '.',
    fix = "Check the creator's profile, or the service's dashboard, for a post of this row. Then decide the row.",
  })
end

-- Rule (late answer): a post that a late answer brings while another call of its row is under way or of unknown outcome is kept in the row's record
-- (`late`: packed results, one a line).
local function late_posts(campaign, row) return posts_in(redis.call('HGET', campaign .. ':work:' .. row, 'late')) end

local function keep_late(campaign, row, posts)
  redis.call('HSET', campaign .. ':work:' .. row, 'late', table.concat(posts, '\n'))
end

-- The newest call had no effect. Returns whether an earlier one was answered late.
local function end_by_late(campaign, row, state, revision, now)
  local late = late_posts(campaign, row)[1]
  if not late then return false end
  record_post(campaign, row, state, revision, now, late, redis.call('HGET', campaign .. ':work:' .. row, 'assets'), 'post', 'posted')
  return true
end

local function unknown_beside(late, now)
  return unknown_outcome('post', now, 'The answer to an earlier request came late: post ' .. post_of(late)
    .. ' exists. A second request was sent, and it is unknown whether it created another post.')
end

-- Rule (posted twice): a row with several posts needs a person, who deletes all but one in the app and names that one.
local function review_duplicates(campaign, row, state, revision, now, posts)
  local ids, candidates = {}, {}
  for index, packed in ipairs(posts) do
    ids[index] = post_of(packed)
    candidates[index] = { postId = ids[index], isSimilar = false, hasFiles = true }
  end
  if state == 'p' then take_post_off(campaign, row) end
  keep_late(campaign, row, posts)
  redis.call('HDEL', campaign .. ':work:' .. row, 'journal:post')
  end_with(campaign, row, state, 'v', revision, now, cjson.encode({
    step = 'post', code = 'posted_twice', at = tonumber(now), candidates = candidates,
    message = 'This row was posted ' .. (#posts == 2 and 'twice' or #posts .. ' times') .. ': ' .. table.concat(ids, ' and ') .. '.',
    fix = 'Delete all but one of these posts in the social app. Then decide the row with the one that stays.',
  }))
  gather(campaign, row, 'post.twice', now)
end
