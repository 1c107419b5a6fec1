// Files for measurements of the document server: real ones of a corpus if there is one, else generated ones, and large
// ones. Pictures of noise cannot be compressed, so they give a file its size.
import { randomFillSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PDFDocument, rgb, StandardFonts } from 'pdf-lib'

const words = 'the quick brown fox jumps over the lazy dog while engineers measure how long a page takes '.repeat(4)

/** Returns the paths of eight documents, each with at least one page. */
export async function mixedPdfs(folder, corpus) {
  const real = corpus && existsSync(join(corpus, 'sample-files')) ? sampled(join(corpus, 'sample-files')) : []
  const made = []
  for (let index = real.length; index < 8; index++) {
    const path = join(folder, `mixed-${index}.pdf`)
    writeFileSync(path, await textPdf({ pages: 3 + index, shapes: 40 * index, noiseBytes: 40_000 * (index % 3) }))
    made.push(path)
  }
  return [...real, ...made]
}

/** Returns files that open without a password, largest first. */
function sampled(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, bytes: readFileSync(path) }))
    .filter(({ bytes }) => !bytes.includes('/Encrypt'))
    .sort((a, b) => b.bytes.length - a.bytes.length)
    .slice(0, 8)
    .map(({ path }) => path)
}

/** Writes a PDF of about the requested size: pages of text, each with a picture of noise. */
export async function largePdf(path, sizeBytes) {
  const noiseBytes = 500_000
  const pages = Math.max(1, Math.round(sizeBytes / noiseBytes))
  writeFileSync(path, await textPdf({ pages, shapes: 5, noiseBytes: Math.min(noiseBytes, sizeBytes) }))
}

/** Creates a PDF of these objects, numbered from 1; the first is the catalog. */
export function rawPdf(objects) {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${rows}${end}`, 'latin1')
}

export async function textPdf({ pages, shapes, noiseBytes }) {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let index = 0; index < pages; index++) {
    const page = pdf.addPage([595, 842])
    for (let line = 0; line < 40; line++) {
      page.drawText(`${index + 1}.${line} ${words}`.slice(0, 95), { x: 40, y: 800 - line * 18, size: 11, font })
    }
    for (let shape = 0; shape < shapes; shape++) {
      const [x, y] = [40 + ((shape * 37) % 500), 40 + ((shape * 53) % 700)]
      page.drawCircle({ x, y, size: 12, borderColor: rgb(0.2, 0.4, 0.8), borderWidth: 1 })
    }
    if (noiseBytes > 0) drawNoise(pdf, page, noiseBytes)
  }
  return pdf.save()
}

function drawNoise(pdf, page, noiseBytes) {
  const side = Math.floor(Math.sqrt(noiseBytes))
  const picture = pdf.context.register(
    pdf.context.stream(randomFillSync(new Uint8Array(side * side)), {
      Type: 'XObject',
      Subtype: 'Image',
      Width: side,
      Height: side,
      ColorSpace: 'DeviceGray',
      BitsPerComponent: 8,
    }),
  )
  const name = page.node.newXObject('Noise', picture)
  const content = pdf.context.stream(`q 200 0 0 200 350 40 cm /${name.decodeText()} Do Q`)
  page.node.addContentStream(pdf.context.register(content))
}
