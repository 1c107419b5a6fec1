// `doc.pages.extract`: sends selected pages as a new PDF, written to the staging folder and removed after sending.
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { refuseDamagedFile } from './damaged-file.js'
import { readOnce } from './read.js'

export async function extractPages(pages: readonly number[], context: DocumentContext): Promise<BytesAnswer> {
  const { deployment, document } = context
  const path = join(deployment.blobs.staging, `${randomUUID()}.pdf`)
  try {
    const { sizeBytes } = await readOnce(context, (source) =>
      deployment.workers.run('extract', { source, pages, path }),
    )
    await refuseDamagedFile(path, sizeBytes)
    const body = createReadStream(path)
    body.once('close', () => void rm(path, { force: true }))
    return {
      contentType: 'application/pdf',
      headers: {
        'Content-Length': String(sizeBytes),
        'Content-Disposition': `attachment; filename="${document.row.id}-pages.pdf"`,
      },
      body,
    }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
