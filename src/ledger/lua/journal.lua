-- Included. Rule (lost journal): the journal has a position, which each entry advances, and the tokens of its latest entries. They
-- reveal lost entries, even after the journal has grown past them again. A ledger with another id has lost all entries.
-- A person who accepts the loss moves the position ahead of all that was ever seen (`accepted`).
--- include clock.lua
local journal = KEYS[1] .. ':journal'
local recent = 1024

-- Id of the ledger; '' for one that no program has opened yet.
local function ledger_id() return redis.call('HGET', KEYS[1] .. ':format', 'ledger') or '' end

-- Whether the entry that was seen at position `seen` is missing now. `witness`: its token ('' for unknown), and the id of its ledger.
local function has_lost(position, seen, witness)
  if seen == 0 then return false end
  if position < seen then return true end
  if tonumber(redis.call('HGET', journal, 'accepted') or '0') > seen then return false end
  local token, ledger = string.match(witness, '^(%S*) ?(%S*)$')
  if ledger ~= '' and ledger ~= ledger_id() then return true end
  if token == '' or position - seen >= recent then return false end
  return redis.call('HGET', journal .. ':recent', seen % recent) ~= token
end

-- Then no process sends, even if it misses nothing itself.
local function is_loss_known() return redis.call('HEXISTS', journal, 'lost:noticed') == 1 end

-- Keeps until a person accepts the loss: when it was noticed first; position, time and ledger of the last entry that any process has seen;
-- rows admitted (`admitted`, as of position `trusted`), from a process that never lost sight of the journal. No campaign id is given again.
local function report_loss(seen, at, witness, admitted, campaigns)
  redis.call('HSETNX', journal, 'lost:noticed', time_of(''))
  local ledger = string.match(witness, '(%S*)$')
  if seen >= tonumber(redis.call('HGET', journal, 'lost:position') or '0') then
    redis.call('HSET', journal, 'lost:position', string.format('%.0f', seen), 'lost:at', at, 'lost:ledger', ledger)
  end
  local number = KEYS[1] .. ':campaign-number'
  if ledger == ledger_id() and campaigns > tonumber(redis.call('GET', number) or '0') then redis.call('SET', number, campaigns) end
  if admitted == '' then return end
  local known = redis.call('HMGET', journal, 'lost:trusted', 'lost:admitted')
  local trusted = tonumber(known[1] or '0')
  if seen == trusted then admitted = math.max(admitted, tonumber(known[2] or '0')) end
  if seen >= trusted then
    redis.call('HSET', journal, 'lost:trusted', string.format('%.0f', seen), 'lost:admitted', string.format('%.0f', admitted))
  end
end

-- When a loss was noticed, position, trusted position and admitted rows, separated by spaces; '' for no loss.
local function reported_loss()
  local facts = redis.call('HMGET', journal, 'lost:noticed', 'lost:position', 'lost:trusted', 'lost:admitted')
  if not facts[1] then return '' end
  for index = 1, 4 do facts[index] = facts[index] or '-' end
  return table.concat(facts, ' ')
end

-- ARGV from `from`, what a process has seen: position (0 for nothing), time, witness, rows admitted ('' for unknown), number of the newest campaign.
-- Returns the same of now: { position, time of its last entry (ms), token of it, id of the ledger, rows admitted, campaigns, lost ('0'|'1') }.
local function compare_journal(from)
  local seen, at, witness, admitted, campaigns = tonumber(ARGV[from]), ARGV[from + 1], ARGV[from + 2], ARGV[from + 3], tonumber(ARGV[from + 4])
  local last = redis.call('HMGET', journal, 'position', 'at', 'admitted')
  local position = tonumber(last[1] or '0')
  local token = redis.call('HGET', journal .. ':recent', position % recent) or ''
  local lost = has_lost(position, seen, witness)
  if lost then report_loss(seen, at, witness, admitted, campaigns) end
  local newest = redis.call('GET', KEYS[1] .. ':campaign-number') or '0'
  return { last[1] or '0', last[2] or '0', token, ledger_id(), last[3] or '0', newest, lost and '1' or '0' }
end
