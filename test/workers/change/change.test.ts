// The change context, through which all ops write: which objects it records, and which object numbers it assigns.
import t from 'tap'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { limits } from '../../../workers/limits.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'

const textOf = (layer: ChangingLayer, number: number): string | undefined => {
  const body = layer.images.find((image) => image.number === number)?.body
  return body && Buffer.from(body).toString('latin1')
}

t.test('only changed objects have an image, and the image of a stream contains its bytes', async (t) => {
  const layer = layerOf(t, onePage('1 0 0 rg 0 0 9 9 re f'))
  const images = await layer.alter((change) => {
    const { pdf } = change
    const page = change.touch(pdf.findPage(0))
    page.put('Rotate', 90)
    page.put('Rotate', 0)
    page.delete('Rotate')
    change.touch(page.get('Contents')).writeRawStream('0 0 9 9 re f')
    change.create(pdf.newString('new (text)'))
  })
  t.same(
    images.map(({ number, generation, isHidden }) => ({ number, generation, isHidden })),
    [
      { number: 4, generation: 0, isHidden: false },
      { number: 5, generation: 0, isHidden: false },
    ],
  )
  t.equal(textOf(layer, 4), '<</Length 12>>\nstream\n0 0 9 9 re f\nendstream')
  t.equal(textOf(layer, 5), '(new \\(text\\))')
})

t.test('an indirect or wrong /Length is corrected in the image, without changing the object for it', async (t) => {
  const bytes = onePage('0 0 9 9 re f', {
    further: { 5: '12', 6: { body: '<</Nested<</Length 3>>>>', stream: 'abc' } },
  })
  const indirect = Buffer.from(bytes.toString('latin1').replace('/Length 12', '/Length 5 0 R'), 'latin1')
  const layer = layerOf(t, rawPdfAgain(indirect))
  await layer.alter((change) => change.hide(change.pdf.newIndirect(4), change.pdf.newIndirect(6)))
  t.equal(textOf(layer, 4), '<</Length 12>>\nstream\n0 0 9 9 re f\nendstream')
  t.equal(textOf(layer, 6), '<</Nested<</Length 3>>/Length 3>>\nstream\nabc\nendstream')
  await layer.open(({ pdf }) => t.equal(pdf.newIndirect(4).resolve().toString(true), '<</Length 5 0 R>>'))
})

t.test('new object numbers are unused in all layers, cached or not, and each is assigned once', async (t) => {
  const layer = layerOf(t, onePage(''))
  const add = async (): Promise<number> => {
    let number = 0
    await layer.alter((change) => {
      number = change.create(change.pdf.newInteger(1)).asIndirect()
      // Nothing refers to the new object, but no garbage collection runs here.
    })
    return number
  }
  t.equal(await add(), 5)
  t.equal(await add(), 6)
  layer.passNumbers(100)
  t.equal(await add(), 107)
  layer.cold()
  t.ok((await add()) > 107)
  layer.passNumbers(1000)
  layer.cold()
  t.ok((await add()) > 1107)
})

t.test('a reserved number is assigned once, and other numbers are refused', async (t) => {
  const layer = layerOf(t, annotatedPdf({ inline: '<</Type/Annot/Subtype/Square/Rect[1 1 9 9]>>' }))
  const code = 'ObjectNumberUnavailable'
  const reserved = layer.nextObject - 1
  const at = (number: number) => layer.alter((change) => void change.createAt(number, change.pdf.newInteger(7)))
  await t.rejects(at(3), { code: 'ObjectNumberUnavailable', details: { objectNumber: 3, reason: 'taken' } })
  await t.rejects(at(layer.nextObject), { code, details: { reason: 'not-held' } })
  await t.rejects(at(0), { code, details: { reason: 'not-held' } })
  await at(reserved)
  t.equal(textOf(layer, reserved), '7')
  await t.rejects(at(reserved), { code, details: { reason: 'taken' } })
  layer.cold()
  await t.rejects(at(reserved), { code, details: { reason: 'taken' } })
})

t.test('a document without free object numbers refuses changes', async (t) => {
  const layer = layerOf(t, onePage(''))
  layer.passNumbers(limits.objectNumberMax)
  await t.rejects(
    layer.alter(() => undefined),
    new JobRefusal('LayerFull', 'The document has no object numbers left', {
      lastObjectNumber: limits.objectNumberMax,
    }),
  )
})

t.test('a change that takes more object numbers than its layer may is refused', async (t) => {
  const layer = layerOf(t, onePage(''))
  const make = (count: number) =>
    layer.alter(
      (change) => {
        for (let made = 0; made < count; made++) change.create(change.pdf.newInteger(made))
      },
      { numbersMax: 3 },
    )
  await make(3)
  await t.rejects(make(4), { code: 'LayerFull', details: { numbersLeft: 3 } })
})

t.test('a hidden object stays hidden when it is changed, until it is explicitly shown', async (t) => {
  const layer = layerOf(t, onePage(''))
  const isHidden = () => layer.images.map((image) => image.isHidden)
  await layer.alter((change) => change.hide(change.create(change.pdf.newInteger(1))))
  t.same(isHidden(), [true])
  for (const reopen of [() => undefined, () => layer.cold()]) {
    reopen()
    await layer.alter((change) =>
      change.touch(change.pdf.newIndirect(5)).writeObject(change.pdf.newInteger(Math.trunc(performance.now()))),
    )
    t.same(isHidden(), [true])
  }
  t.equal((await layer.alter((change) => change.hide(change.pdf.newIndirect(5)))).length, 0)
  await layer.alter((change) => change.show(change.pdf.newIndirect(5)))
  t.same(isHidden(), [false])
})

t.test('a missing information dictionary is created and referenced by the trailer', async (t) => {
  const layer = layerOf(t, onePage(''))
  const setTitle = (title: string) =>
    layer.alter((change) => change.touchInfo().put('Title', change.pdf.newString(title)))
  await setTitle('One')
  t.equal(textOf(layer, 0), '<</Info 5 0 R>>')
  t.equal(layer.reads(t).metadata().title, 'One')
  layer.cold()
  t.same(
    (await setTitle('Two')).map(({ number }) => number),
    [5],
    'the trailer refers to it already',
  )
  t.equal(layer.reads(t).metadata().title, 'Two')
})

/** Rebuilds the file: its offsets became wrong when text was replaced by longer text. */
function rawPdfAgain(bytes: Buffer): Buffer {
  const objects = [...bytes.toString('latin1').matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)]
  return rawPdf(Object.fromEntries(objects.map(([, number, body]) => [Number(number), String(body)])))
}
