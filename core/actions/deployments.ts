// Runs of applied deployments: starts and lists them, pauses and resumes their schedules.

import type { Problem } from '../diagnostic.js'
import type { DeploymentActions } from '../plugin/actions.js'
import { capabilityOf } from '../plugin/capabilities.js'
import type { Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import { type Applied, type AppliedRequest, type AppliedResource, kindText, notApplied } from './applied.js'
import { type Attempt, attemptedEach, explainingFailures } from './failures.js'
import { ActionScope } from './scope.js'

/** One applied deployment. Actions that its provider does not offer are refused before any call. */
export class DeploymentHandle {
  readonly address: string
  readonly provider: string
  private readonly resource: AppliedResource
  private readonly actions: DeploymentActions<unknown>

  constructor(
    private readonly applied: Applied,
    wanted: AppliedRequest,
  ) {
    this.resource = applied.find(wanted)
    this.address = this.resource.address
    this.provider = this.resource.providerName
    const { deployments } = this.resource.provider
    if (!deployments) throw this.notOffered('be run')
    this.actions = deployments
  }

  /** Starts one run of the deployment now. */
  run(): Promise<Remote> {
    const { actions, applied, resource } = this
    const { id } = resource.row
    const { request } = actions
    if (id === null && !request) throw notApplied(this.address)
    const body = request ? this.body(request.bind(actions)) : {}
    return this.touch(() => actions.run(applied.call(this.provider), { id, body }))
  }

  pause(): Promise<Remote> {
    const { pause } = this.actions
    if (!pause) throw this.notOffered('be paused')
    return this.change(pause.bind(this.actions))
  }

  resume(): Promise<Remote> {
    const { resume } = this.actions
    if (!resume) throw this.notOffered('be resumed')
    return this.change(resume.bind(this.actions))
  }

  runs(): AsyncGenerator<Remote> {
    const { runs } = this.actions
    if (!runs) throw this.notOffered('tell their runs')
    return attemptedEach(this.attempt, runs.call(this.actions, this.applied.call(this.provider), this.id))
  }

  private change(action: NonNullable<DeploymentActions<unknown>['pause']>): Promise<Remote> {
    const { id } = this
    return this.touch(() => action(this.applied.call(this.provider), id))
  }

  private touch(act: () => Promise<Remote>): Promise<Remote> {
    return explainingFailures(this.attempt, async () => {
      await this.applied.refuseTakenOver(this.resource)
      return act()
    })
  }

  private body(request: NonNullable<DeploymentActions<unknown>['request']>) {
    const { declaration } = this.resource
    if (!declaration) throw undeclared(this.address)
    const scope = new ActionScope(this.applied, this.resource)
    return scope.expand(request(declaration, scope))
  }

  private get id(): string {
    const { id } = this.resource.row
    if (id === null) throw notApplied(this.address)
    return id
  }

  private get attempt(): Attempt {
    return { subject: this.address, mask: (text) => this.applied.options.project.variables.mask(text) }
  }

  private notOffered(ability: string): Problem {
    const { provider, row, name } = this.resource
    const kind = this.address.split('.')[1] ?? ''
    const { reason, instead } = capabilityOf(provider, kind, row.api ?? '')
    return problem('action.not-offered', {
      address: this.address,
      detail: `On ${provider.title}, ${kindText(kind)}s cannot ${ability}${reason === undefined ? '' : `: ${reason}`}.`,
      fix: instead ?? `Change ${name} in agents.yaml and apply it instead.`,
    })
  }
}

function undeclared(address: string): Problem {
  return problem('action.not-declared', {
    address,
    detail: `Only the project file describes a run of ${address}, and it no longer declares the deployment.`,
  })
}
