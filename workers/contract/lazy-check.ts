// Schema check that is compiled on first use: compiling all of them would exceed the start time of a thread.
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'

export class LazyCheck<Schema extends TSchema = TSchema> {
  #validator: Validator | undefined

  constructor(readonly schema: Schema) {}

  passes(value: unknown): value is Static<Schema> {
    this.#validator ??= Compile<TSchema>(this.schema)
    return this.#validator.Check(value)
  }
}
