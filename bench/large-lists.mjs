// Latency of a small request while eight clients read the largest lists: all annotations of an edited layer, and the
// manifest of a document with very many pages.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rawPdf } from './pdfs.mjs'

const readers = 8

/** Returns `{ unloaded, loaded }`: latencies of the small request in milliseconds. */
export async function besideLargeLists(server, { upload, folder }) {
  const annotations = await upload(writtenTo(folder, 'annotations.pdf', annotatedPdf(45_000)))
  const pages = await upload(writtenTo(folder, 'pages.pdf', pagedPdf(50_000)))
  const small = await upload(writtenTo(folder, 'small.pdf', pagedPdf(1)))
  await server.edit(annotations)
  await server.edit(pages)
  const head = () => server.get(`/v1/docs/${small}/head`)
  const lists = [
    `/v1/docs/${annotations}/layers/default/annotations/items`,
    `/v1/docs/${pages}/layers/default/manifest`,
  ]
  const unloaded = await timed(head)
  let isOver = false
  const reading = Array.from({ length: readers }, async (_, index) => {
    while (!isOver) await server.drain(lists[index % lists.length])
  })
  const loaded = await timed(head)
  isOver = true
  await Promise.all(reading)
  return { unloaded, loaded }
}

async function timed(once) {
  const taken = []
  for (let index = 0; index < 200; index++) taken.push((await once()).ms)
  return taken
}

function writtenTo(folder, name, bytes) {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

export function annotatedPdf(count) {
  const annotations = Array.from({ length: count }, (_, index) => {
    const [x, y] = [index % 500, Math.floor(index / 500) * 8]
    return `<</Type/Annot/Subtype/Square/Rect[${x} ${y} ${x + 20} ${y + 6}]/Contents(Note ${index})/T(Ada)/C[1 0 0]>>`
  })
  const refs = annotations.map((_, index) => `${index + 4} 0 R`).join(' ')
  const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Annots[${refs}]>>`
  return rawPdf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Count 1/Kids[3 0 R]>>', page, ...annotations])
}

/** Creates a PDF whose page tree has 200 pages a node. */
export function pagedPdf(count) {
  const nodes = Math.ceil(count / 200)
  const kids = (from, length) => Array.from({ length }, (_, index) => `${from + index} 0 R`).join(' ')
  const tree = Array.from({ length: nodes }, (_, node) => {
    const own = Math.min(200, count - node * 200)
    return `<</Type/Pages/Parent 2 0 R/Count ${own}/Kids[${kids(3 + nodes + node * 200, own)}]>>`
  })
  const pages = Array.from(
    { length: count },
    (_, index) => `<</Type/Page/Parent ${3 + Math.floor(index / 200)} 0 R/MediaBox[0 0 600 800]>>`,
  )
  const root = `<</Type/Pages/Count ${count}/Kids[${kids(3, nodes)}]>>`
  return rawPdf(['<</Type/Catalog/Pages 2 0 R>>', root, ...tree, ...pages])
}
