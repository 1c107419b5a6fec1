// Reads share one open copy of a document, and leave it as it is.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation } from '../../support/pdf/rich-pdf.js'
import { layerPath } from '../changes/support/changing.js'
import { done, type Running, runServer } from '../support/running-server.js'

const server = await runServer(t)
const page = { kind: 'objectNumber', objectNumber: 3 }

t.test('inline annotations without appearance list the same before and after their page was read', async (t) => {
  const docId = await server.upload(everyAnnotation())
  const layer = layerPath({ docId })
  const before = await listOf(server, layer)
  for (const scale of [1, 1.25, 1.5]) {
    done(await server.api.get(`${layer}/text/pages/obj:3/data`))
    for (const family of ['', 'all/'])
      done(await server.api.get(`${layer}/render/${family}pages/obj:3/data?viewport.scale=${scale}`))
    // Every redaction clears the caches of answers, so that all is read again from the open copy.
    await redact(server, await server.upload(onePage('0 0 10 10 re f')))
    t.strictSame(await listOf(server, layer), before)
  }
})

/** Returns the members that a generated appearance changes. */
async function listOf({ api }: Running, layer: string): Promise<readonly unknown[]> {
  const list = (await api.get(`${layer}/annotations/pages/obj:3/items`).then(done)).at('/annotations')
  return Array.isArray(list) ? list.map(({ subtype, box, hasAppearance }) => ({ subtype, box, hasAppearance })) : []
}

async function redact({ api }: Running, docId: string): Promise<void> {
  const layer = layerPath({ docId })
  const data = { subtype: 'redact', rect: { x: 1, y: 1, width: 5, height: 5 } }
  const mark = { type: 'annotations.create', page, data }
  done(await api.post(`${layer}/changes`, { changes: [{ opId: 'mark', ops: [mark] }] }))
  done(await api.post(`${layer}/redactions/apply`, { pages: [page] }))
}
