/**
 * Stores entries behind the one that the writer knows, or gives him what he does not know yet. Both keys of a sandbox have
 * one hash tag, so that they lie in one slot of a cluster. Positions count on from the time of the beginning, in
 * microseconds: a sandbox that was removed and made again never comes to a position that it had. The entry that leads to the
 * position n has the id `n+1-0`; the first one says only that there is a log.
 *
 * KEYS: log, facts. ARGV: position, time to live or 0 to leave it, snapshot to begin with or '', entries…
 */
export const APPEND = `
local last = redis.call('HGET', KEYS[2], 'last')
local after = tonumber(ARGV[1])
local ttl = tonumber(ARGV[2])
if not last and after == -1 and ARGV[3] ~= '' then
  local time = redis.call('TIME')
  last = time[1] * 1000000 + time[2]
  after = last
  local base = string.format('%.0f', last)
  redis.call('HSET', KEYS[2], 'last', base, 'at', base, 'snapshot', ARGV[3])
  redis.call('XADD', KEYS[1], string.format('%.0f-0', last + 1), 'e', '{}')
end
if not last then return {'none'} end
last = tonumber(last)
if last ~= after then
  local at = tonumber(redis.call('HGET', KEYS[2], 'at'))
  if after < at or after > last then
    local tail = redis.call('XRANGE', KEYS[1], string.format('%.0f-0', at + 2), '+')
    return {'whole', string.format('%.0f', last), redis.call('HGET', KEYS[2], 'snapshot'), tail}
  end
  return {'behind', string.format('%.0f', last), redis.call('XRANGE', KEYS[1], string.format('%.0f-0', after + 2), '+')}
end
for index = 4, #ARGV do
  last = last + 1
  redis.call('XADD', KEYS[1], string.format('%.0f-0', last + 1), 'e', ARGV[index])
end
if #ARGV > 3 then redis.call('HSET', KEYS[2], 'last', string.format('%.0f', last)) end
if ttl > 0 then
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return {'appended', string.format('%.0f', last)}
`;

/** Puts a snapshot in the place of the entries up to a position, unless a newer one is there. */
export const COMPACT = `
local at = redis.call('HGET', KEYS[2], 'at')
if not at or tonumber(at) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[2], 'at', ARGV[1], 'snapshot', ARGV[2])
redis.call('XTRIM', KEYS[1], 'MINID', string.format('%.0f-0', tonumber(ARGV[1]) + 1))
return 1
`;

/** Begins a sandbox in place of what there may be. Positions go on, so that who knew the old one sees that it is another. */
export const BEGIN = `
local last = redis.call('HGET', KEYS[2], 'last')
local time = redis.call('TIME')
local next = math.max(time[1] * 1000000 + time[2], last and tonumber(last) + 1 or 0)
local base = string.format('%.0f', next)
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[2], 'last', base, 'at', base, 'snapshot', ARGV[1])
redis.call('XADD', KEYS[1], string.format('%.0f-0', next + 1), 'e', '{}')
local ttl = tonumber(ARGV[2])
if ttl > 0 then
  redis.call('PEXPIRE', KEYS[1], ttl)
  redis.call('PEXPIRE', KEYS[2], ttl)
end
return base
`;

/**
 * Notes who has something to tell, since when, and when it was there last. It gives whether somebody looks.
 *
 * KEYS: debtors, word of who looks. ARGV: time to live, process, since when.
 */
export const OWE = `
local now = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3] .. ' ' .. now[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return redis.call('EXISTS', KEYS[2])
`;

/**
 * Takes what a process tells of requests; a batch whose number was told already is left out. The oldest make room.
 *
 * KEYS: sorted set of what has no place yet, facts, word of who looks, debtors. ARGV: time to live, entries at the most,
 * process, number of the batch, since when it owes more or '', how many requests are lost, then for each entry its time and its text, which begins with 1 for a request
 * and with 0 for anything else. It gives whether somebody looks.
 */
export const TELL = `
local from = 'from:' .. ARGV[3]
if tonumber(ARGV[4]) > tonumber(redis.call('HGET', KEYS[2], from) or '0') then
  local lost = tonumber(ARGV[6])
  for index = 7, #ARGV, 2 do
    local member = ARGV[index + 1] .. ' ' .. ARGV[3] .. ':' .. ARGV[4] .. ':' .. index
    redis.call('ZADD', KEYS[1], ARGV[index], member)
  end
  for surplus = redis.call('ZCARD', KEYS[1]) - ARGV[2], 1, -1 do
    local oldest = redis.call('ZPOPMIN', KEYS[1])[1]
    if string.sub(oldest, 1, 1) == '1' then lost = lost + 1 end
  end
  redis.call('HINCRBY', KEYS[2], 'lost', string.format('%.0f', lost))
  redis.call('HSET', KEYS[2], from, ARGV[4])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  redis.call('PEXPIRE', KEYS[2], ARGV[1])
end
if ARGV[5] == '' then
  redis.call('HDEL', KEYS[4], ARGV[3])
else
  redis.call('HSET', KEYS[4], ARGV[3], ARGV[5] .. ' ' .. redis.call('TIME')[1])
end
return redis.call('EXISTS', KEYS[3])
`;

/**
 * Gives what was told its place behind the rest, and tells all behind a place. A request has the id n-0, n being its number;
 * what is not a request has the next one behind it. The oldest make room. Debtors that were not there for more than a second
 * are forgotten; for what was answered after that which others owe it can wait.
 *
 * KEYS: as in {@link TELL} the first two, then the stream, and the debtors. ARGV: time to live, entries and bytes at the most,
 * name of a new instance, whether it waits, instance that is known or '', place that is known.
 */
export const HEAR = `
if redis.call('HEXISTS', KEYS[2], 'instance') == 0 then
  redis.call('DEL', KEYS[3])
  redis.call('HSET', KEYS[2], 'instance', ARGV[4], 'last', '0', 'marks', '0', 'bytes', '0')
end
local facts = redis.call('HMGET', KEYS[2], 'last', 'marks', 'bytes', 'lost', 'instance')
local last, marks, bytes = facts[1] + (facts[4] or 0), tonumber(facts[2]), tonumber(facts[3])
local debts, now, upto = redis.call('HGETALL', KEYS[4]), redis.call('TIME')[1], '+inf'
local first
for index = 1, #debts, 2 do
  local since, seen = string.match(debts[index + 1], '^(%S+) (%d+)$')
  if now - seen > 1 then
    redis.call('HDEL', KEYS[4], debts[index])
  elseif not first or tonumber(since) < tonumber(first) then
    first = since
  end
end
if first and ARGV[5] == '1' then upto = '(' .. first end
local told = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', upto)
for index = 1, #told do
  local id
  if string.sub(told[index], 1, 1) == '1' then
    last = last + 1
    id = string.format('%.0f-0', last)
  else
    marks = marks + 1
    id = string.format('%.0f-%.0f', last, marks)
  end
  redis.call('XADD', KEYS[3], id, 'e', told[index])
  bytes = bytes + #told[index]
end
if #told > 0 then redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', upto) end
local length = redis.call('XLEN', KEYS[3])
while length > tonumber(ARGV[2]) or (bytes > tonumber(ARGV[3]) and length > 1) do
  local first = redis.call('XRANGE', KEYS[3], '-', '+', 'COUNT', 1)[1]
  bytes = bytes - #first[2][2]
  redis.call('XDEL', KEYS[3], first[1])
  length = length - 1
end
redis.call('HSET', KEYS[2], 'last', string.format('%.0f', last), 'marks', string.format('%.0f', marks),
  'bytes', string.format('%.0f', bytes), 'lost', '0')
redis.call('PEXPIRE', KEYS[3], ARGV[1])
redis.call('PEXPIRE', KEYS[2], ARGV[1])
local start = ARGV[6] == facts[5] and '(' .. ARGV[7] or '-'
return {facts[5], string.format('%.0f', last), redis.call('XRANGE', KEYS[3], start, '+'), first or ''}
`;
