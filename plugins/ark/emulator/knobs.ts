// Switches of this provider's emulator, for undocumented or intermittent behaviour of the service.
import { Type } from 'typebox'
import { Knob, type OwnKnobs } from '../../emulator/knobs.js'

export const knobs: OwnKnobs = {
  clockAheadMs: Knob(Type.Number(), 0, 'Milliseconds by which the clock of file expiry is ahead.'),
  nameConflictStatus: Knob(
    Type.Enum([409, 400]),
    409,
    'Status of name clashes of environments; the service has answered with both.',
  ),
  mcpHandshake: Knob(
    Type.Enum(['works', 'fails']),
    'works',
    'fails: MCP servers are unreachable, so their credentials cannot be created.',
  ),
  ignoresNullInMetadata: Knob(Type.Boolean(), false, 'Null does not remove a metadata key.'),
  keepsRoster: Knob(Type.Boolean(), false, 'Null does not remove a roster.'),
  sessionsKeepRunning: Knob(Type.Boolean(), false, 'Sessions run until they are interrupted.'),
  sessionsAsk: Knob(Type.Boolean(), false, 'The agent asks for a tool before it answers a message.'),
}
