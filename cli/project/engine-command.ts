// Base of all commands that use the engine: project file, output, verbosity.
import { Command, Option } from 'clipanion'
import { Output } from '../render/output.js'
import type { Context } from '../terminal/context.js'

/** Name of the project file if the command line names none. */
export const usualFile = 'agents.yaml'

export abstract class EngineCommand extends Command<Context> {
  config = Option.String('-c,--config', usualFile, {
    description: 'The project file. State and lock of its own (prod.state.json of prod.yaml) and .env stand beside it.',
  })

  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  verbose = Option.Boolean('-v,--verbose', false, { description: 'Tell every request on stderr, secrets masked.' })

  /** Detail in which warnings of a valid file are reported: each of them, or only their number. */
  readonly remarks: 'warnings' | 'counts' = 'counts'

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }
}
