// Sends a file as the part `file` of a form, with progress, which `fetch` does not tell.
import type { ApiClient } from '../../shared/api-client.js'
import { ApiError, errorIn } from '../../shared/api-error.js'

/** A connection that takes no bytes for this long counts as broken. */
const stalledAfterMs = 30_000

export interface SentFile {
  /** Path below the folder of the server. */
  readonly path: string
  readonly file: File
  readonly signal: AbortSignal
  readonly onProgress: (bytes: number) => void
}

/** Throws `ApiError`, with the code `Offline` when the connection broke. */
export async function sendFile(client: ApiClient, { path, file, signal, onProgress }: SentFile): Promise<void> {
  signal.throwIfAborted()
  const form = new FormData()
  form.set('file', file, file.name)
  const request = new XMLHttpRequest()
  const stop = () => request.abort()
  let watch: ReturnType<typeof setTimeout> | undefined
  const expectProgress = () => {
    clearTimeout(watch)
    watch = setTimeout(stop, stalledAfterMs)
  }
  try {
    await new Promise<void>((sent, failed) => {
      request.open('POST', client.address(path))
      for (const [name, value] of Object.entries(client.headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => {
        expectProgress()
        onProgress(Math.min(loaded, file.size))
      }
      // The server may take its time with what it got.
      request.upload.onload = () => clearTimeout(watch)
      request.onload = () => sent()
      request.onerror = () => failed(new ApiError(0, 'Offline', 'The connection broke'))
      request.onabort = () =>
        failed(signal.aborted ? signal.reason : new ApiError(0, 'Offline', 'The connection broke'))
      signal.addEventListener('abort', stop)
      expectProgress()
      request.send(form)
    })
  } finally {
    clearTimeout(watch)
    signal.removeEventListener('abort', stop)
  }
  if (request.status < 400) return
  throw await errorIn(new Response(request.responseText, { status: request.status }))
}
