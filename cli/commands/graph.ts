// `agents graph`: prints the references between resources as DOT or Mermaid, without a request to any provider.
import { Command, Option } from 'clipanion'
import * as t from 'typanion'
import { EngineCommand } from '../project/engine-command.js'
import { graphFormats, graphRenderers } from '../render/graph.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class GraphCommand extends EngineCommand {
  static override paths = [['graph']]
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Draw references between resources, as DOT or Mermaid',
    details:
      'Solid arrows: what is pointed at must exist first, and its id is sent. Dashed ones: it is used when a session\n' +
      'starts. Implied resources are there too, such as the upload of a file that a deployment names by path.',
    examples: [
      ['A picture', 'agents graph | dot -Tsvg > graph.svg'],
      ['For a Markdown page', 'agents graph --format mermaid --provider all'],
    ],
  })

  format = Option.String('--format', 'dot', {
    description: 'dot (default) or mermaid.',
    validator: t.isEnum(graphFormats),
  })

  provider = Option.Array('--provider', { description: 'Only this provider, or "all"; repeatable.' })

  override async execute(): Promise<ExitCode> {
    const { openProject } = await import('../project/open-project.js')
    const { scopeOf } = await import('../../core/plan/scope.js')
    const { referenceGraph } = await import('../../core/graph/references.js')
    const { project, registry } = await openProject(this)
    const scope = { providers: this.provider ?? [], targets: [], excludes: [] }
    const { targets } = scopeOf(project, registry, scope, new Map())
    const graph = referenceGraph(project, registry, targets)
    for (const address of graph.nodes) this.output.record({ type: 'node', address })
    for (const edge of graph.edges) this.output.record({ type: 'edge', ...edge })
    this.output.print(graphRenderers[this.format](graph))
    return exitCode.done
  }
}
