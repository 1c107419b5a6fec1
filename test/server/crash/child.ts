// Process that works on a data folder, prints what was acknowledged, and blocks at one call of the store or the file system,
// so that it can be killed there.
//   child.ts FOLDER [CALL before|during|after]
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { digestHere } from '../../../server/backup/verify.js'
import { Deletions } from '../../../server/deletion/deletions.js'
import { openStorage } from '../../../server/storage/open-storage.js'
import { transact } from '../../../server/storage/transaction.js'
import { announce, clock, type Made, makeDocument, makeTenant, publish, upload } from '../support/scene.js'
import { contentOf } from './content.js'
import { holding, say } from './holding.js'

const [folder = '', holdAt = '0', when = 'before'] = process.argv.slice(2)
const { files, openDatabase, calls } = holding(Number(holdAt), when)

const storage = await openStorage({ folder, digest: digestHere, files, openDatabase })
const deletions = new Deletions({ storage, clock, onFailure: (error) => say(`failed ${error}`) })

const acme = await makeTenant(storage, 'acme')
say('made acme')
const made = new Map<string, Made>()
for (const id of ['first', 'second', 'third']) {
  const document = await announce(storage, acme, id)
  made.set(id, document)
  say(`announced ${id}`)
  await upload(storage, document, contentOf(id))
  say(`uploaded ${id}`)
  await publish(storage, document, contentOf(id))
  say(`published ${id}`)
}
const [first, second] = [made.get('first'), made.get('second')]
if (!first || !second) throw new Error('No document was created')

const picture = join(storage.blobs.staging, 'picture')
await writeFile(picture, 'RIFF\x04\0\0\0WEBP')
await storage.blobs.adopt({ ...second, name: 'thumbnail.webp' }, picture)
await transact(storage, async (transaction) => {
  const slot = storage.tables.documents.at([second.tenant, second.document])
  const row = await transaction.read(slot)
  if (row) transaction.put(slot, { ...row, thumbnail: 'ready' })
})
say('pictured second')

say('deleting first')
const { swept } = await deletions.deleteDocument(first)
say('deleted first')
await swept
say('swept first')

const other = await makeTenant(storage, 'other')
await makeDocument(storage, other, 'others', contentOf('others'))
say('published others')
say('deleting other')
const left = await deletions.deleteTenant(other)
say('deleted other')
await left.sweepEnded
say('swept other')
await deletions.stop()
say('erased')
await storage.close()
say(`calls ${calls()}`)
