// `agents session create AGENT`: starts a session of an applied agent.
import { Command, Option } from 'clipanion'
import { visible } from '../render/text.js'
import { NewSessionCommand } from '../shared/new-session-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class SessionCreateCommand extends NewSessionCommand {
  static override paths = [['session', 'create']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Start a session of an applied agent',
    details:
      'The session gets what the agent declares, and what is named here besides. Names are those of agents.yaml.\n' +
      'Everything that agents.yaml or a rule of the provider forbids is refused before any call.',
    examples: [
      ['Start, and say something', 'agents session create helper --message "Review the last change"'],
      ['With a file of this folder, and a limit', 'agents session create helper --file report.csv --budget 2.50'],
      ['With more than the agent declares', 'agents session create helper --vault keys --memory-store wiki --env CI=1'],
    ],
  })

  agent = Option.String({ name: 'AGENT' })
  message = Option.String('--message', { description: 'Sent as soon as the session exists.' })

  override async execute(): Promise<ExitCode> {
    const asked = this.request()
    const { createSession } = await import('../../core/sessions/create.js')
    const { sessionKinds } = await import('../../plugins/kinds/session-kinds.js')
    return this.act(async (applied) => {
      const { agent: runs, provider: wanted, message } = this
      const created = await createSession(applied, { kinds: sessionKinds, runs, provider: wanted, message, ...asked })
      const { provider, address, id, session, uploaded, notes } = created
      this.output.report(notes)
      this.reportUploads(provider, uploaded)
      this.output.record({ type: 'session', provider, address, id, session })
      this.output.print(`${this.output.style.green('✓')} ${visible(id)}  ${address}`)
      this.output.note(`To follow it: agents session events ${id} --follow --provider ${provider}`)
    })
  }
}
