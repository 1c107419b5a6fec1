// Deletion frees the disk: worker threads do not keep the files of deleted documents open.
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { scratchFolder } from '../cli/scratch.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { done, runServer } from './support/running-server.js'
import { documents, uploaded } from './support/uploads.js'

const needsProc = { skip: process.platform !== 'linux' && 'open files are listed on Linux only' }

/** Returns the files below a folder that this process has open, threads included; removed ones end with `(deleted)`. */
function openBelow(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      return [] // The descriptor of this listing.
    }
  })
}

t.test('a document that was read and deleted is closed by every thread', needsProc, async (t) => {
  const folder = scratchFolder(t, 'data')
  const { api } = await runServer(t, { folder })
  done(await api.post('/v1/tenants', { id: 'acme' }))
  await uploaded(api, onePage('0 0 100 100 re f'), { docId: 'report' })
  const manifest = done(await api.get('/v1/docs/report/layers/default/manifest'))
  const page = manifest.at('/pages/0/page/objectNumber')
  done(await api.get(`/v1/docs/report/layers/default/render/pages/obj:${page}/data`))
  const blobs = `${folder}/blobs`
  t.not(openBelow(blobs).length, 0, 'a thread has the document open')

  done(await api.send(`${documents}/report`, { method: 'DELETE' }))
  while (openBelow(blobs).length > 0) await sleep(200)
  t.same(openBelow(blobs), [])
})
