// `agents memory rm STORE PATH`: removes one memory.
import { Command, Option } from 'clipanion'
import type { ExitCode } from '../exit-codes.js'
import { MemoryCommand } from '../memory-command.js'

export class MemoryRmCommand extends MemoryCommand {
  static override paths = [['memory', 'rm']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Remove one memory',
    examples: [['A mistaken note', 'agents memory rm wiki notes/today.md']],
  })

  path = Option.String({ name: 'PATH' })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (store) => {
      await store.remove(this.path)
      this.output.record({ type: 'removed', address: store.address, path: this.path })
      this.output.print(`Removed ${this.path} from ${store.address}.`)
    })
  }
}
