// `agents session send ID TEXT`: sends a message to a session.
import { Command, Option } from 'clipanion'
import type { Applied } from '../../core/actions/applied.js'
import type { SessionHandle } from '../../core/sessions/sessions.js'
import { visible } from '../render/text.js'
import { ActionCommand } from '../shared/action-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionSendCommand extends ActionCommand {
  static override paths = [['session', 'send']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Send a message into a session',
    examples: [
      ['Go on', 'agents session send sess_01 "Now write the tests"'],
      ['About a file', 'agents session send sess_01 "Compare it with new.csv" --file new.csv'],
    ],
  })

  session = Option.String({ name: 'ID' })
  text = Option.String({ name: 'TEXT' })
  files = Option.Array('--file', {
    description: 'A file to mount before: a name of agents.yaml, or the path of a file to upload; repeatable.',
  })

  override async execute(): Promise<ExitCode> {
    const { requireMessage, SessionHandle } = await import('../../core/sessions/sessions.js')
    return this.act(async (applied) => {
      requireMessage(this.text)
      const handle = new SessionHandle(applied, this.session, this.provider)
      if (this.files !== undefined) await this.#attach(applied, handle, this.files)
      const answer = await handle.send(this.text)
      this.output.record({ type: 'sent', provider: handle.provider, id: handle.id, answer })
      this.output.print(`Sent to ${handle.id}.`)
    })
  }

  async #attach(applied: Applied, handle: SessionHandle, written: readonly string[]): Promise<void> {
    handle.requireAttach()
    const { attachFiles } = await import('../../core/sessions/attachments.js')
    const { sessionKinds } = await import('../../plugins/kinds/session-kinds.js')
    const { provider } = handle
    const attached = await attachFiles(applied, handle, {
      kind: sessionKinds.files,
      folder: this.context.workingFolder,
      written,
    })
    for (const { path, id, mounted } of attached) {
      const at = mounted['mount_path']
      this.output.record({ type: 'attached', provider, session: handle.id, id, path, mounted })
      this.output.note(`Attached ${visible(path)}${typeof at === 'string' ? ` at ${visible(at)}` : ''}.`)
    }
  }
}
