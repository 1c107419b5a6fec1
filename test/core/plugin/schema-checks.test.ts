// Schema checks: the answer is the same before and after a schema is compiled.
import t from 'tap'
import { Type } from 'typebox'
import { SchemaChecks } from '../../../core/plugin/schema-checks.js'

t.test('a schema that is checked often accepts what it accepted at first, and nothing else', async (t) => {
  const checks = new SchemaChecks()
  const rows = Type.Refine(Type.Object({ n: Type.Integer() }), ({ n }) => n !== 3)
  const fits = (n: unknown) => checks.fits(rows, { n })
  for (let round = 0; round < 50; round++) t.strictSame([1, 2, 3, 'four'].map(fits), [true, true, false, false])
})
