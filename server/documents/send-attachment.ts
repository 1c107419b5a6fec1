// Sends an attached file as bytes to be saved: a browser must not show what is in it, whatever it claims to be.
import type { AttachmentInput } from '../../workers/jobs/attachment.js'
import { inTokenText } from '../http/token-text.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { readOnce } from './read.js'

/**
 * Headers in which clients read name and type of the file: `Content-Type` is the same for all files. The name is in
 * token text, because header values are not Unicode.
 */
export const fileHeaders = { name: 'X-EmbedPDF-File-Name', type: 'X-EmbedPDF-File-Type' } as const

/** Longer names do not fit into the headers that clients read. */
const nameCharactersMax = 1024

export async function sendAttachment(of: AttachmentInput['of'], context: DocumentContext): Promise<BytesAnswer> {
  const { name, mimeType, bytes } = await readOnce(context, (source) =>
    context.deployment.workers.run('attachment', { source, of, variant: JSON.stringify(of) }),
  )
  return {
    contentType: 'application/octet-stream',
    headers: {
      'Content-Disposition': `attachment; filename="attachment"; filename*=UTF-8''${encoded(name)}`,
      [fileHeaders.name]: inTokenText(name.slice(0, nameCharactersMax).toWellFormed()),
      ...(mimeType !== undefined && isHeaderText(mimeType) && { [fileHeaders.type]: mimeType }),
    },
    body: bytes,
  }
}

/** Text in an extended parameter (RFC 8187); without folders, which a browser would remove anyway. */
function encoded(name: string): string {
  const last = name.split(/[\\/]/).at(-1) || 'attachment'
  return encodeURIComponent(last.slice(0, 255).toWellFormed()).replace(/['()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

const isHeaderText = (text: string): boolean => /^[!-~]([ -~]{0,253}[!-~])?$/.test(text)
