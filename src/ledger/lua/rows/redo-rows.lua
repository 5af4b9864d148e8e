-- Rule (retry): failed rows go back to waiting, in the next revision, but for one with an earlier post that nobody has looked up lately.
-- Rule (undo window): a row that had a post waits for a moment first. Until then, `undo-decision` takes the retry back.
-- ARGV: campaign, now, how long rows that had a post wait before they go on (ms), how long the replaced data is kept (ms), then row, revision, ...
-- Returns how many of the rows sent back wait for a moment, then row, old revision, ... of all rows sent back.
--- include ../rows.lua
--- include ../earlier-posts.lua
--- include ../damage.lua
--- include ../lost-rows.lua
--- include ../undo.lua
local campaign, now, wait, kept_for = campaign_key(ARGV[1]), time_of(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local reply = { 0 }
if redis.call('EXISTS', campaign) == 0 then return reply end
each_row(campaign, 5, 2, function(row, state, revision)
  local function redo()
    if review_failed(campaign, row, state, revision, now) then return false end
    local had = redis.call('HEXISTS', campaign .. ':earlier', row) == 1
    if had then remember(campaign, row, now, 'back', 'f') end
    redis.call('HDEL', campaign .. ':work:' .. row, 'unchecked')
    admit_again(campaign, row, 'f', revision, now, 'retried')
    if had then
      hold_back(campaign, row, now + wait)
      keep_until(campaign, row, kept_for)
      reply[1] = reply[1] + 1
    end
    return true
  end
  local is_due = state == 'f' and is_rechecked(campaign, row, now, 'back')
  if is_due and unless_damaged(campaign, row, now, redo) then push(reply, row, revision) end
end)
return reply
