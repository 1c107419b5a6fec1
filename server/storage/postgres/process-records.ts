// Records of running processes among the facts of a database: "JOINED SEEN COORDINATION", times in milliseconds.
import type { ProcessRecord, ProcessRecords } from '../process-records.js'
import type { Facts } from './facts.js'

const prefix = 'process '
const nowMs = 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint'
/** Records of processes that ended without removing theirs are kept for an hour. */
const keptMs = 3_600_000

export class PostgresProcessRecords implements ProcessRecords {
  constructor(private readonly facts: Facts) {}

  async record(id: string, coordination: string): Promise<readonly ProcessRecord[]> {
    const { table } = this.facts
    await this.facts.run(
      `insert into ${table} as f (name, value) values ($1, concat_ws(' ', ${nowMs}, ${nowMs}, $2::text))
       on conflict (name) do update set value = concat_ws(' ', split_part(f.value, ' ', 1), ${nowMs}, $2::text)`,
      prefix + id,
      coordination,
    )
    return this.list()
  }

  async list(): Promise<readonly ProcessRecord[]> {
    const rows = await this.facts.run(
      `select name, value, ${nowMs} from ${this.facts.table} where name like $1`,
      `${prefix}%`,
    )
    const records = rows.map(([name, value, now]): ProcessRecord => {
      const [joined, seen, ...coordination] = String(value).split(' ')
      return {
        id: String(name).slice(prefix.length),
        coordination: coordination.join(' '),
        joinedAtMs: Number(joined),
        silentMs: Number(now) - Number(seen),
      }
    })
    for (const { id, silentMs } of records) if (silentMs > keptMs) await this.remove(id)
    return records
  }

  remove(id: string): Promise<void> {
    return this.facts.remove(prefix + id)
  }
}
