// `agents __complete SOURCE`: prints the values that completion scripts offer. It reports no problem, in order not to
// disturb the line being typed.
import { Option } from 'clipanion'
import { sources } from '../line/completion-values.js'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class CompleteCommand extends EngineCommand {
  static override paths = [['__complete']]

  source = Option.String({ name: 'SOURCE' })

  override async execute(): Promise<ExitCode> {
    // A message would disturb the line that is being typed.
    const found = await this.find().catch((): readonly string[] => [])
    this.context.stdout.write(found.map((text) => `${text}\n`).join(''))
    return exitCode.done
  }

  private async find(): Promise<readonly string[]> {
    if (this.source === sources.key) return this.keys()
    if (this.source === sources.recorded) return this.recorded()
    const { project } = await this.declared()
    if (this.source !== sources.address) return (project?.ofKind(this.source) ?? []).map(({ name }) => name)
    const { formatAddress } = await import('../../core/value/address.js')
    const declared = (project?.declarations ?? []).flatMap((declaration) =>
      declaration.providers.names.map((provider) => formatAddress({ ...declaration, provider })),
    )
    return [...new Set([...declared, ...(await this.recorded())])].sort()
  }

  private async declared() {
    const { loadProject } = await import('../../core/declaration/load.js')
    const { loadOptions } = await import('../project/open-project.js')
    return loadProject(loadOptions(this, 'http://127.0.0.1')) // Names of declarations need no API keys.
  }

  private async recorded(): Promise<readonly string[]> {
    const { readState } = await import('../project/recorded.js')
    return [...(await readState(this)).rows.keys()].sort()
  }

  private async keys(): Promise<readonly string[]> {
    const { knownProviders } = await import('../project/known-providers.js')
    const { knownKinds } = await import('../project/known-kinds.js')
    const { readReference } = await import('../reference/reference.js')
    const { allKeys } = await import('../reference/find.js')
    const providers = await knownProviders(this, { isQuiet: true })
    const kinds = knownKinds(providers)
    return readReference({ kinds, providers }).flatMap(({ name, keys }) => [
      name,
      ...allKeys(keys).map(({ segments }) => `${name}.${segments.join('.')}`),
    ])
  }
}
