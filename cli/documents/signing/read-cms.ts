// Reads a CMS that another program made, from a file in DER or PEM.
import { readFile } from 'node:fs/promises'
import { documentsProblem } from '../problems.js'

const block = /-----BEGIN (?:CMS|PKCS7|PKCS #7 SIGNED DATA)-----([\s\S]+?)-----END /

export async function readCms(path: string): Promise<Uint8Array> {
  try {
    const bytes = await readFile(path)
    const base64 = block.exec(bytes.toString('latin1'))?.[1]
    return base64 === undefined ? bytes : Buffer.from(base64, 'base64')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.bad-cms', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
}
