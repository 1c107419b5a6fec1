// `agents memory rm STORE PATH`: removes one memory.
import { Command, Option } from 'clipanion'
import { MemoryCommand } from '../shared/memory-command.js'
import type { ExitCode } from '../terminal/exit-codes.js'

export class MemoryRmCommand extends MemoryCommand {
  static override paths = [['memory', 'rm']]
  static override usage = Command.Usage({
    category: 'Run',
    description: 'Remove one memory',
    examples: [['A mistaken note', 'agents memory rm wiki notes/today.md']],
  })

  at = Option.String({ name: 'PATH' })

  override async execute(): Promise<ExitCode> {
    return this.actOn(async (store) => {
      await store.remove(this.at)
      this.output.record({ type: 'removed', address: store.address, path: this.at })
      this.output.print(`Removed ${this.at} from ${store.address}.`)
    })
  }
}
