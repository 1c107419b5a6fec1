// Process that writes rows until the operating system refuses, and prints the number of acknowledged rows.
import { encodeKey } from '../../../../server/storage/keys.js'
import { LevelStore } from '../../../../server/storage/level-store.js'

const store = await LevelStore.open({ folder: process.argv[2] ?? '' })
for (let index = 0; ; index++) {
  try {
    // Random bytes, which cannot be compressed, so that the size limit is reached.
    const value = Buffer.from(Array.from({ length: 100_000 }, () => Math.floor(Math.random() * 256)))
    await store.commit({ expect: [], put: [{ key: encodeKey(['filler', index]), value }], delete: [] })
  } catch (error) {
    process.stdout.write(`acknowledged ${index}, then ${error instanceof Error ? error.name : error}\n`)
    process.exit(0)
  }
}
