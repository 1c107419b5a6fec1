// Base of all commands that use the engine: project file, output, verbosity.
import { Command, Option } from 'clipanion'
import { usualFile } from '../line/global-options.js'
import { Output } from '../render/output.js'
import type { Context } from '../terminal/context.js'

export abstract class EngineCommand extends Command<Context> {
  config = Option.String('-c,--config', usualFile, {
    description:
      'The project file. Its state and lock (prod.state.json for prod.yaml) and .env are in the same folder.',
  })

  json = Option.Boolean('--json', false, { description: 'Print records, one JSON object a line (docs/json.md).' })

  verbose = Option.Boolean('-v,--verbose', false, {
    description: 'Print every request on stderr, with secrets masked.',
  })

  /** Detail in which warnings of a valid file are reported: each of them, or only their number. */
  readonly remarks: 'warnings' | 'counts' = 'counts'

  #output: Output | undefined

  get output(): Output {
    this.#output ??= new Output(this.context, { isJson: this.json })
    return this.#output
  }
}
