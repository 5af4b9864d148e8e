-- Rule (recheck): a row's earlier posts were looked up and are not published. Nothing is recorded for a row that has other ones by now, or is posted.
-- ARGV: campaign, now, then for each row: row, ids of the posts that were looked up, one a line
--- include ../rows.lua
local campaign, now = campaign_key(ARGV[1]), time_of(ARGV[2])
for at = 3, #ARGV, 2 do
  local row, ids = tonumber(ARGV[at]), {}
  for index, packed in ipairs(earlier_posts(campaign, row)) do ids[index] = post_of(packed) end
  if #ids > 0 and table.concat(ids, '\n') == ARGV[at + 1] and read_state(campaign, row) ~= 'p' then
    redis.call('HSET', campaign .. ':work:' .. row, 'looked', now)
  end
end
