// Makes the events that clients send to sessions, with every member, block and source that the types of the official client allow.
import type Anthropic from '@anthropic-ai/sdk'

type Event = Parameters<Anthropic['beta']['sessions']['events']['send']>[1]['events'][number]
type Typed<Union, Type> = Extract<Union, { type: Type }>
type Variants<Union extends { type: string }> = { readonly [Type in Union['type']]: Required<Typed<Union, Type>> }
type Message = Typed<Event, 'user.message'>
type Result = Required<Typed<Event, 'user.tool_result'>>
type Image = Typed<Message['content'][number], 'image'>
type Document = Typed<Message['content'][number], 'document'>
type Outcome = Typed<Event, 'user.define_outcome'>

const elsewhere = (file_id: string) =>
  ({
    url: { type: 'url', url: 'https://a.example/a.png' },
    file: { type: 'file', file_id },
    base64: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  }) satisfies Variants<Image['source']>

function blocks(fileId: string) {
  const documents = {
    ...elsewhere(fileId),
    text: { type: 'text', media_type: 'text/plain', data: 'One.' },
  } satisfies Variants<Document['source']>
  const images: Image[] = Object.values(elsewhere(fileId)).map((source) => ({ type: 'image', source }))
  const read: Required<Document>[] = Object.values(documents).map((source) => ({
    type: 'document',
    source,
    title: 'A',
    context: 'Of last year',
  }))
  return [{ type: 'text', text: 'Read this.' } as const, ...images, ...read]
}

const messageBlocks = (fileId: string): Message['content'] => {
  const ofType: {
    readonly [Type in Message['content'][number]['type']]: readonly Typed<Message['content'][number], Type>[]
  } = {
    text: [],
    image: [],
    document: [],
    redacted: [{ type: 'redacted' }],
  }
  return [...blocks(fileId), ...ofType.redacted]
}

const resultBlocks = (fileId: string): Result['content'] => {
  const searched: {
    readonly [Type in Result['content'][number]['type']]: readonly Typed<Result['content'][number], Type>[]
  } = {
    text: [],
    image: [],
    document: [],
    search_result: [
      {
        type: 'search_result',
        source: 'https://a.example',
        title: 'A',
        content: [{ type: 'text', text: 'One.' }],
        citations: { enabled: true },
      },
    ],
  }
  return [...blocks(fileId), ...searched.search_result]
}

const rubrics = (file_id: string) =>
  ({ text: { type: 'text', content: 'It has a summary.' }, file: { type: 'file', file_id } }) satisfies Variants<
    Outcome['rubric']
  >

/** One event of each type, the answers to tools last; `uses` are those that wait for one. */
export function events(fileId: string, [first = '', second = '']: readonly string[]): Event[] {
  const content = resultBlocks(fileId)
  const { text, file } = rubrics(fileId)
  const outcome = { type: 'user.define_outcome', description: 'A report', rubric: text, max_iterations: 3 } as const
  const samples: Variants<Event> = {
    'user.message': { type: 'user.message', content: messageBlocks(fileId) },
    'system.message': { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
    'user.define_outcome': outcome,
    'user.custom_tool_result': {
      type: 'user.custom_tool_result',
      custom_tool_use_id: 'sevt_custom',
      content,
      is_error: true,
    },
    'user.tool_confirmation': {
      type: 'user.tool_confirmation',
      tool_use_id: first,
      result: 'deny',
      deny_message: 'No.',
    },
    'user.tool_result': { type: 'user.tool_result', tool_use_id: second, content, is_error: false },
    'user.interrupt': { type: 'user.interrupt', session_thread_id: null },
  }
  const least: Event[] = [{ ...outcome, rubric: file }, { type: 'user.interrupt' }]
  return [...Object.values<Event>(samples), ...least]
}
