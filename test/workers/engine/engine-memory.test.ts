// Bytes read from the engine are complete, or reading throws, even if WebAssembly memory grows meanwhile.
import t from 'tap'
import { bytesOf, withBytes, withPixels, withPixelsUntil } from '../../../workers/engine/engine-memory.js'
import { asTask, mupdf } from '../../../workers/engine/library.js'
import { imageBody } from '../../../workers/objects/object-image.js'
import { growEngineMemory } from '../../support/pdf/engine-growth.js'

t.test('a copy of bytes stays valid when the memory grows', async (t) => {
  const buffer = new mupdf.Buffer('some bytes')
  const copy = bytesOf(buffer)
  growEngineMemory()
  t.equal(copy.toString(), 'some bytes')
  buffer.destroy()
})

t.test('a view that was detached during its use is an error, not an empty result', async (t) => {
  const buffer = new mupdf.Buffer('some bytes')
  t.throws(() => withBytes(buffer, () => growEngineMemory()), /moved while it was read/)
  buffer.destroy()
  const pixmap = new mupdf.Pixmap(mupdf.ColorSpace.DeviceGray, [0, 0, 4, 4], false)
  t.throws(() => withPixels(pixmap, () => growEngineMemory()), /moved while it was read/)
  await t.rejects(
    withPixelsUntil(pixmap, async () => growEngineMemory()),
    /moved while it was read/,
  )
  t.equal(
    withPixels(pixmap, ({ samples }) => samples.length),
    16,
  )
  pixmap.destroy()
})

t.test('a view cannot be retained by returning it', async (t) => {
  const buffer = new mupdf.Buffer('some bytes')
  t.throws(() => withBytes(buffer, (bytes) => bytes.subarray(2)), /retained after its use/)
  buffer.destroy()
})

t.test('a stream image is complete even if memory grows while its dictionary is written', async (t) => {
  await asTask(() => {
    const pdf = new mupdf.PDFDocument()
    const stream = pdf.addStream('0 0 10 10 re f', {})
    const image = imageBody(stream, (text) => {
      growEngineMemory()
      return text
    })
    t.match(Buffer.from(image).toString('latin1'), /\/Length 14.*\nstream\n0 0 10 10 re f\nendstream$/)
    pdf.destroy()
  })
})
