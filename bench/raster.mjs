// Measures the cost of drawing without a server: milliseconds for raster alone and for raster with encoding, of every
// first page, 800 pixels wide, on documents that are open already. Prints {"rasterMs": …, "pictureMs": …} with one
// figure a file.
import { fstatSync, openSync, readSync } from 'node:fs'
import * as mupdf from 'mupdf'
import sharp from 'sharp'

sharp.concurrency(1)
const width = 800
const repeats = 5
const rasterMs = []
const pictureMs = []
for (const path of process.argv.slice(2)) {
  const descriptor = openSync(path, 'r')
  const stream = new mupdf.Stream({
    fileSize: () => fstatSync(descriptor).size,
    read: (memory, offset, length, position) => readSync(descriptor, memory, offset, length, position),
    close: () => {},
  })
  const page = mupdf.Document.openDocument(stream, 'application/pdf').loadPage(0)
  const [left, , right] = page.getBounds()
  const scale = width / (right - left)
  const rasters = []
  const pictures = []
  for (let round = 0; round <= repeats; round++) {
    const startedMs = performance.now()
    const pixmap = page.toPixmap(mupdf.Matrix.scale(scale, scale), mupdf.ColorSpace.DeviceRGB, false)
    const drawnMs = performance.now()
    const raw = { width: pixmap.getWidth(), height: pixmap.getHeight(), channels: 3 }
    await sharp(pixmap.getPixels(), { raw }).webp({ effort: 0 }).toBuffer()
    // The first round warms up.
    if (round > 0) rasters.push(drawnMs - startedMs)
    if (round > 0) pictures.push(performance.now() - startedMs)
    pixmap.destroy()
  }
  rasterMs.push(median(rasters))
  pictureMs.push(median(pictures))
}
console.log(JSON.stringify({ rasterMs, pictureMs }))

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
