// Cache of the open documents of a thread: one entry per key and password, closed on eviction.
import { rmSync } from 'node:fs'
import t from 'tap'
import { HotDocuments } from '../../../workers/document/hot-documents.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { openFile } from '../../../workers/document/open-file.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

const page = onePage('0 0 9 9 re f')

function isOpen({ pdf }: OpenDocument): boolean {
  return pdf.pointer !== 0
}

t.test('a document is opened once per key and password', async (t) => {
  const hot = new HotDocuments(openFile, { countMax: 10, bytesMax: 1e9 })
  t.teardown(() => hot.clear())
  const source = Workshop.of(t).source(page)
  const withPassword = (password: string): PdfSource => ({ ...source, password: Buffer.from(password) })
  const copies = [source, { ...source, key: 'later' }, withPassword('a'), withPassword('b')].map((one) => hot.get(one))
  t.equal(new Set(copies).size, 4)
  t.equal(hot.get({ ...source }), copies[0])
  t.equal(hot.get(withPassword('b')), copies[3])
})

t.test('the least recently used document is evicted first and closed', async (t) => {
  const hot = new HotDocuments(openFile, { countMax: 2, bytesMax: 1e9 })
  const workshop = Workshop.of(t)
  const [a, b, c] = [workshop.source(page), workshop.source(page), workshop.source(page)]
  const [openA, openB] = [hot.get(a), hot.get(b)]
  hot.get(a)
  const openC = hot.get(c)
  t.same([openA, openB, openC].map(isOpen), [true, false, true])
  t.not(hot.get(b), openB)
  hot.clear()
  t.same([openA, openC].map(isOpen), [false, false])
})

t.test('copies of files that were removed are closed, and others are not', async (t) => {
  const hot = new HotDocuments(openFile, { countMax: 10, bytesMax: 1e9 })
  t.teardown(() => hot.clear())
  const workshop = Workshop.of(t)
  const [kept, removed] = [workshop.source(page), workshop.source(page)]
  const [openKept, openRemoved] = [hot.get(kept), hot.get(removed)]
  rmSync(removed.path)
  hot.closeRemoved()
  t.same([openKept, openRemoved].map(isOpen), [true, false])
  t.equal(hot.get(kept), openKept)
})

t.test('the total file size is limited too, and a larger document is cached alone', async (t) => {
  const hot = new HotDocuments(openFile, { countMax: 10, bytesMax: 1000 })
  t.teardown(() => hot.clear())
  const workshop = Workshop.of(t)
  const sized = (sizeBytes: number): PdfSource => workshop.source(page, { sizeBytes })
  const small = hot.get(sized(400))
  hot.get(sized(500))
  t.ok(isOpen(small))
  hot.get(sized(200))
  t.notOk(isOpen(small))
  const huge = hot.get(sized(1e12))
  t.equal(hot.count, 1)
  t.ok(isOpen(huge))
})
