// Written metadata is read back from the information dictionary and from XMP, and can be undone member by member.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

const pages: RawObjects = {
  2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
}
const information = '<</Title(Old)/Author(Ada)/ModDate(D:20240101000000Z)/Trapped/True/Project(Steward)/Kind/Draft>>'
const namespaces =
  'xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:p="http://ns.adobe.com/pdf/1.3/" xmlns:m="http://ns.adobe.com/xap/1.0/" xmlns:o="http://example.com/o#"'

const withInformation = (): Buffer =>
  rawPdf({ 1: '<</Type/Catalog/Pages 2 0 R>>', ...pages, 5: information }, { trailer: '/Info 5 0 R' })

function withPacket(inside: string): Buffer {
  const stream = `<?xpacket begin=""?><x:xmpmeta xmlns:x="adobe:ns:meta/"><r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><r:Description r:about="" ${namespaces}>${inside}</r:Description></r:RDF></x:xmpmeta><?xpacket end="w"?>`
  const packet = { body: '<</Type/Metadata/Subtype/XML>>', stream }
  const catalog = '<</Type/Catalog/Pages 2 0 R/Metadata 6 0 R>>'
  return rawPdf({ 1: catalog, ...pages, 5: information, 6: packet }, { trailer: '/Info 5 0 R' })
}

const dates = { createdAt: '2026-01-31T12:00:00+01:00', modifiedAt: '2026-02-01T00:00:00Z' }

t.test(
  'metadata.update sets and clears members and leaves others unchanged, as read by pdfinfo',
  needs('qpdf', 'pdfinfo'),
  async (t) => {
    const layer = layerOf(t, withInformation())
    const patch = { title: 'Größe €', author: null, keywords: '', ...dates, trapped: 'false' }
    const { items, effects } = await layer.apply({ type: 'metadata.update', patch })
    const expected = { title: 'Größe €', author: null, keywords: null, ...dates, trapped: 'false' }
    t.match(items[0], {
      type: 'metadata.update',
      metadata: expected,
      meta: { affectedPages: { length: 0 }, undoable: true },
    })
    t.match(layer.reads(t).metadata(), expected)
    t.same(effects, { pages: [], document: ['metadata'] })
    judged('qpdf', ['--check', layer.sent()])
    const reported = judged('pdfinfo', ['-enc', 'UTF-8', '-rawdates', layer.sent()]).toString()
    t.match(reported, /Title:\s+Größe €/)
    t.match(reported, /CreationDate:\s+D:20260131120000\+01'00'/)
    t.notMatch(reported, /Author/)
    t.match(layer.reads(t).customMetadata(), { Project: 'Steward', Kind: 'Draft' })
  },
)

t.test(
  'a document without an information dictionary gets one with the first value, but not with an empty patch',
  needs('qpdf'),
  async (t) => {
    const layer = layerOf(t, onePage(''))
    t.same((await layer.apply({ type: 'metadata.update', patch: { title: null } })).images, [])
    const { undo } = await layer.apply({ type: 'metadata.update', patch: { title: 'New' } })
    t.equal(layer.reads(t).metadata().title, 'New')
    layer.cold()
    await layer.undo(undo)
    t.equal(layer.reads(t).metadata().title, null)
    judged('qpdf', ['--check', layer.sent()])
  },
)

t.test(
  'if XMP takes precedence, members are written to both places, and others stay unchanged',
  needs('qpdf'),
  async (t) => {
    const list =
      '<d:title><r:Alt><r:li xml:lang="x-default">Packet</r:li><r:li xml:lang="de">Paket</r:li></r:Alt></d:title>'
    const others =
      '<m:ModifyDate>2025-01-01T00:00:00Z</m:ModifyDate><o:own a="&lt;1&gt;">kept &amp; well</o:own><p:Producer>P</p:Producer>'
    const layer = layerOf(t, withPacket(list + others))
    t.match(layer.reads(t).metadata(), { title: 'Packet', author: 'Ada', producer: 'P' })
    const { items } = await layer.apply({
      type: 'metadata.update',
      patch: { title: 'A <b> & "c"', producer: null, subject: 'S' },
    })
    const expected = {
      title: 'A <b> & "c"',
      author: 'Ada',
      producer: null,
      subject: 'S',
      modifiedAt: '2025-01-01T00:00:00Z',
    }
    t.match(items[0], { metadata: expected })
    t.match(layer.reads(t).metadata(), expected)
    const packet = judged('qpdf', ['--show-object=6', '--filtered-stream-data', layer.sent()]).toString()
    t.match(packet, '<o:own a="&lt;1&gt;">kept &amp; well</o:own>')
    t.notMatch(packet, /Packet|Paket|>P</)
    t.match(packet, /^<\?xpacket begin="\ufeff"[\s\S]*<\?xpacket end="w"\?>$/)
    judged('qpdf', ['--check', layer.sent()])
  },
)

t.test('a date that changes the precedence between dictionary and XMP changes no other member', async (t) => {
  const xmp =
    '<d:title><r:Alt><r:li xml:lang="x-default">Packet</r:li></r:Alt></d:title><m:ModifyDate>2025-01-01T00:00:00Z</m:ModifyDate>'
  const layer = layerOf(t, withPacket(xmp))
  const { items } = await layer.apply({ type: 'metadata.update', patch: { modifiedAt: '2020-01-01T00:00:00.5Z' } })
  t.match(items[0], { metadata: { title: 'Packet', modifiedAt: '2020-01-01T00:00:00Z' } })
  t.match(layer.reads(t).metadata(), { title: 'Packet', modifiedAt: '2020-01-01T00:00:00Z' })
})

t.test('text that XML does not allow is stored in the dictionary only', async (t) => {
  const layer = layerOf(t, withPacket('<m:ModifyDate>2025-01-01T00:00:00Z</m:ModifyDate>'))
  const title = ' a\u0007b '
  const { items } = await layer.apply({ type: 'metadata.update', patch: { title } })
  t.match(items[0], { metadata: { title } })
  t.equal(layer.reads(t).metadata().title, title)
})

t.test('expect: a change is refused with the names of members that differ', async (t) => {
  const layer = layerOf(t, withInformation())
  const op = {
    type: 'metadata.update',
    patch: { title: 'New' },
    expect: { title: 'Older', author: 'Ada', subject: 'S' },
  }
  await t.rejects(layer.apply(op), { code: 'ChangeConflict', details: { opIndex: 0, fields: ['title', 'subject'] } })
  await t.resolves(layer.apply({ ...op, expect: { title: 'Old', trapped: 'true', subject: null } }))
  const bad = { type: 'metadata.update', patch: { createdAt: '0000-01-01T00:00:00Z' } }
  await t.rejects(layer.apply(bad), { code: 'InvalidArg' })
})

t.test('an undo restores members unchanged since, names the others, and can be undone itself', async (t) => {
  const layer = layerOf(t, withInformation())
  const before = layer.reads(t).metadata()
  const { undo } = await layer.apply({ type: 'metadata.update', patch: { title: 'New', subject: 'S', trapped: null } })
  await layer.apply({ type: 'metadata.update', patch: { subject: 'T' } })
  const undone = await layer.undo(undo)
  t.match(undone.items, [{ type: 'metadata.update', metadata: { ...before, subject: 'T' }, skipped: ['subject'] }])
  const redone = await layer.undo(undone.undo)
  t.match(redone.items, [{ metadata: { title: 'New', subject: 'T', trapped: 'unknown' } }])
  t.notOk('skipped' in Object(redone.items[0]))
})

t.test('metadata.updateCustom changes custom keys and can be undone', needs('qpdf'), async (t) => {
  const layer = layerOf(t, withInformation())
  const patch = { Project: null, 'Größe/(1)': 'ü', Kind: 'Final' }
  const { items, undo, effects } = await layer.apply({ type: 'metadata.updateCustom', patch })
  t.match(items[0], { type: 'metadata.updateCustom', meta: { undoable: true } })
  t.same(layer.reads(t).customMetadata(), { Kind: 'Final', 'Größe/(1)': 'ü' })
  t.same(effects.document, ['metadata'])
  judged('qpdf', ['--check', layer.sent()])
  await layer.apply({ type: 'metadata.updateCustom', patch: { Kind: 'Other' } })
  const undone = await layer.undo(undo)
  t.match(undone.items, [{ type: 'metadata.updateCustom', skipped: ['Kind'] }])
  t.same(layer.reads(t).customMetadata(), { Project: 'Steward', Kind: 'Other' })
  await layer.undo(undone.undo)
  t.same(layer.reads(t).customMetadata(), { 'Größe/(1)': 'ü', Kind: 'Other' })
  t.match(layer.reads(t).metadata(), { title: 'Old' })
  await t.rejects(layer.apply({ type: 'metadata.updateCustom', patch: { Title: 'x' } }), { code: 'InvalidArg' })
  t.match(readFileSync(layer.basePath, 'latin1'), '/Project(Steward)', 'the base is as it was')
})
