// `agents session show ID`: prints everything the provider returns about a session.
import { Command, Option } from 'clipanion'
import { renderUsage } from '../render/session.js'
import { ActionCommand } from '../shared/action-command.js'
import { reportWaiting } from '../shared/report-waiting.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionShowCommand extends ActionCommand {
  static override paths = [['session', 'show']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Show everything about one session',
    examples: [['Mounts and state of a session', 'agents session show sess_01']],
  })

  session = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const { renderRemote } = await import('../render/whole-remote.js')
      const handle = new SessionHandle(applied, this.session, this.provider)
      const session = await handle.read()
      this.output.record({ type: 'session', provider: handle.provider, id: handle.id, session })
      this.output.print(renderRemote(session))
      const usage = handle.usage(session)
      if (usage?.cost) this.output.print(`\nCost: ${renderUsage(usage)}.`)
      if (session['status'] !== 'idle' || !handle.canConfirm) return
      const tools = await handle.waitsFor()
      if (tools.length > 0) reportWaiting(this.output, handle, tools)
    })
  }
}
