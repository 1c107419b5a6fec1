// `agents explain`: the reference of agents.yaml, key by key.
import { Command, Option } from 'clipanion'
import { UsageProblem } from '../line/usage.js'
import { EngineCommand } from '../project/engine-command.js'
import type { ExplainedKey, Topic } from '../reference/reference.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class ExplainCommand extends EngineCommand {
  static override paths = [['explain']]
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Explain the keys of agents.yaml: type, default, limits, which provider supports them',
    details:
      'Without a path it lists what can be explained. docs/agents-yaml.md is the same as a page. What is said of ' +
      'providers is what their own rules answer; those that plugins bring to the project file are among them.',
    examples: [
      ['Everything about agents', 'agents explain agent'],
      ['One key and those below it', 'agents explain agent.tools.mcp'],
      ['Managed and forward delivery', 'agents explain agent.delivery'],
    ],
  })

  operand = Option.String({ required: false, name: 'PATH' })

  override async execute(): Promise<ExitCode> {
    const { knownProviders } = await import('../project/known-providers.js')
    const { knownKinds } = await import('../project/known-kinds.js')
    const { examples } = await import('../../plugins/kinds/examples.js')
    const { readReference } = await import('../reference/reference.js')
    const { findPath } = await import('../reference/find.js')
    const { renderKey, renderTopic, renderTopics } = await import('../render/explain.js')
    const { output } = this
    const providers = await knownProviders(this)
    const kinds = knownKinds(providers)
    const topics = readReference({ kinds, providers })
    const view = { style: output.style, width: output.width }
    if (this.operand === undefined) {
      for (const topic of topics) output.record(topicRecord(topic))
      output.print(renderTopics(topics, view))
      return exitCode.done
    }
    const found = findPath(topics, this.operand)
    if (found.type === 'nothing') throw await unknownPath(this.operand, found.known, this.config)
    const { topic } = found
    if (found.type === 'topic') {
      output.record(topicRecord(topic))
      for (const key of topic.keys) output.record(keyRecord(topic, key))
      output.print(renderTopic(topic, examples[topic.name], view))
      return exitCode.done
    }
    for (const key of found.keys) output.record(keyRecord(topic, key))
    output.print(found.keys.map((key) => renderKey(topic, key, view)).join('\n\n'))
    return exitCode.done
  }
}

function topicRecord({ name, place, description, lanes, rules }: Topic) {
  const support = lanes.map(({ lane, capability, reason }) => ({
    provider: lane,
    support: capability?.support ?? 'unsupported',
    ...(reason === undefined ? {} : { reason }),
  }))
  return { type: 'topic', name, place, description, providers: support, rules }
}

function keyRecord(topic: Topic, key: ExplainedKey) {
  return { type: 'key', topic: topic.name, ...nested(key) }
}

/** The `type` of the record names the record, so the type of the value is under another name. */
function nested({ segments: _, type, members, remarks, ...key }: ExplainedKey): object {
  const providers = remarks.map(({ lane, ...remark }) => ({ provider: lane, ...remark }))
  return { ...key, valueType: type.replaceAll('`', ''), providers, members: members.map(nested) }
}

/** The keys of plugins are known only from the project file, so the advice is to check which file was read. */
async function unknownPath(path: string, known: readonly string[], file: string): Promise<UsageProblem> {
  const { hint } = await import('../../core/value/suggestions.js')
  const elsewhere = `Keys that plugins define are read from ${file}; name another project file with --config.`
  return new UsageProblem('cli.bad-value', {
    detail: `"${path}" is no key of agents.yaml.`,
    fix: `${hint(path, known)} ${elsewhere}`,
  })
}
