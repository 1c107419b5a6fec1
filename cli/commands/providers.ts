// `agents providers`: shows which kinds each provider supports, and the alternative to each kind that it does not
// support.
import { Command } from 'clipanion'
import { capabilitiesOf } from '../../core/plugin/capabilities.js'
import { EngineCommand } from '../project/engine-command.js'
import { renderCapabilities } from '../render/capabilities.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class ProvidersCommand extends EngineCommand {
  static override paths = [['providers']]
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Show what each provider supports',
    details:
      'The built-in providers, and those of plugins that the project file names. The forms P-A to P-D of the specification work as names everywhere.',
    examples: [
      ['The table', 'agents providers'],
      [
        'What ark cannot do',
        'agents providers --json | jq \'select(.provider == "ark" and .support == "unsupported")\'',
      ],
    ],
  })

  override async execute(): Promise<ExitCode> {
    const { knownProviders } = await import('../project/known-providers.js')
    const { knownKinds } = await import('../project/known-kinds.js')
    const providers = await knownProviders(this)
    const kinds = knownKinds(providers)
    const names = kinds.map(({ kind }) => kind)
    for (const provider of providers) {
      for (const capability of names.flatMap((kind) => capabilitiesOf(provider, kind)))
        this.output.record({ type: 'capability', provider: provider.name, ...capability })
    }
    this.output.print(renderCapabilities(providers, names, this.output.style))
    return exitCode.done
  }
}
