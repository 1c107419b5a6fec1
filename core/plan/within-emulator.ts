// Ensures that no request reaches a real provider while an emulator is used, whatever a plugin does.
import type { HttpRequest } from '../ports/http.js'
import { problem } from '../problems/index.js'

/** Refuses requests to any other host while an emulator is used. */
export function withinEmulator<Answer>(
  provider: string,
  emulatorUrl: string | undefined,
  send: (request: HttpRequest) => Promise<Answer>,
): (request: HttpRequest) => Promise<Answer> {
  if (emulatorUrl === undefined) return send
  const { origin } = new URL(emulatorUrl)
  return async (request) => {
    if (URL.parse(request.url)?.origin === origin) return send(request)
    const { host = request.url } = URL.parse(request.url) ?? {}
    throw problem('provider.left-emulator', {
      detail: `The plugin of ${provider} was about to send a request to ${host}, although all calls were to go to the emulator at ${origin}. Nothing was sent.`,
    })
  }
}
