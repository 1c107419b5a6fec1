// Request schemas of what a session takes: messages with text, pictures and documents, and answers to uses of tools.
import { Type } from 'typebox'
import { exact, id, nullable, optional, text } from './schema.js'

const Text = exact({ type: Type.Literal('text'), text: Type.String({ minLength: 1 }) })

const elsewhere = [
  exact({ type: Type.Literal('url'), url: Type.String({ pattern: '^https?://' }) }),
  exact({ type: Type.Literal('file'), file_id: id }),
  exact({ type: Type.Literal('base64'), media_type: text({ minLength: 1 }), data: text({ minLength: 1 }) }),
] as const
const Picture = exact({ type: Type.Literal('image'), source: Type.Union([...elsewhere]) })
const PlainText = exact({ type: Type.Literal('text'), media_type: Type.Literal('text/plain'), data: text() })
const Document = exact({
  type: Type.Literal('document'),
  source: Type.Union([...elsewhere, PlainText]),
  title: optional(nullable(text())),
  context: optional(nullable(text())),
})
const SearchResult = exact({
  type: Type.Literal('search_result'),
  source: text(),
  title: text(),
  content: Type.Array(Text),
  citations: exact({ enabled: Type.Boolean() }),
})

const Message = exact({
  type: Type.Literal('user.message'),
  content: Type.Array(Type.Union([Text, Picture, Document, exact({ type: Type.Literal('redacted') })]), {
    minItems: 1,
  }),
})
const SystemMessage = exact({ type: Type.Literal('system.message'), content: Type.Array(Text, { minItems: 1 }) })
const Outcome = exact({
  type: Type.Literal('user.define_outcome'),
  description: Type.String({ minLength: 1 }),
  rubric: Type.Union([
    exact({ type: Type.Literal('text'), content: Type.String({ minLength: 1, maxLength: 262_144 }) }),
    exact({ type: Type.Literal('file'), file_id: id }),
  ]),
  max_iterations: optional(nullable(Type.Integer({ minimum: 1, maximum: 20 }))),
})
const result = {
  content: optional(Type.Array(Type.Union([Text, Picture, Document, SearchResult]))),
  is_error: optional(nullable(Type.Boolean())),
}

/** Schema of the events that a session or a deployment begins with. */
export const StartEvents = Type.Array(Type.Union([Message, SystemMessage, Outcome]), { maxItems: 50 })

/** Schema of the events that a client sends to a session. */
export const InputEvents = Type.Array(
  Type.Union([
    Message,
    SystemMessage,
    Outcome,
    exact({ type: Type.Literal('user.interrupt'), session_thread_id: optional(nullable(id)) }),
    exact({
      type: Type.Literal('user.tool_confirmation'),
      tool_use_id: id,
      result: Type.Enum(['allow', 'deny']),
      deny_message: optional(nullable(text())),
    }),
    exact({ type: Type.Literal('user.custom_tool_result'), custom_tool_use_id: id, ...result }),
    exact({ type: Type.Literal('user.tool_result'), tool_use_id: id, ...result }),
  ]),
  { minItems: 1, maxItems: 50 },
)
