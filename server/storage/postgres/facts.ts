// Facts that the processes of a deployment agree on, beside the rows: they are not part of backups and copies.
import type { Connections } from './connections.js'
import { unavailable } from './failures.js'
import type { Names } from './schema.js'

export class Facts {
  constructor(
    private readonly connections: Connections,
    private readonly names: Names,
  ) {}

  /** Quoted name of the table, with the columns `name` and `value`. */
  get table(): string {
    return this.names.facts
  }

  /** Records a fact unless there is one of the name; returns the recorded value. */
  async recordOnce(name: string, value: string): Promise<string> {
    await this.run(`insert into ${this.table} (name, value) values ($1, $2) on conflict do nothing`, name, value)
    return (await this.get(name)) ?? value
  }

  async get(name: string): Promise<string | undefined> {
    const [[value] = []] = await this.run(`select value from ${this.table} where name = $1`, name)
    return typeof value === 'string' ? value : undefined
  }

  async set(name: string, value: string): Promise<void> {
    await this.run(
      `insert into ${this.table} (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
      name,
      value,
    )
  }

  async remove(name: string): Promise<void> {
    await this.run(`delete from ${this.table} where name = $1`, name)
  }

  async run(text: string, ...parameters: readonly string[]) {
    try {
      return await this.connections.use((session) => session.run(text, parameters))
    } catch (error) {
      throw unavailable(error)
    }
  }
}
