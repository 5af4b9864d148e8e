-- Rule (start of a step): a job works on its row only while the campaign runs, the row runs in the job's revision, of the campaign's own
-- sheet, and the creator's breaker is closed.
-- Rule (never twice): `sending` is written to the journal before a call that must not be repeated. An attempt that finds the entry of
-- another one does not send: the row goes to review.
-- Rule (lost journal): no such call begins if the journal has lost an entry that the caller or another process has seen.
-- Rule (retry): the job that failed a row, run again by hand, sends the row back to waiting in its next revision, and does nothing else.
-- ARGV: count, then for each step:
--   campaign, row, revision, job id, effect ('' or 'post' or 'gen<n>'), attempt token, creator id, now,
--   claim of an upload: key ('' for none) and field of the file's record, lease key, token, lease time (ms),
--   journal position last seen by the caller (0 for none), and the witness of the entry there: see `has_lost`,
--   how long the call may be sent (ms), how long it may take after that (ms),
--   the sheet that the row was read from: see `is_outdated` ('' for any),
--   id of the row's only file, if the job has just uploaded it ('' otherwise),
--   digest of the post without its files ('' for none), and how it is claimed: see `claim_same`,
--   the AI outputs that the call asks for ('' for none): see `spending.lua`
-- Returns for each: { 'go', claim ('' or as `claim_upload`), record, position of the journal and id of the ledger ('' without an effect),
--   field, value, ... } with the row's progress, or
--   { 'gone' } no such campaign or an older revision | { 'outdated' } the sheet is another one | { 'paused' } | { 'ended', state letter }
--   { 'again' } the row goes on in its next revision | { 'on-hold' } not while the creator's breaker is open | { 'breaker', JSON }
--   { 'unknown' } another attempt left `sending`: the row went to review | { 'known', ... } the effect is already confirmed
--   { 'recheck', the row's earlier posts, packed, unchecked ('' | '1') } they must be looked up first | { 'same', campaign, row } another row has
--   the same post | { 'unpaid' } its AI outputs are beyond a limit | { 'behind', position, time of its last entry (ms) } the journal has lost entries
--- include ../rows.lua
--- include ../posts.lua
--- include ../uploads.lua
--- include ../journal.lua
--- include ../sheet.lua
--- include ../earlier-posts.lua
--- include ../same-post.lua
--- include ../spending.lua

-- The reply that nothing is sent. An entry of this same attempt goes: the connection has sent the script twice.
local function not_sent(at, campaign, row, revision, now, reply)
  local effect, token, work = ARGV[at + 4], ARGV[at + 5], campaign .. ':work:' .. row
  local entry = effect ~= '' and redis.call('HGET', work, 'journal:' .. effect)
  if not entry or string.match(entry, '^sending (%S+)') ~= token then return reply end
  redis.call('HDEL', work, 'journal:' .. effect)
  give_back(campaign, row, effect)
  if effect == 'post' and end_by_late(campaign, row, 'r', revision, now) then return { 'ended', 'p' } end
  return reply
end

local function start(at)
  local campaign, row, revision = campaign_key(ARGV[at]), tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local job, effect, token = ARGV[at + 3], ARGV[at + 4], ARGV[at + 5]
  local creator, now = ARGV[at + 6], time_of(ARGV[at + 7])
  local campaign_state = redis.call('HGET', campaign, 'state')
  if not campaign_state then return { 'gone' } end
  local state, current = read_state(campaign, row)
  if not state or current ~= revision then return { 'gone' } end

  local work = campaign .. ':work:' .. row
  local breaker = creator ~= '' and redis.call('HGET', prefix .. ':breakers', creator)
  if state == 'f' and may_send_again(campaign, row, job) then
    if breaker then return { 'on-hold' } end
    admit_again(campaign, row, 'f', revision, now, 'run again')
    return { 'again' }
  end
  if state ~= 'r' then return { 'ended', state } end
  if campaign_state == 'paused' or campaign_state == 'cancelling' then
    return not_sent(at, campaign, row, revision, now, { 'paused' })
  end
  if is_outdated(campaign, ARGV[at + 17]) then return not_sent(at, campaign, row, revision, now, { 'outdated' }) end
  if effect ~= '' then
    if redis.call('HEXISTS', work, effect) == 1 then
      return { 'known', unpack(redis.call('HGETALL', work)) }
    end
    local entry = redis.call('HGET', work, 'journal:' .. effect)
    local sender = entry and string.match(entry, '^sending (%S+)')
    if entry and sender ~= token then
      if sender then redis.call('HSET', work, 'journal:' .. effect, as_state(entry, 'unknown')) end
      end_with(campaign, row, state, 'v', revision, now, unknown_outcome(effect, now))
      return { 'unknown' }
    end
  end
  -- Checked after the journal, because the unknown outcome of an earlier call matters more than a ban on further calls.
  if breaker then return not_sent(at, campaign, row, revision, now, { 'breaker', breaker }) end
  if effect == 'post' and not is_rechecked(campaign, row, now, 'send') then
    local posts = redis.call('HGET', campaign .. ':earlier', row)
    return not_sent(at, campaign, row, revision, now, { 'recheck', posts, redis.call('HGET', work, 'unchecked') or '' })
  end
  local position = ''
  if effect ~= '' then
    local seen, witness = tonumber(ARGV[at + 13]), ARGV[at + 14]
    local last = redis.call('HMGET', journal, 'position', 'at')
    if is_loss_known() or has_lost(tonumber(last[1] or '0'), seen, witness) then
      return not_sent(at, campaign, row, revision, now, { 'behind', last[1] or '0', last[2] or '0' })
    end
    if ARGV[at + 19] ~= '' then
      local holder, other = claim_same(ARGV[at], row, revision, ARGV[at + 19], ARGV[at + 20], ARGV[at + 18])
      if holder then return not_sent(at, campaign, row, revision, now, { 'same', holder, other }) end
    end
    local wish = ARGV[at + 21]
    if wish ~= '' then
      if not may_spend(campaign, row, effect, wish) then return not_sent(at, campaign, row, revision, now, { 'unpaid' }) end
      spend(campaign, row, effect, wish)
    end
    local last_send = now + ARGV[at + 15]
    local entry = string.format('sending %s %s %.0f %.0f', token, now, last_send, last_send + ARGV[at + 16])
    redis.call('HSET', work, 'journal:' .. effect, entry)
    position = string.format('%.0f', redis.call('HINCRBY', journal, 'position', 1))
    redis.call('HSET', journal, 'at', now)
    redis.call('HSET', journal .. ':recent', tonumber(position) % recent, token)
    position = position .. ' ' .. ledger_id()
    local file = ARGV[at + 18]
    if file ~= '' and redis.call('HSET', work, 'file:0', file) == 1 then
      redis.call('HINCRBY', campaign, 'done:upload', 1)
      record_entry(campaign, row, now, 'upload', 'ok', 'media is file ' .. file)
    end
  end

  local claim, record = '', ''
  if ARGV[at + 8] ~= '' then claim, record = claim_upload(at + 8) end
  return { 'go', claim, record, position, unpack(redis.call('HGETALL', work)) }
end

return each_item(22, start)
