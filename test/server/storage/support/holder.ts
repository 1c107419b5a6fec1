// Process that opens a store, prints that it is open, and waits to be killed.
import { encodeKey } from '../../../../server/storage/keys.js'
import { LevelStore } from '../../../../server/storage/level-store.js'

const store = await LevelStore.open({ folder: process.argv[2] ?? '' })
await store.commit({ expect: [], put: [{ key: encodeKey(['row', 'held']), value: Buffer.from('x') }], delete: [] })
process.stdout.write('held\n')
setInterval(() => {}, 1000)
