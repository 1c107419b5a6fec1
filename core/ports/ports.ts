// All ports of the engine. An embedding program may pass its own.
import type { Clock } from './clock.js'
import type { Disk } from './disk.js'
import type { Host } from './host.js'
import type { Http, HttpStream } from './http.js'
import type { Random } from './random.js'

export interface Ports {
  readonly disk: Disk
  readonly clock: Clock
  readonly random: Random
  readonly http: Http
  readonly httpStream?: HttpStream
  readonly host: Host
}
