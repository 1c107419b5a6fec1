// `agents memory versions STORE [PATH]`: lists former versions of memories.
import { Command, Option } from 'clipanion'
import type { JsonObject } from '../../core/value/tree.js'
import { renderRemotes } from '../render/remote.js'
import { counted } from '../render/text.js'
import { MemoryCommand } from '../shared/memory-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class MemoryVersionsCommand extends MemoryCommand {
  static override paths = [['memory', 'versions']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'List earlier states of memories, newest first',
    examples: [
      ['Of one memory', 'agents memory versions wiki notes/today.md'],
      ['With everything told about them', 'agents memory versions wiki --json'],
    ],
  })

  at = Option.String({ name: 'PATH', required: false })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (store) => {
      const versions: JsonObject[] = []
      for await (const version of store.versions(this.at)) {
        this.output.record({ type: 'memoryVersion', address: store.address, version })
        versions.push(version)
      }
      this.output.record({ type: 'summary', versions: versions.length })
      if (versions.length > 0) this.output.print(`${renderRemotes(versions)}\n`)
      this.output.print(versions.length === 0 ? 'There are no versions.' : `${counted(versions.length, 'version')}.`)
    })
  }
}
