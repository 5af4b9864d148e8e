-- Rule (retry): failed rows go back to waiting, in the next revision. A row that is in review, posted, running, or in another revision
-- stays as it is, and so does a row with an earlier post that nobody has looked up lately (`earlier-posts.lua`).
-- Rule (undo window): such a row waits for a moment first, because it had a post. Until then, `undo-decision` takes the retry back.
-- KEYS[1]: prefix of all keys.
-- ARGV: campaign, now (ms; '' for the clock of Redis), how long rows that had a post wait before they go on (ms), how long the replaced data is kept (ms),
--   then row, revision, ...
-- A row that failed before a loss of records goes to review instead (`review_failed`).
-- Returns how many of the rows sent back wait for a moment, then row, old revision, ... of all rows sent back.
--- include ../rows.lua
--- include ../earlier-posts.lua
--- include ../damage.lua
--- include ../lost-rows.lua
--- include ../undo.lua
local campaign, now, wait, kept_for = campaign_key(ARGV[1]), time_of(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local reply = { 0 }
if redis.call('EXISTS', campaign) == 0 then return reply end
for index = 5, #ARGV, 2 do
  local row = tonumber(ARGV[index])
  local state, revision = read_state(campaign, row)
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
  local is_due = state == 'f' and revision == tonumber(ARGV[index + 1]) and is_looked(campaign, row, now, 'back')
  if is_due and mending(campaign, row, now, redo) then
    reply[#reply + 1] = row
    reply[#reply + 1] = revision
  end
end
return reply
