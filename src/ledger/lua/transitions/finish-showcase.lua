-- Rule (showcase): added products become known (those added by link apart from those by id), and a refused product fails only its own rows.
-- It fails no row with a call of unknown outcome: after a crash the job may run again although its rows have their own jobs by now.
-- ARGV: campaign, now, job id, the sheet that was read: see `is_another`, n records of products, then for each:
--     key, field, '1' (added, or 'l': named by a row whose link was added),
--   then for each row that failed or whose product was added: row, revision, JSON of the error ('' for added)
-- Returns `ok_or_wake`.
--- include ../rows.lua
--- include ../damage.lua
--- include ../sheet.lua
local campaign, now, job, products = campaign_key(ARGV[1]), time_of(ARGV[2]), ARGV[3], tonumber(ARGV[5])
local added = 0
for at = 6, 3 + products * 3, 3 do
  local key, field, record = ARGV[at], ARGV[at + 1], ARGV[at + 2]
  if record ~= '1' then
    redis.call('HSETNX', key, field, record)
  elseif redis.call('HGET', key, field) ~= record then
    redis.call('HSET', key, field, record)
    added = added + 1
  end
end
-- The products are in the showcase even if the campaign was deleted or lost in the meantime.
if redis.call('EXISTS', campaign) == 0 or is_another(campaign, ARGV[4]) then return 'ok' end
if added > 0 then redis.call('HINCRBY', campaign, 'done:showcase', added) end
each_row(campaign, 6 + products * 3, 3, function(row, state, revision, at)
  if state ~= 'r' then return end
  if ARGV[at + 2] == '' then
    -- If the connection sends the script twice, the second one adds nothing.
    if added > 0 then record_entry(campaign, row, now, 'showcase', 'ok') end
    return
  end
  unless_damaged(campaign, row, now, function()
    if unknown_effect(campaign .. ':work:' .. row) then return end
    redis.call('HSET', campaign .. ':work:' .. row, 'failed-by', job)
    end_with(campaign, row, 'r', 'f', revision, now, ARGV[at + 2])
  end)
end)
return ok_or_wake(campaign)
