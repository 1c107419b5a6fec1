// The options that narrow a plan, shared by plan, apply and destroy.
import { Option } from 'clipanion'
import * as t from 'typanion'
import type { ScopeRequest } from '../core/plan/plan.js'
import { EngineCommand } from './engine-command.js'

export const parallelismMax = 100

export abstract class ScopedCommand extends EngineCommand {
  provider = Option.Array('--provider', {
    description: 'Only this provider; repeat it for several, or "all". Default: defaults.provider and what is pinned.',
  })

  target = Option.Array('--target', { description: 'Only this resource and what it needs; repeatable.' })

  exclude = Option.Array('--exclude', { description: 'All but this resource and what needs it; repeatable.' })

  parallelism = Option.String('--parallelism', {
    description: 'Requests at once per provider. Default 10.',
    validator: t.cascade(t.isNumber(), [t.isInteger(), t.isInInclusiveRange(1, parallelismMax)]),
  })

  get scope(): ScopeRequest {
    return { providers: this.provider ?? [], targets: this.target ?? [], excludes: this.exclude ?? [] }
  }
}
