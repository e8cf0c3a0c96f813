/** What people who write about code say for the same thing, a line each. Found on the conversations of the bench. */
const groups = `
retry retries repeat attempt try redeliver again
delay wait pause interval backoff
limit maximum max cap permit allow quota most longest
error failure fail failing unsuccessful broken crash
delete remove drop erase
folder directory dir path
login auth authentication session signin credential
refresh renew renewal
slow performance latency speed fast
flaky unreliable intermittent sporadic occasionally
fix repair remedy workaround solve
mail email
duplicate twice double
parallel concurrent concurrency simultaneous
timeout expire expiry validity lifetime ttl
cause reason because why
decide decision settle choose pick agree chose
increase raise bump grow
decrease reduce lower shrink
database db
configuration config setting option
deploy release ship rollout
test spec
schedule cron nightly
partition split shard
power consumption battery
offline connection disconnected
notice banner message
disable deactivate off
fallback unreachable unavailable down
image picture photo
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

const groupsOf = new Map<string, readonly string[]>();
for (const group of groups)
  for (const word of group) groupsOf.set(stem(word), [...(groupsOf.get(stem(word)) ?? []), ...group]);

/** Words that may stand where this one was looked for. */
export function relatedWords(word: string): readonly string[] {
  return groupsOf.get(stem(word.toLowerCase())) ?? [];
}

function stem(word: string): string {
  return word.replace(/(?:ing|ed|es|s)$/, '');
}
