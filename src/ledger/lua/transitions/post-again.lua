-- Rule (failed post): a failed row, or one about to be sent again, becomes posted if one of its earlier posts was published after all.
-- ARGV: campaign, now, row, revision, its earlier posts as read, packed result
-- Returns 'stale' (nothing was changed), else `ok_or_wake`.
--- include ../rows.lua
--- include ../earlier-posts.lua
local campaign, now, row = campaign_key(ARGV[1]), time_of(ARGV[2]), tonumber(ARGV[3])
local state, revision = read_state(campaign, row)
local is_due = state == 'f' or (state == 'r' and not unknown_effect(campaign .. ':work:' .. row))
if not is_due or revision ~= tonumber(ARGV[4]) then return 'stale' end
if redis.call('HGET', campaign .. ':earlier', row) ~= ARGV[5] then return 'stale' end
leave_earlier(campaign, row, post_of(ARGV[6]))
local assets = redis.call('HGET', campaign .. ':work:' .. row, 'assets')
record_post(campaign, row, state, revision, now, ARGV[6], assets, '', 'found in the records')
return ok_or_wake(campaign)
