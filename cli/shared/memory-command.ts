// Base of the `memory` commands: finds the applied memory store that the first operand names.
import { Option } from 'clipanion'
import type { MemoryHandle } from '../../core/actions/memories.js'
import type { ExitCode } from '../terminal/exit-codes.js'
import { ActionCommand } from './action-command.js'

export abstract class MemoryCommand extends ActionCommand {
  store = Option.String({ name: 'STORE' })

  protected actOn(work: (store: MemoryHandle) => Promise<void>): Promise<ExitCode> {
    return this.act(async (applied) => {
      const { MemoryHandle } = await import('../../core/actions/memories.js')
      await work(new MemoryHandle(applied, { kind: 'memory_store', name: this.store, provider: this.provider }))
    })
  }
}
