// `agents session archive ID`: ends a session, and keeps its history if the provider supports that.
import { Command, Option } from 'clipanion'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionArchiveCommand extends ActionCommand {
  static override paths = [['session', 'archive']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'End a session, keeping its history where there is one',
    examples: [['Done with it', 'agents session archive sess_01']],
  })

  session = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const { SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      const handle = new SessionHandle(applied, this.session, this.provider)
      await handle.archive()
      this.output.record({ type: 'archived', provider: handle.provider, id: handle.id })
      this.output.print(`Archived ${handle.id}.`)
    })
  }
}
