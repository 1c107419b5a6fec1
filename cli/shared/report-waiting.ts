// Says that a session waits for an answer, and how to give it.
import type { ToolUse } from '../../core/plugin/sessions.js'
import type { SessionHandle } from '../../core/sessions/sessions.js'
import type { Output } from '../render/output.js'
import { renderWaiting } from '../render/session.js'

export function reportWaiting(
  output: Output,
  { id, provider, canConfirm }: Pick<SessionHandle, 'id' | 'provider' | 'canConfirm'>,
  tools: readonly ToolUse[],
): void {
  output.record({ type: 'waiting', provider, session: id, tools })
  output.note(renderWaiting(tools, { id, provider, canConfirm }))
}
