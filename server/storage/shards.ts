// Shards of counters: the counters of a tenant are spread over several rows to reduce write contention.

const shards = 8

export const shardOf = (key: string): number =>
  [...key].reduce((sum, letter) => (sum + letter.charCodeAt(0)) % shards, 0)
