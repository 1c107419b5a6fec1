// Budget of a session: what it may cost at list prices before the service ends it.
import { type Static, Type } from 'typebox'
import { Exact, OneOf } from '../../core/plugin/schema.js'

export const budget = (description: string) =>
  Exact(
    {
      amount: Type.Number({
        minimum: 0.01,
        multipleOf: 0.01,
        description: 'Most that a session may cost at list prices, in dollars.',
        examples: [25],
      }),
      currency: Type.Optional(OneOf(['USD'], { description: 'Its currency.', default: 'USD' })),
    },
    { description, examples: [{ amount: 25 }] },
  )
export type Budget = Static<ReturnType<typeof budget>>
