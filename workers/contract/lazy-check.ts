// A check against a schema that is compiled when it is first needed: all of them at once take longer than a thread may take
// to start.
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
