// `agents session delete ID`: ends a session and removes its history.
import { Command, Option } from 'clipanion'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionDeleteCommand extends ActionCommand {
  static override paths = [['session', 'delete']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'End a session and remove its history',
    details: 'Where the provider can only archive sessions, it is archived, and the output reports that.',
    examples: [['Leave nothing behind', 'agents session delete sess_01']],
  })

  session = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const handle = new SessionHandle(applied, this.session, this.provider)
      const type = await handle.delete()
      this.output.record({ type, provider: handle.provider, id: handle.id })
      this.output.print(type === 'deleted' ? `Deleted ${handle.id}.` : `Archived ${handle.id}; it cannot be deleted.`)
    })
  }
}
