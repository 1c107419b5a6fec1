// `agents schema`: the JSON Schema of agents.yaml, for editors.
import { Command } from 'clipanion'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class SchemaCommand extends EngineCommand {
  static override paths = [['schema']]
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Print the JSON Schema of agents.yaml, for editors',
    details:
      'Save it beside the file and begin the file with\n  # yaml-language-server: $schema=./agents.schema.json\n' +
      'as "agents init" does; editors then complete and check while you write. Providers that plugins bring to the ' +
      'project file are in it as well.',
    examples: [['After an update of agents', 'agents schema > agents.schema.json']],
  })

  override async execute(): Promise<ExitCode> {
    const { editorSchema } = await import('../project/editor-schema.js')
    const { knownProviders } = await import('../project/known-providers.js')
    const schema = await editorSchema(await knownProviders(this))
    this.context.stdout.write(`${JSON.stringify(schema, null, this.json ? 0 : 2)}\n`)
    return exitCode.done
  }
}
