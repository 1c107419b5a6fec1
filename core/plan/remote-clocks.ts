// Clocks of the providers, from the Date headers of their answers, because creation times of objects are in the
// provider's time.
import type { Clock } from '../ports/clock.js'
import type { Http } from '../ports/http.js'

/** Tolerance for the resolution of the header, which is one second, and for the time that the answer travelled. */
const headerResolutionMs = 1_000

export class RemoteClocks {
  private readonly offsets: Map<string, number>

  constructor(
    private readonly clock: Clock,
    /** Creates the clocks with offsets that were measured earlier (`known`) on the same machine. */
    offsets: ReadonlyMap<string, number> = new Map(),
  ) {
    this.offsets = new Map(offsets)
  }

  /** Milliseconds by which each provider that has answered is ahead of the local clock. */
  get known(): ReadonlyMap<string, number> {
    return this.offsets
  }

  /** Returns the provider's time; the local time until the provider has answered. */
  now(provider: string): number {
    return this.clock.now() + (this.offsets.get(provider) ?? 0)
  }

  /** Returns the same port, which reads the provider's clock from every answer. */
  watch(provider: string, http: Http): Http {
    return async (request) => {
      const response = await http(request)
      const remoteMs = Date.parse(response.headers.get('date') ?? '')
      if (Number.isFinite(remoteMs)) {
        const offsetMs = remoteMs - this.clock.now()
        this.offsets.set(provider, Math.abs(offsetMs) <= 2 * headerResolutionMs ? 0 : offsetMs)
      }
      return response
    }
  }
}
