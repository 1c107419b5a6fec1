// `pdf.permissions` on files encrypted by qpdf: a document token has the capabilities that the permission bits allow.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { runServer } from '../support/running-server.js'

t.test(
  'reads of a token with pdf.permissions are allowed by the permission bits of the file',
  needs('qpdf'),
  async (t) => {
    const server = await runServer(t)
    const folder = scratchFolder(t)
    const encrypted = (name: string, ...limits: readonly string[]) => {
      const [plain, locked] = [join(folder, 'plain.pdf'), join(folder, `${name}.pdf`)]
      writeFileSync(plain, onePage('0 0 100 100 re f'))
      judged('qpdf', ['--encrypt', '', 'owner', '256', ...limits, '--', plain, locked])
      return server.upload(readFileSync(locked), { docId: name })
    }
    const files = {
      open: await encrypted('open'),
      'no-copying': await encrypted('no-copying', '--extract=n'),
      'nothing-at-all': await encrypted(
        'nothing-at-all',
        '--extract=n',
        '--print=none',
        '--modify=none',
        '--annotate=n',
        '--form=n',
      ),
      plain: await server.upload(onePage('0 0 100 100 re f'), { docId: 'plain' }),
    }
    const reads = { head: 'head', text: 'layers/default/text/pages/obj:3/data', download: 'layers/default/download' }
    const expected = {
      open: { head: 200, text: 200, download: 403 },
      'no-copying': { head: 200, text: 403, download: 403 },
      'nothing-at-all': { head: 200, text: 403, download: 403 },
      plain: { head: 200, text: 200, download: 403 },
    }
    for (const [name, docId] of Object.entries(files)) {
      const viewer = server.api.as(await server.documentToken(docId, ['pdf.permissions']))
      const statuses: Record<string, number> = {}
      for (const [read, path] of Object.entries(reads)) {
        statuses[read] = (await viewer.get(`/v1/docs/${docId}/${path}`)).status
      }
      t.strictSame(statuses, expected[name as keyof typeof expected], name)
    }
    const viewer = server.api.as(await server.documentToken('no-copying', ['pdf.permissions', 'doc.text.copy']))
    t.equal(
      (await viewer.get(`/v1/docs/no-copying/${reads.text}`)).status,
      200,
      'an explicit capability needs no permission bit',
    )
  },
)
