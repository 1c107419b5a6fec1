// `agents session send ID TEXT`: sends a message to a session.
import { Command, Option } from 'clipanion'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionSendCommand extends ActionCommand {
  static override paths = [['session', 'send']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Send a message into a session',
    examples: [['Go on', 'agents session send sess_01 "Now write the tests"']],
  })

  session = Option.String({ name: 'ID' })
  text = Option.String({ name: 'TEXT' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const handle = new SessionHandle(applied, this.session, this.provider)
      const answer = await handle.send(this.text)
      this.output.record({ type: 'sent', provider: handle.provider, id: handle.id, answer })
      this.output.print(`Sent to ${handle.id}.`)
    })
  }
}
