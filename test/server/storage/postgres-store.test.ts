// PostgreSQL store: the conformance suite, several stores on one database, and faults of the database.
import t from 'tap'
import { storeConformance } from '../../../server/storage/conformance/store.js'
import { PostgresStore } from '../../../server/storage/postgres/postgres-store.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'

await t.test('PostgreSQL store', needsPostgres, async (t) => {
  const server = await PostgresServer.start(t)
  const open = (name: string) => PostgresStore.open({ address: server.address(name.replaceAll('-', '_')) })
  await storeConformance(t, open)
})
