// A document that is deleted while the content of its redactions is erased: nothing of it is left, and nothing is reported.
import t from 'tap'
import { Deletions } from '../../server/deletion/deletions.js'
import { markDocumentDeleting } from '../../server/deletion/mark-deleting.js'
import { transact } from '../../server/storage/transaction.js'
import { Withholdings } from '../../server/withholding/withholdings.js'
import { scratchFolder } from '../cli/scratch.js'
import { blobsOf, clock, kindsOf, makeDocument, makeTenant, openScene } from './support/scene.js'

t.test('a document is deleted while its redacted content is erased', async (t) => {
  const storage = await openScene(scratchFolder(t))
  t.teardown(() => storage.close())
  const failures: unknown[] = []
  const onFailure = (error: unknown) => void failures.push(error)
  const { tenant, document } = await makeDocument(storage, await makeTenant(storage, 'acme'), 'report')
  await transact(storage, async (transaction) => {
    transaction.put(storage.tables.audits.at([tenant, document, 1]), {
      ...{
        layerName: 'default',
        editsVersion: 1,
        at: 1,
        sub: 'anna',
        kind: 'annotation',
        page: null,
        affectedPages: [],
      },
      ...{
        originSessionId: null,
        opId: 'a',
        undoOf: null,
        content: { isSealed: false, at: { inline: 'c2Vj' } },
        cacheDelta: null,
      },
      ...{ isUndoable: false, rights: [] },
    })
    const row = { until: 1, blobs: ['content'], startedAt: 1 }
    transaction.put(storage.tables.withholdings.at([tenant, document, 'default']), row)
  })
  // Its rows are swept later.
  await markDocumentDeleting({ storage, clock }, { tenant, document })
  const withholdings = new Withholdings({ storage, onFailure })
  const ended = withholdings.start({ tenant, document, layerName: 'default' })
  const deletions = new Deletions({ storage, clock, onFailure })
  await Promise.all([ended, deletions.resume()])
  await deletions.stop()
  await withholdings.stop()
  t.same(failures, [])
  t.same(
    (await kindsOf(storage)).filter((kind) => kind === 'withholding' || kind === 'audit'),
    [],
  )
  t.same(await blobsOf(storage), [])
})
