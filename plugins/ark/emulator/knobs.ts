// Switches of this provider's emulator, for undocumented or intermittent behaviour of the service.
import type { JsonObject } from '../../../core/value/tree.js'

export const knobs: JsonObject = {
  /** Milliseconds by which the clock of file expiry is ahead. */
  clockAheadMs: 0,
  /** Status of name clashes of environments, observed as 409 and 400. */
  nameConflictStatus: 409,
  /** `fails`: MCP servers are unreachable, so their credentials cannot be created. */
  mcpHandshake: 'works',
  /** Null does not remove a metadata key. */
  ignoresNullInMetadata: false,
  /** Null does not remove a roster. */
  keepsRoster: false,
  /** Sessions run until they are interrupted. */
  sessionsKeepRunning: false,
  /** The agent asks for a tool before it answers a message. */
  sessionsAsk: false,
}
