// `agents destroy`: removes everything recorded in state, after consent.
import { Command, Option } from 'clipanion'
import { ScopedCommand } from '../shared/scope-options.js'
import type { ExitCode } from '../terminal/exit-codes.js'

const consentFix = 'Add --yes to remove what the plan shows. To see it only: agents plan --destroy.'

export class DestroyCommand extends ScopedCommand {
  static override paths = [['destroy']]
  static override usage = Command.Usage({
    category: 'Reconcile',
    description: 'Remove every object of this project',
    details:
      'Removes the objects recorded in state, dependents first. External references and other objects are kept.\n' +
      'Objects that cannot be removed yet stay in state, and a later destroy continues with them (exit code 3).',
    examples: [
      ['Plan the removal, ask, remove', 'agents destroy'],
      ['Only see what would be removed', 'agents plan --destroy'],
      ['One provider only, without asking', 'agents destroy --provider qoder --yes'],
      ['End sessions that still use an agent', 'agents destroy --cascade'],
    ],
  })

  // A removal goes the other way through the dependencies than a plan does.
  override target = Option.Array('--target', {
    description: 'Only this resource and those that need it; repeatable.',
  })

  override exclude = Option.Array('--exclude', {
    description: 'All except this resource and those it needs; repeatable.',
  })

  yes = Option.Boolean('-y,--yes', false, { description: 'Do not ask.' })

  cascade = Option.Boolean('--cascade', false, {
    description: 'Also end objects of others that block a removal, such as sessions.',
  })

  override async execute(): Promise<ExitCode> {
    const { reconcile } = await import('../reconcile/reconcile.js')
    return reconcile(this, {
      request: this.requestOf('destroy'),
      isAgreed: this.yes,
      cascade: this.cascade,
      consentFix,
    })
  }
}
