// Checks responses to downloads: bytes have no schema, so their signature distinguishes content from a login page.
import type { HttpResponse } from '../ports/http.js'

/** Maximum number of bytes searched for the few words that are shown. */
const shownBytes = 1_000

export function isContent(
  response: HttpResponse,
  firstBytes: string,
): response is HttpResponse & { readonly bytes: Uint8Array } {
  const { bytes } = response
  return bytes !== undefined && latin1(bytes.subarray(0, firstBytes.length)) === firstBytes
}

/**
 * True if the content was cut off. Streams without an end do not occur: uploads are archives, pictures and the like.
 */
export function isTooLong({ status, headers, bytes }: HttpResponse): boolean {
  return (
    status === 200 &&
    bytes === undefined &&
    !/^(text\/|application\/(json|xhtml))/i.test(headers.get('content-type') ?? '')
  )
}

/** Returns the same response with the beginning of its bytes as a text that can be shown. */
export function withFirstWords(response: HttpResponse): HttpResponse {
  const { status, bytes } = response
  if (bytes === undefined) return status === 200 ? { ...response, isCut: true } : response
  return { ...response, text: Buffer.from(bytes.subarray(0, shownBytes)).toString('utf8') }
}

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')
