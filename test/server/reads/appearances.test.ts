// Pictures of all appearances of a page: whole, in their places, and as other programs draw the page.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { AppearanceBatch, type AppearancePicture } from '../../../workers/contract/appearance-batch.js'
import { limits as engineLimits } from '../../../workers/limits.js'
import { scratchFolder } from '../../cli/scratch.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { lockedPdf } from '../../support/pdf/locked-pdf.js'
import { difference, type Pixels, pixelAt, pixelsOf } from '../../support/pdf/pictures.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation, everyField } from '../../support/pdf/rich-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { appearancesIn } from '../support/appearance-parts.js'
import { done, runServer } from '../support/running-server.js'

const pixelsMax = 1_000_000
const server = await runServer(t, { settings: { pixelsMax } })
const { api } = server
const layerOf = (docId: string) => `/v1/docs/${docId}/layers/default`
const pathOf = (docId: string, family = 'annotations') => `${layerOf(docId)}/${family}/pages/obj:3/appearances`
const batchOf = async (docId: string, query = 'format=png', family = 'annotations') =>
  appearancesIn(done(await api.get(`${pathOf(docId, family)}?${query}`)))
const validator = strictly(AppearanceBatch)

const form = (color: string, [width, height]: readonly [number, number]) => ({
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 ${width} ${height}]>>`,
  stream: `${color} rg 0 0 ${width} ${height} re f 0 g 2 2 ${width / 4} ${height / 4} re f`,
})
const drawings: RawObjects = { 30: form('1 0 0', [40, 20]), 31: form('0 0 1', [60, 60]), 32: form('0 1 0', [9, 9]) }
const stamp = (rect: string, drawing: number, more = '') =>
  `/Subtype/Stamp/Rect[${rect}]/AP<</N ${drawing} 0 R>>${more}`
const stamps = [stamp('40 50 80 70', 30), stamp('100 300 160 360', 31), stamp('70 60 106 78', 32)]

/** Puts the pictures of what is shown onto white paper. */
async function assembled(docId: string, scale: number): Promise<Pixels> {
  const { batch, fileOf } = await batchOf(docId, `format=png&modes=normal&viewport.scale=${scale}`)
  const parts = await Promise.all(
    batch.appearances.map(async (picture) => ({
      input: await fileOf(picture),
      left: Math.round(picture.rect.x * scale),
      top: Math.round(picture.rect.y * scale),
    })),
  )
  const [width, height] = [360 * scale, 550 * scale]
  const paper = sharp({ create: { width, height, channels: 3, background: 'white' } })
  return pixelsOf(await paper.composite(parts).png().toBuffer())
}

t.test('together they are the page as it is drawn, whatever its rotation', needs('pdftoppm'), async (t) => {
  for (const page of ['', '/Rotate 90', '/UserUnit 2']) {
    const pdf = annotatedPdf({ annotations: stamps, further: drawings, page })
    const docId = await server.upload(pdf)
    const whole = await assembled(docId, 2)
    const drawn = await pixelsOf(
      (await api.get(`${layerOf(docId)}/render/annotations/pages/obj:3/data?format=png&viewport.scale=2`)).bytes,
    )
    t.ok(difference(whole, drawn) < 0.05, `${page} ${difference(whole, drawn)}`)
    if (page !== '') continue
    const path = join(scratchFolder(t), 'page.pdf')
    writeFileSync(path, pdf)
    const other = await pixelsOf(judged('pdftoppm', ['-r', '144', '-cropbox', '-png', path]))
    t.ok(difference(whole, other) < 1, `as poppler draws it: ${difference(whole, other)}`)
  }
})

t.test(
  'every annotation and every widget of a page has its pictures, in an answer that others parse',
  needs('pikepdf'),
  async (t) => {
    for (const [make, family] of [
      [everyAnnotation, 'annotations'],
      [everyField, 'form'],
    ] as const) {
      const docId = await server.upload(make())
      const answer = done(await api.get(`${pathOf(docId, family)}?format=png`))
      t.match(answer.headers.get('content-type'), /^multipart\/form-data; boundary=part-[0-9a-f]{64}$/)
      const { batch, fileOf, names } = await appearancesIn(answer)
      t.ok(validator().Check(batch), JSON.stringify(validator().Errors(batch)[0] ?? ''))
      t.ok(batch.appearances.length > 3, `${batch.appearances.length} pictures`)
      t.same(names, ['body', ...batch.appearances.map(({ resources }) => `resource:${resources.image}`)])
      for (const picture of batch.appearances) {
        const { width, height } = await pixelsOf(await fileOf(picture))
        t.same([width, height], [picture.width, picture.height])
      }
      const path = join(scratchFolder(t), 'answer')
      writeFileSync(
        path,
        Buffer.concat([Buffer.from(`Content-Type: ${answer.headers.get('content-type')}\r\n\r\n`), answer.bytes]),
      )
      const parts = judged('pikepdf', ['-c', parse, path]).toString().trim().split('\n')
      t.same(parts, [
        'application/json',
        ...batch.appearances.map(({ width, height }) => `image/png ${width} ${height}`),
      ])
      const listed = done(await api.get(`${layerOf(docId)}/annotations/pages/obj:3/items`))
      const subtypes = new Map(
        (Object(listed.json()).annotations as readonly { ref: object; subtype: string }[]).map(({ ref, subtype }) => [
          JSON.stringify(ref),
          subtype,
        ]),
      )
      for (const { ref } of batch.appearances) {
        const subtype = subtypes.get(JSON.stringify(ref))
        t.equal(subtype === 'widget', family === 'form', JSON.stringify(ref))
        t.notMatch(subtype, /popup|link/)
      }
    }
  },
)

/** Parses the parts with Python, and the pictures with Pillow. */
const parse = `
import sys, io, email, email.policy
from PIL import Image
message = email.message_from_bytes(open(sys.argv[1], 'rb').read(), policy=email.policy.HTTP)
for part in message.iter_parts():
    if part.get_content_type() == 'application/json': print('application/json')
    else: print(part.get_content_type(), *Image.open(io.BytesIO(part.get_payload(decode=True))).size)
`

t.test('every mode and state is drawn, also what is not shown now', async (t) => {
  const docId = await server.upload(
    annotatedPdf({
      catalog: '/AcroForm<</Fields[10 0 R]>>',
      annotations: [
        '/Subtype/Widget/FT/Btn/T(on)/Rect[40 40 60 60]/AS/Off/AP<</N<</Yes 30 0 R/Off 31 0 R>>/D<</Yes 32 0 R>>/R 30 0 R>>',
        stamp('100 100 140 120', 30, '/F 2'),
      ],
      further: drawings,
    }),
  )
  const { batch, fileOf } = await batchOf(docId, 'format=png', 'form')
  const lookOf = ({ mode, state }: AppearancePicture) => `${mode} ${state}`
  t.same(batch.appearances.map(lookOf).toSorted(), ['down Yes', 'normal Off', 'normal Yes', 'rollover null'])
  for (const picture of batch.appearances) {
    t.same(picture.rect, { x: 20, y: 520, width: 20, height: 20 })
    const colors = {
      'normal Yes': [255, 0, 0],
      'normal Off': [0, 0, 255],
      'down Yes': [0, 255, 0],
      'rollover null': [255, 0, 0],
    }
    const [red, green, blue, alpha] = pixelAt(await pixelsOf(await fileOf(picture)), 15, 5)
    t.same([[red, green, blue], alpha], [Object(colors)[lookOf(picture)], 255])
  }
  const looksFor = async (modes: string) =>
    (await batchOf(docId, `modes=${modes}`, 'form')).batch.appearances.map(({ mode }) => mode)
  t.same(await looksFor('normal'), ['normal', 'normal'])
  t.same(await looksFor('rollover-down'), ['rollover', 'down'])
  t.equal((await batchOf(docId)).batch.appearances.length, 1, 'a hidden one too: viewers show what they are told to')
})

t.test(
  'a turned shape is upright in its box; the picture is turned only by the rotation that is asked for',
  async (t) => {
    const docId = await server.upload(annotatedPdf({}))
    const items = `${layerOf(docId)}/annotations/pages/obj:3/items`
    const box = { x: 100, y: 100, width: 80, height: 40 }
    const fill = { color: '#0000ff', interiorColor: '#ff0000', strokeWidth: 2 }
    done(await api.post(items, { subtype: 'square', box, rotation: 30, ...fill }))
    const { batch, fileOf } = await batchOf(docId)
    const [picture] = batch.appearances
    if (picture === undefined) throw new Error('There is no picture')
    t.same([picture.rect, picture.width, picture.height], [box, 80, 40])
    const pixels = await pixelsOf(await fileOf(picture))
    for (const [x, y] of [
      [3, 3],
      [76, 3],
      [3, 36],
      [76, 36],
      [40, 20],
    ] as const)
      t.same(pixelAt(pixels, x, y), [255, 0, 0, 255], `${x} ${y}`)
    const sideways = (await batchOf(docId, 'rotation=90')).batch.appearances[0]
    t.match(sideways, { rect: box, width: 40, height: 80 })
  },
)

t.test('what the file does not draw is drawn for the answer, and the file stays as it is', async (t) => {
  const docId = await server.upload(
    annotatedPdf({ inline: '<</Type/Annot/Subtype/Square/Rect[50 50 90 90]/IC[0 1 0]>>' }),
  )
  const before = await api.get(`${layerOf(docId)}/download`)
  const { batch, fileOf } = await batchOf(docId)
  t.match(batch.appearances, [{ ref: { kind: 'baseIndex', baseIndex: 0 }, mode: 'normal', state: null }])
  for (const picture of batch.appearances)
    t.same(pixelAt(await pixelsOf(await fileOf(picture)), 20, 20).slice(0, 3), [0, 255, 0])
  t.ok((await api.get(`${layerOf(docId)}/download`)).bytes.equals(before.bytes))
})

t.test('each batch has the pin of its own annotations, and changes only with them', async (t) => {
  const docId = await server.upload(annotatedPdf({ annotations: stamps, further: drawings }))
  const pinsOf = async () =>
    Object(await api.get(`${layerOf(docId)}/manifest`).then((one) => one.json())).pages[0].cache
  const before = await pinsOf()
  const token = `annotationVersion=${before.annotationVersion},format=webp,viewport.kind=width,viewport.width=720`
  const pinned = done(await api.get(`${pathOf(docId)}@${token}`))
  t.equal(pinned.headers.get('cache-control'), 'private, max-age=31536000, immutable')
  t.equal((await appearancesIn(pinned)).batch.appearances[0]?.width, 80, 'the scale of a page of this width')
  const again = await api.get(`${pathOf(docId)}@${token}`, { 'if-none-match': pinned.headers.get('etag') ?? '' })
  t.equal(again.status, 304)
  t.equal((await api.get(`${pathOf(docId, 'form')}@format=webp,widgetVersion=${before.widgetVersion}`)).status, 200)
  done(await api.delete(`${layerOf(docId)}/annotations/pages/obj:3/items/obj:10`))
  const stale = await api.get(`${pathOf(docId)}@${token}`)
  t.same([stale.status, stale.code], [404, 'NotFound'])
  t.equal((await batchOf(docId)).batch.appearances.length, 2)
  const after = await pinsOf()
  t.same([after.widgetVersion, after.annotationVersion > before.annotationVersion], [before.widgetVersion, true])
})

t.test('too much is refused, and too large a picture is drawn smaller', async (t) => {
  const huge = await server.upload(
    annotatedPdf({ annotations: [stamp('-900000 -900000 900000 900000', 31), ...stamps], further: drawings }),
  )
  const { batch } = await batchOf(huge)
  t.equal(batch.appearances.length, 4)
  for (const { width, height } of batch.appearances)
    t.ok(width <= engineLimits.sideMax && width * height <= 1.01 * pixelsMax, `${width} by ${height}`)
  for (const query of [
    'viewport.scale=500',
    'modes=',
    'modes=down-normal',
    'modes=normal-rollover-down',
    'target.kind=page',
    'background=white',
  ])
    t.same([(await api.get(`${pathOf(huge)}?${query}`)).status, query], [400, query])
  const many = await server.upload(
    annotatedPdf({
      annotations: Array.from({ length: engineLimits.looksMax + 4 }, () => stamp('1 1 2 2', 32)),
      further: drawings,
    }),
  )
  const refused = await api.get(pathOf(many))
  t.same([refused.status, refused.code, refused.at('/error/details/limit')], [413, 'PayloadTooLarge', 'looksMax'])
})

t.test('a damaged appearance does not take the others with it', async (t) => {
  const docId = await server.upload(
    annotatedPdf({
      annotations: [
        ...stamps,
        stamp('0 0 0 0', 30),
        stamp('1 1 9 9', 33),
        stamp('1 1 9 9', 99),
        '/Subtype/Stamp/AP<</N 30 0 R>>',
      ],
      further: {
        ...drawings,
        33: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode>>', stream: 'no' },
      },
    }),
  )
  const { batch } = await batchOf(docId)
  const numbers = batch.appearances.map(({ ref }) => Object(ref).objectNumber)
  t.same(numbers.slice(0, 3), [10, 11, 12])
})

t.test('rights are those of the lists, and a locked document needs its password', needs('qpdf'), async (t) => {
  const docId = await server.upload(annotatedPdf({ annotations: stamps, further: drawings }))
  const statusOf = async (scope: string, family: string) =>
    (await api.as(await server.documentToken(docId, [scope])).get(pathOf(docId, family))).status
  t.same(
    [
      await statusOf('doc.annotate.read', 'annotations'),
      await statusOf('doc.annotate.read', 'form'),
      await statusOf('doc.forms.read', 'form'),
      await statusOf('doc.render', 'annotations'),
    ],
    [200, 403, 200, 403],
  )
  const locked = await server.upload(
    lockedPdf(
      t,
      onePage('', { page: '/Annots[5 0 R]', further: { 5: `<</Type/Annot${stamp('9 9 49 29', 30)}>>`, ...drawings } }),
      { user: 'u', owner: 'o' },
    ),
  )
  const ada = api.as(await server.documentToken(locked, ['*']))
  t.equal((await ada.get(pathOf(locked))).code, 'DocPasswordRequired')
  done(await ada.post(`${layerOf(locked)}/access`, { password: 'u' }))
  const answer = done(await ada.get(pathOf(locked)))
  t.equal((await appearancesIn(answer)).batch.appearances.length, 1)
  t.equal(answer.headers.get('cache-control'), 'no-store')
})
