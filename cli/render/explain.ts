// Renders a key of agents.yaml for `agents explain`.
import type { ExplainedKey, LaneSupport, Topic } from '../reference/reference.js'
import { factsOf, groupedRemarks, inlineYaml } from '../reference/words.js'
import type { Style } from './style.js'
import { countOf, indented, listed, wrapped } from './text.js'

export interface ExplainView {
  readonly style: Style
  /** Width of the terminal in columns. */
  readonly width: number
}

/** Lists everything that can be explained, for `agents explain` without a path. */
export function renderTopics(topics: readonly Topic[], { style, width }: ExplainView): string {
  const rows = topics.map(({ name, description }) => entry(style.cyan(name), description, width))
  return [
    'agents.yaml has a version, the name of the project, a block for each provider, defaults, and a section for each kind of resource.',
    rows.join('\n'),
    'agents explain agent, agents explain agent.tools.mcp: each of them, and each key below.',
  ].join('\n\n')
}

export function renderTopic(topic: Topic, example: string | undefined, view: ExplainView): string {
  const { style, width } = view
  const rules = topic.rules.length === 0 ? [] : [`${countOf(topic.rules.length, 'rule')}: see docs/agents-yaml.md.`]
  return [
    `${style.bold(topic.place)}\n${wrapped(topic.description, width, '  ')}`,
    ...(topic.lanes.length === 0 ? [] : [`${style.bold('Providers')}\n${lanesText(topic.lanes, width)}`]),
    ...(topic.keys.length === 0 ? [] : [`${style.bold('Keys')}\n${keysText(topic.keys, view)}`]),
    ...(example === undefined ? [] : [`${style.bold('Example')}\n${indented(example.trimEnd(), '  ')}`]),
    ...rules,
  ].join('\n\n')
}

export function renderKey(topic: Topic, key: ExplainedKey, view: ExplainView): string {
  const { style, width } = view
  const { type, isRequired, description, details, examples, members } = key
  const title = `${style.bold(`${topic.place}.${key.path}`)}  ${withoutCodeQuotes(type)}${isRequired ? ', required' : ''}`
  const facts = factsOf(key)
  const remarks = remarksText(key, width, '  ')
  return [
    `${title}\n${wrapped([description, ...facts].join(' '), width, '  ')}`,
    ...(details === undefined
      ? []
      : [
          details
            .split('\n')
            .map((line) => wrapped(line, width, '  '))
            .join('\n\n'),
        ]),
    ...(remarks === '' ? [] : [`${style.bold('Providers')}\n${remarks}`]),
    ...(examples.length === 0
      ? []
      : [
          `${style.bold('Example')}\n${examples.map((one) => `  ${key.segments.at(-1)}: ${inlineYaml(one)}`).join('\n')}`,
        ]),
    ...(members.length === 0 ? [] : [`${style.bold('Keys')}\n${keysText(members, view)}`]),
  ].join('\n\n')
}

function keysText(keys: readonly ExplainedKey[], { style, width }: ExplainView, indent = '  '): string {
  return keys
    .map((key) => {
      const name = key.path.endsWith(']') ? `type: ${key.segments.at(-1)}` : `${key.segments.at(-1)}`
      const required = key.isRequired ? ', required' : ''
      const text = [key.description, ...factsOf(key)].join(' ')
      const remarks = remarksText(key, width, `${indent}    `)
      const inner = key.members.length === 0 ? '' : `\n${keysText(key.members, { style, width }, `${indent}  `)}`
      const head = `${indent}${style.cyan(name)}  ${style.dim(`${withoutCodeQuotes(key.type)}${required}`)}`
      return `${head}\n${wrapped(text, width, `${indent}    `)}${remarks === '' ? '' : `\n${remarks}`}${inner}`
    })
    .join('\n')
}

function remarksText({ remarks }: ExplainedKey, width: number, indent: string): string {
  return groupedRemarks(remarks)
    .map(({ lanes, text }) => wrapped(`${listed(lanes)}: ${text}`, width, indent))
    .join('\n')
}

function lanesText(lanes: readonly LaneSupport[], width: number): string {
  const lines = lanes.map(({ lane, capability, reason }) =>
    [`${lane}: ${capability?.support ?? 'not there'}`, ...(reason === undefined ? [] : [reason])].join('; '),
  )
  const hasApis = lanes.some(({ capability }) => capability?.api !== undefined)
  const pointer = hasApis ? ['agents explain agent.delivery says which of two APIs it is.'] : []
  return [...lines, ...pointer].map((line) => wrapped(line, width, '  ')).join('\n')
}

function entry(name: string, text: string, width: number): string {
  return `  ${name}\n${wrapped(text, width, '    ')}`
}

/** Removes the quotes of code in Markdown, which mean nothing in a terminal. */
function withoutCodeQuotes(text: string): string {
  return text.replaceAll('`', '')
}
