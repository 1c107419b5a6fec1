// `agents plugins allow`: shows the files that the plugins of the project file would run, and records consent to them.
import { Command, Option } from 'clipanion'
import type { NamedPlugin } from '../../core/plugin/plugin-consent.js'
import { EngineCommand } from '../project/engine-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import { ask } from '../terminal/questions.js'

export class PluginsAllowCommand extends EngineCommand {
  static override paths = [['plugins', 'allow']]
  static override usage = Command.Usage({
    category: 'Look',
    description: 'Allow the plugins of the project file to run',
    details:
      'A plugin is code. Until somebody allows it, no command loads it, not even completion; after a change of its files it ' +
      'has to be allowed again. Consent holds for one folder and one content, and is stored below $XDG_CONFIG_HOME, else ' +
      '~/.config. Where nobody can be asked, STEWARD_ALLOW_PLUGINS allows by hash, or everything with "all".',
    examples: [
      ['Look, and decide', 'agents plugins allow'],
      ['In a script that has looked', 'agents plugins allow --yes'],
    ],
  })

  yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask.' })

  override async execute(): Promise<ExitCode> {
    const { requireConsent } = await import('../reconcile/consent.js')
    const { allowPlugin } = await import('../project/plugin-consent.js')
    const { renderPlugin } = await import('../render/plugin-files.js')
    requireConsent(this, this.yes, 'Add --yes.', 'lets code run')
    const { output, context } = this
    const plugins = await this.namedPlugins()
    if (plugins.length === 0) output.print(`${this.config} names no plugins.`)
    for (const plugin of plugins) {
      const { specifier, content, folder } = plugin
      output.note(renderPlugin(plugin))
      const isAllowed = this.yes || (await this.isAgreed())
      const file = isAllowed ? await allowPlugin(plugin, context.env) : undefined
      if (isAllowed && file === undefined) throw await noUserFolder()
      output.record({ type: 'plugin', plugin: specifier, folder, ...content, isAllowed })
      if (!isAllowed) {
        output.note('It was not allowed.')
        return exitCode.failed
      }
      output.print(`Allowed ${specifier}, ${content.sha256}.`)
    }
    return exitCode.done
  }

  private async isAgreed(): Promise<boolean> {
    return (await ask(this.context, 'Run this code in this folder? Type "yes": '))?.toLowerCase() === 'yes'
  }

  /** Finds the plugins as loading does, and runs none. */
  private async namedPlugins(): Promise<readonly NamedPlugin[]> {
    const { Problem } = await import('../../core/diagnostic.js')
    const { loadProject } = await import('../../core/declaration/load.js')
    const { loadOptions } = await import('../project/open-project.js')
    const { pluginConsent } = await import('../project/plugin-consent.js')
    const found: NamedPlugin[] = []
    const consent = pluginConsent(this.context.env, async (plugin) => {
      found.push(plugin)
      return 'unknown'
    })
    // "agents validate" reports the other problems of the file.
    const { diagnostics } = await loadProject({
      ...loadOptions(this, 'http://127.0.0.1'),
      pluginConsent: consent,
    })
    const missing = diagnostics.filter(({ code }) => preventing.has(code))
    if (missing.length > 0) throw new Problem(missing)
    return found.sort((a, b) => (a.specifier < b.specifier ? -1 : 1))
  }
}

const preventing: ReadonlySet<string> = new Set([
  'declaration.file-missing',
  'declaration.file-unreadable',
  'provider.plugin-missing',
])

async function noUserFolder(): Promise<Error> {
  const { UsageProblem } = await import('../line/usage.js')
  return new UsageProblem('cli.no-user-folder', { detail: 'Neither XDG_CONFIG_HOME nor HOME is set.' })
}
