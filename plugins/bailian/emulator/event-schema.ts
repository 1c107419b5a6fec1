// Schemas of events that clients send to sessions and that deployments start with.
import { Type } from 'typebox'
import { Exact, Maybe } from './schema.js'

export const Message = Exact({
  type: Type.Literal('message'),
  role: Type.Literal('user'),
  content: Type.Array(Exact({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) }), { minItems: 1 }),
})

const Text = Type.String({ minLength: 1 })
const answer = { id: Maybe(Text), call_id: Maybe(Text), output: Maybe(Type.Unknown()) } as const

const Interrupt = Exact({ type: Type.Literal('interrupt') })
const Approval = Exact({
  type: Type.Enum(['tool_confirmation', 'tool_approval_response']),
  ...answer,
  approved: Maybe(Type.Boolean()),
})
const Output = Exact({ type: Type.Enum(['function_call_output', 'tool_call_output']), ...answer })
const Outcome = Exact({
  type: Type.Literal('define_outcome'),
  description: Maybe(Text),
  rubric: Maybe(Type.Unknown()),
  max_iterations: Maybe(Type.Integer({ minimum: 1, maximum: 20 })),
})

export const ClientEvent = Type.Union([Message, Interrupt, Approval, Output, Outcome])
