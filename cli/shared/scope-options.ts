// Options that select the scope of a plan, shared by plan, apply and destroy.
import { Option } from 'clipanion'
import * as t from 'typanion'
import type { PlanOptions } from '../../core/plan/options.js'
import { EngineCommand } from '../project/engine-command.js'

const parallelismMax = 100

export type PlanRequest = Pick<PlanOptions, 'mode' | 'scope' | 'recreate' | 'parallelism' | 'initial'>

export abstract class ScopedCommand extends EngineCommand {
  provider = Option.Array('--provider', {
    description: 'Only this provider, or "all"; repeatable. Default: defaults.provider and pinned resources.',
  })

  target = Option.Array('--target', { description: 'Only this resource and those it needs; repeatable.' })

  exclude = Option.Array('--exclude', { description: 'All except this resource and those that need it; repeatable.' })

  parallelism = Option.String('--parallelism', {
    description: 'Requests at once per provider. Default 10.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isInInclusiveRange(1, parallelismMax)]),
  })

  requestOf(mode: PlanOptions['mode']): PlanRequest {
    return {
      mode,
      scope: { providers: this.provider ?? [], targets: this.target ?? [], excludes: this.exclude ?? [] },
      ...(this.parallelism === undefined ? {} : { parallelism: this.parallelism }),
    }
  }
}

/** Base of plan and apply, which refuse options of destroy. */
export abstract class ReconcileCommand extends ScopedCommand {
  override readonly remarks = 'warnings'

  refreshOnly = Option.Boolean('--refresh-only', false, {
    description: 'Only changes made outside agents.yaml; an apply then records them and changes nothing.',
  })

  recreate = Option.Array('--recreate', {
    description: 'Go on although every object of this provider is gone or of another account; repeatable.',
  })

  get request(): PlanRequest {
    const request = this.requestOf(this.refreshOnly ? 'refresh' : 'apply')
    return this.recreate === undefined ? request : { ...request, recreate: this.recreate }
  }
}
