// Brings the schema of a database to the version of this server. Several processes may start at once: one migrates,
// the others wait.

import { newestFormat } from '../row-formats.js'
import { formatFacts } from '../written-format.js'
import type { Connections, Session } from './connections.js'
import { migrations, type Names, readableFrom, schemaVersion } from './schema.js'
import { StoreUnfit } from './unfit.js'

interface SchemaVersion {
  readonly version: number
  readonly readableFrom: number
}

/** Throws `StoreUnfit` for a schema that only newer servers can work on. `shown`: address without password. */
export async function migrate(connections: Connections, names: Names, shown: string): Promise<void> {
  await connections.use(async (session) => {
    const current = await versionOf(session, names)
    refuseNewer(current, shown)
    if (current.version >= schemaVersion) return
    await session.run('begin')
    try {
      // Held until the end of the transaction; the key only has to be the same in all processes.
      await session.run('select pg_advisory_xact_lock(hashtext($1))', [`steward ${names.schema}`])
      const now = await versionOf(session, names)
      refuseNewer(now, shown)
      await apply(session, names, now.version)
      await session.run('commit')
    } catch (error) {
      await session.run('rollback').catch(() => {}) // The connection may be lost, which ends the transaction too.
      throw error
    }
  })
}

async function versionOf(session: Session, names: Names): Promise<SchemaVersion> {
  // Read from the catalogue: to_regclass may answer from a cache older than the lock of the migration.
  const [table] = await session.run(
    `select 1 from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = 'schema_version'`,
    [names.unquotedSchema],
  )
  if (table === undefined) return { version: 0, readableFrom: 0 }
  const [[version, readable] = []] = await session.run(`select version, readable_from from ${names.version}`)
  return { version: Number(version ?? 0), readableFrom: Number(readable ?? 0) }
}

function refuseNewer(found: SchemaVersion, shown: string): void {
  if (found.readableFrom <= schemaVersion) return
  throw new StoreUnfit(
    'newer',
    `${shown} has schema version ${found.version}, which servers of version ${found.readableFrom} or newer read; this one has ${schemaVersion}.`,
  )
}

async function apply(session: Session, names: Names, from: number): Promise<void> {
  if (from >= schemaVersion) return
  const [existing] = await session.run('select 1 from pg_catalog.pg_namespace where nspname = $1', [
    names.unquotedSchema,
  ])
  // A role that owns only its schema may not create one.
  if (existing === undefined) await session.run(`create schema ${names.schema}`)
  for (const statement of migrations.slice(from).flat()) await session.run(statement.replaceAll('$S', names.schema))
  await session.run(
    `create table if not exists ${names.version} (id int primary key check (id = 1), version int not null, readable_from int not null)`,
  )
  await session.run(
    `insert into ${names.version} values (1, $1, $2)
     on conflict (id) do update set version = excluded.version, readable_from = excluded.readable_from`,
    [schemaVersion, readableFrom],
  )
  // A new deployment starts with the newest format of rows.
  if (from > 0) return
  await session.run(`insert into ${names.facts} (name, value) values ($1, $2)`, [
    formatFacts.written,
    String(newestFormat),
  ])
}
