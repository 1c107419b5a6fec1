// Sends an attached file as bytes to be saved: a browser must not show what is in it, whatever it claims to be.
import type { AttachmentInput } from '../../workers/jobs/attachment.js'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { readOnce } from './read.js'

export async function sendAttachment(of: AttachmentInput['of'], context: DocumentContext): Promise<BytesAnswer> {
  const { name, bytes } = await readOnce(context, (source) =>
    context.deployment.workers.run('attachment', { source, of, variant: JSON.stringify(of) }),
  )
  return {
    contentType: 'application/octet-stream',
    headers: {
      'Content-Disposition': `attachment; filename="attachment"; filename*=UTF-8''${encoded(name)}`,
      'X-Content-Type-Options': 'nosniff',
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
