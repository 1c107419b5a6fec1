// Switches of this provider's emulator, for what its documentation leaves open or its servers do now and then.
import type { JsonObject } from '../../../core/value/tree.js'

export const knobs: JsonObject = {
  /** How far the clock of file expiry is ahead. */
  clockAheadMs: 0,
  /** Name clashes of environments have been seen with 409 and with 400. */
  nameConflictStatus: 409,
  /** `fails`: MCP servers cannot be reached, which their credentials cannot be created without. */
  mcpHandshake: 'works',
  /** Null takes no key out of metadata. */
  ignoresNullInMetadata: false,
  /** Null takes no roster away. */
  keepsRoster: false,
  /** Sessions that were woken run until they are interrupted. */
  sessionsKeepRunning: false,
}
