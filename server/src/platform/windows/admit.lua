-- Decisions of rate windows, one for each key, in this order. ARGV has the limit and the window of each. A list holds
-- the admission times in microseconds, newest first. What left the window is popped from its end, once each, so a
-- decision costs the same however high the limit is.
-- Redis knows a script by its hash: deploy/redis/start.sh loads this very file.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local stamp = string.format('%.0f', now)
local reply = {stamp}
for index, key in ipairs(KEYS) do
  local limit, window = tonumber(ARGV[index * 2 - 1]), tonumber(ARGV[index * 2])
  local newest = redis.call('LINDEX', key, 0)
  if newest and tonumber(newest) > now then
    redis.call('DEL', key)
    newest = false
  end
  local oldest = newest and redis.call('LINDEX', key, -1)
  while oldest and now - tonumber(oldest) > window do
    redis.call('RPOP', key)
    oldest = redis.call('LINDEX', key, -1)
  end
  local live = oldest and redis.call('LLEN', key) or 0
  local admitted = 0
  if live < limit then
    admitted = 1
    live = redis.call('LPUSH', key, stamp)
    redis.call('PEXPIRE', key, math.ceil(window / 1000) + 1)
  end
  local reset = tonumber(oldest or now) + window
  reply[#reply + 1] = admitted
  reply[#reply + 1] = math.max(0, limit - live)
  reply[#reply + 1] = string.format('%.0f', reset)
end
return reply
