import t from 'tap'
import { WorkerPool } from '../../../workers/pool/pool.js'
import { annotatedPdf, pageNumber } from '../../support/pdf/annotated-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { builtThread } from '../../support/worker-thread.js'

const page = { kind: 'objectNumber', objectNumber: pageNumber } as const
const annotation = { kind: 'objectNumber', page, objectNumber: 10 } as const

t.test('everything read from a document is transferred unchanged between threads', async (t) => {
  const pool = await WorkerPool.start({ threads: 1, thread: await builtThread() })
  t.teardown(() => pool.close())
  const source = Workshop.of(t).source(
    annotatedPdf({
      annotations: ['/Subtype/Widget/FT/Tx/T(a)/V(b)/Rect[30 480 130 560]/AP<</N 60 0 R>>'],
      page: '/VP[<</BBox[30 480 130 560]>>]',
      catalog: '/AcroForm<</Fields[10 0 R]>>',
      trailer: '/Info<</Title(T)/__proto__(own)>>',
      further: { 60: { body: '<</Subtype/Form/BBox[0 0 1 1]>>', stream: '0 0 1 1 re f' } },
    }),
  )
  t.match(await pool.run('layout', { source }), {
    pageCount: 1,
    pages: [{ ref: page, size: { width: 360, height: 550 } }],
  })
  t.match(await pool.run('metadata', { source }), { title: 'T', author: null })
  t.same(Object.entries(await pool.run('customMetadata', { source })), [['__proto__', 'own']])
  t.match(await pool.run('viewports', { source, page: pageNumber }), { viewports: [{ bbox: { x: 10, y: 20 } }] })
  t.match(await pool.run('annotations', { source }), { annotations: [{ subtype: 'widget', ref: annotation }] })
  t.match(await pool.run('annotations', { source, page: pageNumber }), { pages: [page] })
  t.match(await pool.run('form', { source }), { formKind: 'acroform', fields: [{ name: 'a', value: 'b' }] })
  const one = await pool.run('appearance', { source, page: pageNumber, annotation })
  const several = await pool.run('appearances', { source, page: pageNumber, annotations: [annotation] })
  t.match(Buffer.from(one.bytes).toString('latin1'), /^%PDF-[\s\S]*MediaBox ?\[0 0 100 80\]/)
  t.equal(several.bytes.length, one.bytes.length)
  await t.rejects(pool.run('annotations', { source, page: 99 }), { name: 'JobRefusal', code: 'NotFound' })
})
